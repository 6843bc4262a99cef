// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/props.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_WORLD 250.0F

double random_between(test_random *seed, double low, double high) {
    return low + (high - low) * (double)(random_u32(seed) & 0xFFFFFF) / (double)0xFFFFFF;
}

// Two apexes over a ring: convex however wide and high.
static void add_hull(test_props *m, uint32_t model, test_random *seed) {
    bsp_model_mesh *mesh = &m->meshes[model];
    bsp_model_hull *hull = &m->hulls[model][mesh->num_hulls++];
    uint32_t ring = 3 + random_u32(seed) % (MOST_RING - 2);
    double wide = random_between(seed, 4, 40), deep = random_between(seed, 4, 40);
    double middle[3] = {random_between(seed, -40, 40), random_between(seed, -40, 40),
                        random_between(seed, -40, 40)};
    *hull = (bsp_model_hull){.bone = BSP_NONE,
                             .first_point = mesh->num_hull_points,
                             .num_points = ring + 2,
                             .first_index = mesh->num_hull_indices,
                             .num_indices = ring * 6};
    for (uint32_t i = 0; i < ring; i++) {
        double turn = 6.283185307179586 * i / ring;
        float *p = m->points[model][mesh->num_hull_points++];
        p[0] = (float)(middle[0] + wide * cos(turn));
        p[1] = (float)(middle[1] + deep * sin(turn));
        p[2] = (float)middle[2];
    }
    for (int up = 1; up >= -1; up -= 2) {
        float *p = m->points[model][mesh->num_hull_points++];
        p[0] = (float)middle[0];
        p[1] = (float)middle[1];
        p[2] = (float)(middle[2] + up * random_between(seed, 4, 40));
    }
    for (uint32_t i = 0; i < ring; i++) {
        uint32_t a = hull->first_point + i, b = hull->first_point + (i + 1) % ring;
        uint32_t top = hull->first_point + ring;
        const uint32_t corners[6] = {a, b, top, b, a, top + 1};
        memcpy(&m->indices[model][mesh->num_hull_indices], corners, sizeof corners);
        mesh->num_hull_indices += 6;
    }
}

static void place_prop(test_props *m, uint32_t n, test_random *seed) {
    bsp_scene_prop *prop = &m->props[n];
    float axes[3][3];
    const float angles[3] = {(float)random_between(seed, -180, 180),
                             (float)random_between(seed, -180, 180),
                             (float)random_between(seed, -180, 180)};
    bsp_angle_axes(angles, axes);
    *prop = (bsp_scene_prop){.kind = n % 2 == 0 ? BSP_PROP_STATIC : BSP_PROP_ENTITY,
                             .number = n,
                             .model = n,
                             .scale = (float)random_between(seed, 0.5, 2),
                             .solid = 6,
                             .contents = 1};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            prop->place[i][j] = axes[j][i] * prop->scale;
        }
        prop->place[i][3] = (float)random_between(seed, (double)-HALF_WORLD, (double)HALF_WORLD);
    }
}

test_props *test_props_make(const char *map, uint32_t props, uint32_t begin) {
    test_random seed = {begin};
    bsp_error error = {0};
    test_props *m = calloc(1, sizeof *m);
    m->file = bsp_file_open(map, NULL, &error);
    m->map = m->file == NULL ? NULL : bsp_map_load(m->file, NULL, &error);
    assert_non_null(m->map);
    for (uint32_t i = 0; i < props; i++) {
        m->meshes[i] = (bsp_model_mesh){.hulls = m->hulls[i],
                                        .hull_points = (const float(*)[3])m->points[i],
                                        .hull_indices = m->indices[i]};
        uint32_t hulls = 1 + random_u32(&seed) % MOST_HULLS;
        for (uint32_t h = 0; h < hulls; h++) {
            add_hull(m, i, &seed);
        }
        m->models[i] = (bsp_scene_model){.mesh = &m->meshes[i], .info = &m->infos[i]};
        place_prop(m, i, &seed);
    }
    m->scene = (bsp_scene){.map = m->map,
                           .models = m->models,
                           .num_models = props,
                           .props = m->props,
                           .num_props = props};
    return m;
}

void test_props_free(test_props *m) {
    bsp_map_free(m->map);
    bsp_file_close(m->file);
    free(m);
}

void test_props_point(const bsp_scene_prop *prop, const float p[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        const float *row = prop->place[i];
        out[i] = (double)row[0] * (double)p[0] + (double)row[1] * (double)p[1] +
                 (double)row[2] * (double)p[2] + (double)row[3];
    }
}

void test_props_segment(test_random *seed, bsp_trace_input *in) {
    memset(in, 0, sizeof *in);
    in->mask = 1 | MONSTER; // what models of entities need in Source
    double length = random_between(seed, 0, 1) < 0.5 ? 100 : 1000;
    for (int i = 0; i < 3; i++) {
        in->start[i] = (float)random_between(seed, (double)-HALF_WORLD, (double)HALF_WORLD);
        in->end[i] = in->start[i] + (float)random_between(seed, -length, length);
    }
}
