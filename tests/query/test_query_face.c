// SPDX-License-Identifier: MIT
// The stored average light of faces against the mean of their luxels, whole sides against the faces
// that were cut from them, and props in leaves against a table made the other way round, in the
// samples and the corpus.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct totals {
    unsigned faces, near, props, inside, outside;
} totals;

// --- average light -------------------------------------------------------------------------------

static void mean_of(const bsp_map *map, const bsp_face_light *light, double mean[3]) {
    size_t count = (size_t)light->size[0] * (size_t)light->size[1];
    mean[0] = mean[1] = mean[2] = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *luxel = map->light.data + light->offset + 4 * i;
        for (int c = 0; c < 3; c++) {
            mean[c] += ldexp(luxel[c], (int8_t)luxel[3]) / 255 / (double)count;
        }
    }
}

// vrad averages its samples, which are pieces of the face, and not the luxels that it makes of
// them: in real maps the two differ by some tenths at most, but for a few faces.
//
// A face without a displacement, whose luxels of the first style are all there.
static bool is_plain(const bsp_map *map, uint32_t face) {
    const bsp_face_light *light = &map->face_lights[face];
    if (map->traits->light != BSP_LIGHT_RGBEXP32 || light->styles[0] != 0 ||
        light->offset == BSP_NONE || map->faces[face].displacement != BSP_NONE) {
        return false;
    }
    uint64_t bytes = 4 * (uint64_t)light->size[0] * (uint64_t)light->size[1];
    return bytes != 0 && light->offset + bytes <= map->light.size;
}

static void check_light(const each_map *m, totals *sum) {
    for (uint32_t i = 0; i < m->map->num_face_lights && i < m->map->num_faces; i++) {
        float rgb[3];
        double mean[3];
        bool has = bsp_query_face_light(m->map, i, 0, false, rgb);
        if (m->map->traits->light != BSP_LIGHT_RGBEXP32) {
            assert_false(has);
            continue;
        }
        if (m->map->light.size == 0 || !is_plain(m->map, i) || !has) {
            continue;
        }
        bool near = true;
        mean_of(m->map, &m->map->face_lights[i], mean);
        for (int c = 0; c < 3; c++) {
            near = near && fabs((double)rgb[c] - mean[c]) <= 0.5 * mean[c] + 0.02;
        }
        sum->faces++;
        sum->near += near ? 1 : 0;
    }
}

// --- sides ---------------------------------------------------------------------------------------

// Every corner of a face lies in the polygon of its whole side: on no outer side of its edges.
static bool is_part(const bsp_map *map, const bsp_map *whole, uint32_t face) {
    bsp_surface_corner part[64];
    bsp_surface_corner side[64];
    float normal[3];
    float dist;
    uint32_t count = bsp_surface_corners(map, face, part, 64);
    uint32_t sides = bsp_surface_corners(whole, map->faces[face].original, side, 64);
    if (count > 64 || sides > 64 || sides < 3 || !bsp_surface_plane(map, face, normal, &dist)) {
        return true;
    }
    for (uint32_t e = 0; e < sides; e++) {
        const float *a = side[e].point;
        const float *b = side[(e + 1) % sides].point;
        double edge[3], out[3];
        double length = 0;
        for (int k = 0; k < 3; k++) {
            edge[k] = (double)b[k] - (double)a[k];
            length += edge[k] * edge[k];
        }
        for (int k = 0; k < 3; k++) { // clockwise seen from the front
            int u = (k + 1) % 3;
            int v = (k + 2) % 3;
            out[k] = (double)normal[u] * edge[v] - (double)normal[v] * edge[u];
        }
        for (uint32_t i = 0; i < count && length > 1; i++) {
            double d = 0;
            for (int k = 0; k < 3; k++) {
                d += out[k] * ((double)part[i].point[k] - (double)a[k]);
            }
            if (d / sqrt(length) > 0.5) {
                return false;
            }
        }
    }
    return true;
}

static void check_sides(const each_map *m, totals *sum) {
    bsp_map whole = *m->map;
    whole.faces = m->map->original_faces;
    whole.num_faces = m->map->num_original_faces;
    whole.num_face_lights = whole.num_face_lights_hdr = 0;
    for (uint32_t i = 0; i < m->map->num_faces; i++) {
        if (m->map->faces[i].original < whole.num_faces) {
            bool inside = is_part(m->map, &whole, i);
            sum->inside += inside ? 1 : 0;
            sum->outside += inside ? 0 : 1;
        }
    }
}

// --- props ---------------------------------------------------------------------------------------

static void check_props(const each_map *m, totals *sum) {
    const bsp_map *map = m->map;
    uint32_t *counts = calloc((size_t)map->num_leaves + 1, sizeof *counts);
    assert_non_null(counts);
    for (uint32_t p = 0; p < map->num_static_props && map->num_static_prop_leaves != 0; p++) {
        const bsp_static_prop *prop = &map->static_props[p];
        for (uint32_t i = 0; i < prop->num_leaves; i++) {
            uint32_t leaf = map->static_prop_leaves[prop->first_leaf + i];
            bool again = false;
            for (uint32_t k = 0; k < i; k++) {
                again |= map->static_prop_leaves[prop->first_leaf + k] == leaf;
            }
            counts[leaf < map->num_leaves && !again ? leaf : map->num_leaves]++;
        }
    }
    for (uint32_t leaf = 0; leaf < map->num_leaves; leaf += 1 + leaf / 64) {
        uint32_t first[2] = {BSP_NONE, BSP_NONE};
        assert_int_equal(bsp_query_leaf_props(map, leaf, first, 2), counts[leaf]);
        assert_true(counts[leaf] < 2 || first[0] < first[1]);
        sum->props += counts[leaf];
    }
    free(counts);
}

static void check(const each_map *m, void *user) {
    check_light(m, user);
    check_sides(m, user);
    check_props(m, user);
}

static void test_maps(void **state) {
    totals sum = {0};
    (void)state;
    (void)each_map_do_some(test_step(8), check, &sum);
    assert_true(sum.faces > 100 && sum.props > 0);
    assert_true(sum.near >= sum.faces / 10 * 9);
    // In some maps compilers have moved faces off their sides: half of them in od_background01.
    assert_true(sum.inside > 4 * sum.outside);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_maps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
