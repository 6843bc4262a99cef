// SPDX-License-Identifier: MIT
// Quake 3: surfaces that are lit as if they were round (-shade, -shadeangle): vertices at one place
// whose normals differ by less than an angle have the mean of these, each direction once. Source:
// SmoothNormals of netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp.
#include "bake/light/drawn/drawn.h"

#include "core/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_PLACE 0.001f
#define SAME_NORMAL 0.01f
#define HARDLY 1e-6f // radians
#define MOST 256u    // vertices at a place, and directions that count
#define RADIANS ((float)BSPI_PI / 180)

typedef struct vertex {
    float point[3];
    float angle; // radians
    uint32_t number;
    bool done;
} vertex;

typedef struct smoother {
    bspi_relight *own;
    vertex *list; // heap; of those that may change
    uint32_t count;
    float (*normals)[3];
} smoother;

static int compare(const void *left, const void *right) {
    const vertex *a = left;
    const vertex *b = right;
    if (a->point[0] != b->point[0]) {
        return a->point[0] < b->point[0] ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

static int by_number(const void *left, const void *right) {
    const vertex *a = *(vertex *const *)left;
    const vertex *b = *(vertex *const *)right;
    return (a->number > b->number) - (a->number < b->number);
}

static bool equal(const float a[3], const float b[3], float most) {
    return fabsf(a[0] - b[0]) <= most && fabsf(a[1] - b[1]) <= most && fabsf(a[2] - b[2]) <= most;
}

// Gives a vertex, and those at its place, the mean of their normals.
static void average(const smoother *s, vertex *const *around, uint32_t count, uint32_t first) {
    const bsp_draw_vert *verts = s->own->map->draw_verts;
    const float *own = verts[around[first]->number].normal;
    uint32_t taken[MOST];
    uint32_t votes[MOST];
    uint32_t num_taken = 0;
    uint32_t num_votes = 0;
    float sum[3] = {0, 0, 0};
    for (uint32_t n = first; n < count && num_taken < MOST; n++) {
        const float *normal = verts[around[n]->number].normal;
        float angle = fminf(around[first]->angle, around[n]->angle);
        double cosine = fmin(1, fmax(-1, (double)bspi_dot(own, normal)));
        uint32_t k = 0;
        if (around[n]->done || !((float)acos(cosine) + HARDLY < angle)) {
            continue;
        }
        around[n]->done = true;
        taken[num_taken++] = around[n]->number;
        while (k < num_votes && !equal(normal, verts[votes[k]].normal, SAME_NORMAL)) {
            k++;
        }
        if (k == num_votes) {
            votes[num_votes++] = around[n]->number;
            for (int i = 0; i < 3; i++) {
                sum[i] += normal[i];
            }
        }
    }
    if (num_taken >= 2 && bspi_normalize(sum) > 0) {
        for (uint32_t n = 0; n < num_taken; n++) {
            memcpy(s->normals[taken[n]], sum, sizeof sum);
        }
    }
}

static bool smooth(const smoother *s, vertex **around, bsp_error *error) {
    bool done = true;
    for (uint32_t n = 0; done && n < s->count; n++) {
        uint32_t count = 0;
        uint32_t end = n;
        for (; end < s->count && s->list[end].point[0] - s->list[n].point[0] <= SAME_PLACE; end++) {
            if (!s->list[end].done && equal(s->list[n].point, s->list[end].point, SAME_PLACE)) {
                around[count++] = &s->list[end];
            }
        }
        qsort(around, count, sizeof *around, by_number);
        for (uint32_t first = 0; done && first < count; first++) {
            if (!around[first]->done) {
                average(s, around, count, first);
                around[first]->done = true;
                done = bspi_heap_work(&s->own->heap, 1 + count / 4, error);
            }
        }
        done = done && bspi_heap_work(&s->own->heap, 1 + (end - n) / 8, error);
    }
    return done;
}

// Lists the vertices of flat surfaces and patches, in the world.
static bool list_vertices(smoother *s, float degrees, bsp_error *error) {
    const bsp_map *map = s->own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        const float *origin = s->own->models[s->own->face_models[f]].origin;
        const float said = bspi_drawn_of(s->own, f)->angle;
        const float angle = fminf(180, said > 0 ? said : degrees) * RADIANS;
        bool sound = (uint64_t)face->first_vert + face->num_verts <= map->num_draw_verts &&
                     (face->type == BSP_FACE_POLYGON || face->type == BSP_FACE_PATCH);
        if (!bspi_heap_work(&s->own->heap, sound ? 1 + face->num_verts : 1, error)) {
            return false; // faces may share what is nowhere
        }
        for (uint32_t n = 0; sound && n < face->num_verts && s->count < map->num_draw_verts; n++) {
            vertex *v = &s->list[s->count];
            *v = (vertex){.angle = angle, .number = face->first_vert + n};
            for (int i = 0; i < 3; i++) {
                v->point[i] = map->draw_verts[v->number].point[i] + origin[i];
            }
            s->count += isfinite(v->point[0] + v->point[1] + v->point[2]) ? 1 : 0;
        }
    }
    qsort(s->list, s->count, sizeof *s->list, compare);
    return true;
}

// Is any surface to be round?
static bool any_angle(const bspi_relight *own, float degrees) {
    bool any = degrees > 0;
    bool shaders = own->drawn->told.shade && own->drawn->materials != NULL;
    for (uint32_t m = 0; !any && shaders && m < own->map->num_materials; m++) {
        any = own->drawn->materials[m].angle > 0;
    }
    return any;
}

bool bspi_drawn_smooth(bspi_relight *own, float degrees, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->num_draw_verts * sizeof(vertex);
    size_t room = map->num_draw_verts * sizeof(vertex *);
    smoother s = {.own = own};
    if (!any_angle(own, degrees)) {
        return true;
    }
    s.normals = bspi_arena_raw(&own->arena, map->num_draw_verts, sizeof *s.normals, error);
    s.list = bspi_heap_alloc(&own->heap, size, error);
    vertex **around = bspi_heap_alloc(&own->heap, room, error);
    bool done = s.normals != NULL && s.list != NULL && around != NULL;
    for (uint32_t n = 0; done && n < map->num_draw_verts; n++) {
        memcpy(s.normals[n], map->draw_verts[n].normal, sizeof *s.normals);
    }
    if (done) {
        done = list_vertices(&s, degrees, error) &&
               bspi_heap_work(&own->heap, 1 + 4 * (uint64_t)s.count, error) &&
               smooth(&s, around, error);
        own->drawn->normals = s.normals;
    }
    bspi_heap_free(&own->heap, around, room);
    bspi_heap_free(&own->heap, s.list, size);
    return done;
}
