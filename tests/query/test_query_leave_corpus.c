// SPDX-License-Identifier: MIT
// Traces of Source that start in brushes against the engine's way of doing it, written down as
// directly as can be: down the tree by recursion, each brush once, and what is known so far decides
// what the next brush means. And traces near corners, with boxes of any size, against the same
// index without its short cuts: a brush that no leaf lists is not left, and a box may be deep in
// the planes of a brush that it does not touch. Samples, and the corpus where it is there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "query/index.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define FULL_TRACES 20000u
#define FULL_SEARCHES 3000u // with the plain test of every brush
#define EPSILON 0.03125f
#define LIMIT 1e-4

typedef struct way {
    const bsp_map *map;
    uint8_t *asked; // each brush
    float start[3], end[3], half[3];
    bool point;
    float fraction, left;
    bool start_solid, all_solid;
} way;

typedef struct totals {
    unsigned maps, traces, stuck, off, searched, unlike;
} totals;

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float reach_of(const way *w, const float normal[3]) {
    return fabsf(normal[0]) * w->half[0] + fabsf(normal[1]) * w->half[1] +
           fabsf(normal[2]) * w->half[2];
}

static void ask_brush(way *w, const bsp_brush *brush) {
    float enter = -1, leave = 1;
    bool start_out = false, end_out = false;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_brush_side *side = &w->map->brush_sides[brush->first_side + i];
        const bsp_plane *plane = &w->map->planes[side->plane];
        if (w->point && side->bevel != 0) {
            continue;
        }
        float dist = plane->dist + reach_of(w, plane->normal);
        float a = dot(plane->normal, w->start) - dist, b = dot(plane->normal, w->end) - dist;
        start_out = start_out || a > 0;
        end_out = end_out || b > 0;
        if (a > 0 && b > 0) {
            return;
        }
        if (a > 0) {
            enter = fmaxf(enter, fmaxf(a - EPSILON, 0) / (a - b));
        } else if (b > 0) {
            leave = fminf(leave, (a + EPSILON) / (a - b));
        }
    }
    if (start_out && enter >= w->left) {
        w->fraction = enter < leave && enter < w->fraction ? enter : w->fraction;
        return;
    }
    w->start_solid = true;
    if (!end_out) {
        w->all_solid = true;
        w->fraction = 0;
        w->left = 1;
    } else if (leave != 1 && leave > w->left) {
        w->left = leave;
        w->fraction = w->fraction <= leave ? 1 : w->fraction;
    }
}

static void between(const float a[3], const float b[3], float part, float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + part * (b[i] - a[i]);
    }
}

// The piece from a to b, which is the part from `first` to `last` of the way.
static void go(way *w, int32_t number, float first, float last, const float a[3],
               const float b[3]) {
    if (w->fraction <= first) {
        return;
    }
    if (number < 0) {
        const bsp_leaf *leaf = &w->map->leaves[-1 - number];
        for (uint32_t i = 0; i < leaf->num_brushes && w->fraction > 0; i++) {
            uint32_t brush = w->map->leaf_brushes[leaf->first_brush + i];
            bool known = w->asked[brush] != 0;
            w->asked[brush] = 1;
            if (!known && (w->map->brushes[brush].contents & 1) != 0) {
                ask_brush(w, &w->map->brushes[brush]);
            }
        }
        return;
    }
    const bsp_node *node = &w->map->nodes[number];
    const bsp_plane *plane = &w->map->planes[node->plane];
    float reach = reach_of(w, plane->normal);
    float d1 = dot(plane->normal, a) - plane->dist, d2 = dot(plane->normal, b) - plane->dist;
    if ((d1 > reach && d2 > reach) || (d1 < -reach && d2 < -reach)) {
        go(w, node->children[d1 < 0], first, last, a, b);
        return;
    }
    bool back = d1 < d2;
    float wide = (back ? -1.0f : 1.0f) * (reach + EPSILON);
    float near = d1 == d2 ? 1 : fminf(fmaxf((d1 + wide) / (d1 - d2), 0), 1);
    float far = d1 == d2 ? 0 : fminf(fmaxf((d1 - wide) / (d1 - d2), 0), 1);
    float middle[3];
    between(a, b, near, middle);
    go(w, node->children[back], first, first + (last - first) * near, a, middle);
    between(a, b, far, middle);
    go(w, node->children[!back], first + (last - first) * far, last, middle, b);
}

static void check_trace(const each_map *m, const bsp_trace_index *index, way *w, totals *t) {
    bsp_trace_input in = {.mask = 1};
    bsp_trace_result r;
    for (int i = 0; i < 3; i++) {
        in.start[i] = w->start[i];
        in.end[i] = w->end[i];
        in.maxs[i] = w->half[i];
        in.mins[i] = -w->half[i];
    }
    bsp_trace(index, &in, &r);
    t->traces++;
    if (!r.start_solid) {
        return;
    }
    memset(w->asked, 0, m->map->num_brushes);
    w->fraction = 1;
    w->left = 0;
    w->start_solid = w->all_solid = false;
    go(w, m->map->models[0].headnodes[0], 0, 1, w->start, w->end);
    bool same = w->start_solid && w->all_solid == r.all_solid &&
                fabs((double)(w->fraction - r.fraction)) <= LIMIT &&
                fabs((double)(w->left - r.left_solid)) <= LIMIT;
    t->stuck++;
    t->off += !same;
}

// A number from -1 to 1.
static float around(test_random *random) {
    return (float)(random_u32(random) >> 8) / 8388608.0f - 1;
}

// Compares with a walk that leaves the whole way out to the engine's order.
static void check_searches(const bsp_map *map, const bsp_trace_index *index, totals *t) {
    static const float sizes[] = {0, 4, 40, 160};
    static const uint32_t masks[] = {0, 0x10001, 0x20, UINT32_MAX};
    test_random random = {32};
    for (unsigned i = 0; i < test_effort(FULL_SEARCHES); i++) {
        bsp_trace_input in = {.mask = masks[random_u32(&random) % 4]};
        bsp_trace_result fast, searched;
        float size = sizes[random_u32(&random) % 4];
        uint32_t vertex = map->num_vertices == 0 ? 0 : random_u32(&random) % map->num_vertices;
        for (int k = 0; k < 3; k++) {
            float at = map->num_vertices == 0 ? 0 : map->vertices[vertex].point[k];
            in.start[k] = at + around(&random) * (i % 2 == 0 ? 4 : 48);
            in.end[k] = in.start[k] + around(&random) * (i % 3 == 0 ? 4096 : 64);
            in.mins[k] = -size * fabsf(around(&random));
            in.maxs[k] = size * fabsf(around(&random));
        }
        bsp_trace(index, &in, &fast);
        if (fast.start_solid) {
            bspi_trace_with(index, &bspi_tracer_plain, &in, &searched);
            t->unlike += memcmp(&fast, &searched, sizeof fast) != 0;
            t->searched++;
        }
    }
}

static void check_map(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    totals *t = user;
    if (map->branch->family != BSP_SOURCE || map->num_models == 0 || map->num_nodes == 0) {
        return;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    assert_non_null(index);
    check_searches(map, index, t);
    if (!each_map_has_bodies(m)) {
        bsp_trace_index_free(index);
        return;
    }
    way w = {.map = map, .asked = test_calloc((size_t)map->num_brushes + 1, 1)};
    test_random random = {31};
    for (unsigned i = 0; i < test_effort(FULL_TRACES); i++) {
        w.point = i % 2 == 0;
        for (int k = 0; k < 3; k++) {
            float low = map->models[0].mins[k], size = map->models[0].maxs[k] - low;
            w.start[k] = low + size * (float)(random_u32(&random) >> 8) / 16777216.0f;
            float step = (float)(random_u32(&random) >> 8) / 16777216.0f - 0.5f;
            w.end[k] = w.start[k] + step * (i % 3 == 0 ? size : 512);
            w.half[k] = w.point ? 0 : k == 2 ? 36 : 16;
        }
        check_trace(m, index, &w, t);
    }
    t->maps++;
    test_free(w.asked);
    bsp_trace_index_free(index);
}

static void test_leave(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do(check_map, &t);
    print_message("%u maps (%u in the corpus): %u traces, %u start in solid, %u differ; "
                  "%u near corners, %u differ\n",
                  t.maps, corpus, t.traces, t.stuck, t.off, t.searched, t.unlike);
    assert_true(t.stuck != 0 && t.searched != 0);
    assert_true((uint64_t)t.off * 1000 <= t.stuck);
    assert_int_equal(t.unlike, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
