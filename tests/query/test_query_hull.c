// SPDX-License-Identifier: MIT
// Traces through the hulls of Quake and GoldSrc, held to the bit against the engines' recursion
// over the map's own records (SV_RecursiveHullCheck): one call a node, the contents of the far side
// asked for before it is entered.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define TRACES 4000
#define EMPTY (-1)
#define SOLID (-2)

typedef struct hull {
    const bsp_map *map;
    uint32_t number; // 0: the drawing tree
    int32_t root;
    bsp_trace_result *result;
} hull;

static int32_t as_contents(const hull *h, int32_t child) {
    if (h->number != 0 || child >= 0) {
        return child;
    }
    int32_t contents = h->map->leaves[-1 - child].contents;
    return contents < 0 ? contents : EMPTY;
}

static const bsp_plane *plane_of(const hull *h, int32_t node) {
    uint32_t number = h->number == 0 ? h->map->nodes[node].plane : h->map->clipnodes[node].plane;
    return &h->map->planes[number];
}

static int32_t child_of(const hull *h, int32_t node, int side) {
    return h->number == 0 ? as_contents(h, h->map->nodes[node].children[side])
                          : h->map->clipnodes[node].children[side];
}

static float distance(const bsp_plane *plane, const float p[3]) {
    if (plane->type >= 0 && plane->type < 3) {
        return p[plane->type] - plane->dist;
    }
    double sum = (double)plane->normal[0] * (double)p[0] + (double)plane->normal[1] * (double)p[1] +
                 (double)plane->normal[2] * (double)p[2];
    return (float)(sum - (double)plane->dist);
}

static int32_t contents_at(const hull *h, int32_t node, const float p[3]) {
    while (node >= 0) {
        node = child_of(h, node, distance(plane_of(h, node), p) < 0);
    }
    return node;
}

static float lerp(float from, float to, float part, float out[3], const float p1[3],
                  const float p2[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = p1[i] + part * (p2[i] - p1[i]);
    }
    return from + (to - from) * part;
}

static void hit(const hull *h, const bsp_plane *plane, bool back) {
    for (int i = 0; i < 3; i++) {
        h->result->normal[i] = back ? 0 - plane->normal[i] : plane->normal[i];
    }
    h->result->dist = back ? -plane->dist : plane->dist;
    h->result->plane = (uint32_t)(plane - h->map->planes);
}

static bool check(const hull *h, int32_t node, float f1, float f2, const float p1[3],
                  const float p2[3]) {
    if (node < 0) {
        h->result->all_solid = h->result->all_solid && node == SOLID;
        h->result->start_solid = h->result->start_solid || node == SOLID;
        return true;
    }
    const bsp_plane *plane = plane_of(h, node);
    float t1 = distance(plane, p1);
    float t2 = distance(plane, p2);
    if ((t1 >= 0 && t2 >= 0) || (t1 < 0 && t2 < 0)) {
        return check(h, child_of(h, node, t1 < 0), f1, f2, p1, p2);
    }
    float part = (t1 < 0 ? t1 + 0.03125f : t1 - 0.03125f) / (t1 - t2);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    float middle[3];
    float f = lerp(f1, f2, part, middle, p1, p2);
    bool back = t1 < 0;
    if (!check(h, child_of(h, node, back), f1, f, p1, middle)) {
        return false;
    }
    if (contents_at(h, child_of(h, node, !back), middle) != SOLID) {
        return check(h, child_of(h, node, !back), f, f2, middle, p2);
    }
    if (h->result->all_solid) {
        return false;
    }
    hit(h, plane, back);
    while (contents_at(h, h->root, middle) == SOLID) {
        part -= 0.1f;
        if (part < 0) {
            break;
        }
        f = lerp(f1, f2, part, middle, p1, p2);
    }
    h->result->fraction = f;
    memcpy(h->result->end, middle, sizeof middle);
    return false;
}

static void trace(const bsp_map *map, const bsp_trace_input *in, bsp_trace_result *r) {
    memset(r, 0, sizeof *r);
    r->fraction = 1;
    r->all_solid = true;
    r->plane = r->brush = r->side = r->face = r->entity = BSP_NONE;
    memcpy(r->end, in->end, sizeof r->end);
    hull h = {.map = map, .number = in->hull - 1, .result = r};
    h.root = as_contents(&h, map->models[in->model].headnodes[h.number]);
    check(&h, h.root, 0, 1, in->start, in->end);
    r->contents = r->fraction < 1 || r->start_solid ? SOLID : 0;
}

static float between(test_random *random, float low, float high) {
    return low + (float)(random_u32(random) >> 8) / 16777216.0f * (high - low);
}

// Whole numbers and coordinates on planes are common: there the least difference shows.
static void choose_point(test_random *random, const bsp_map *map, uint32_t model, float out[3]) {
    const bsp_model *m = &map->models[model];
    for (int i = 0; i < 3; i++) {
        out[i] = between(random, m->mins[i] - 32, m->maxs[i] + 32);
        out[i] = random_below(random, 4) == 0 ? (float)(int)out[i] : out[i];
    }
    const bsp_plane *plane = &map->planes[random_below(random, map->num_planes)];
    if (random_below(random, 2) == 0 && plane->type >= 0 && plane->type < 3) {
        out[plane->type] = plane->dist;
    }
    if (random_below(random, 16) == 0) {
        out[random_below(random, 3)] = -0.0f;
    }
}

static void choose(test_random *random, const bsp_map *map, bsp_trace_input *in) {
    memset(in, 0, sizeof *in);
    in->model = random_below(random, 3) == 0 ? (uint32_t)random_below(random, map->num_models) : 0;
    in->hull = 1 + (uint32_t)random_below(random, map->num_clipnodes == 0 ? 1 : 4);
    choose_point(random, map, in->model, in->start);
    choose_point(random, map, in->model, in->end);
    for (int i = 0; i < 3; i++) {
        size_t how = random_below(random, 6);
        in->end[i] = how == 0   ? in->start[i]
                     : how == 1 ? in->start[i] + between(random, -64, 64)
                                : in->end[i];
    }
}

// Compares all but padding; of 0 and -0, either is right.
static void check_result(const char *path, const bsp_trace_input *in,
                         const bsp_trace_result *result, const bsp_trace_result *expected) {
    bsp_trace_result ours = *result;
    bsp_trace_result theirs = *expected;
    for (int k = 0; k < 3; k++) {
        ours.end[k] += 0.0f, theirs.end[k] += 0.0f, theirs.normal[k] += 0.0f;
        ours.normal[k] += 0.0f;
    }
    ours.dist += 0.0f, theirs.dist += 0.0f;
    if (memcmp(&ours, &theirs, offsetof(bsp_trace_result, start_solid)) != 0 ||
        ours.start_solid != theirs.start_solid || ours.all_solid != theirs.all_solid) {
        fail_msg("%s: hull %u of model %u: %.9g %.9g %.9g -> %.9g %.9g %.9g: %.9g, not %.9g", path,
                 in->hull - 1, in->model, (double)in->start[0], (double)in->start[1],
                 (double)in->start[2], (double)in->end[0], (double)in->end[1], (double)in->end[2],
                 (double)ours.fraction, (double)theirs.fraction);
    }
}

// One by one, and all in one call.
static void check_map(const char *path, const bsp_map *map, int *traces) {
    static bsp_trace_input inputs[TRACES];
    static bsp_trace_result together[TRACES];
    bsp_error error = {0};
    if (!map->traits->contents_numbers || map->num_nodes == 0 || map->num_planes == 0) {
        return;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, &error);
    assert_non_null(index);
    test_random random = {4711};
    for (int i = 0; i < TRACES; i++) {
        choose(&random, map, &inputs[i]);
    }
    bsp_trace_batch(index, inputs, together, TRACES);
    for (int i = 0; i < TRACES; i++) {
        bsp_trace_result alone, theirs;
        trace(map, &inputs[i], &theirs);
        bsp_trace(index, &inputs[i], &alone);
        check_result(path, &inputs[i], &alone, &theirs);
        check_result(path, &inputs[i], &together[i], &alone);
    }
    *traces += TRACES;
    bsp_trace_index_free(index);
}

static void one_map(const each_map *m, void *user) {
    check_map(m->name, m->map, user);
}

static void test_hulls(void **state) {
    (void)state;
    int traces = 0;
    (void)each_map_do_some(test_step(4), one_map, &traces);
    assert_true(traces > 0);
}

// Some children become nodes that others have too, as compilers make them that merge equal nodes:
// then a node does not tell where it is.
static void test_shared_nodes(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/goldsrc/lobby.bsp", NULL, NULL);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_map changed = *map;
    bsp_clipnode *nodes = calloc(map->num_clipnodes, sizeof *nodes);
    assert_non_null(nodes);
    memcpy(nodes, map->clipnodes, map->num_clipnodes * sizeof *nodes);
    changed.clipnodes = nodes;
    test_random random = {12};
    int traces = 0;
    for (int k = 0; k < 12; k++) {
        uint32_t node = (uint32_t)random_below(&random, map->num_clipnodes - 1);
        uint32_t later = node + 1;
        later += (uint32_t)random_below(&random, map->num_clipnodes - later);
        nodes[node].children[k % 2] = (int32_t)later;
        check_map("shared nodes", &changed, &traces);
    }
    assert_int_equal(traces, 12 * TRACES);
    free(nodes);
    bsp_map_free(map);
    bsp_file_close(file);
}

#define CHAIN 70000

// A damaged map can have a tree that is deeper than traces go: each gives up at the same place
// whether it is alone or one of many.
static void test_deep_tree(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/goldsrc/lobby.bsp", NULL, NULL);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_plane planes[] = {{.normal = {1, 0, 0}, .dist = 1e6f, .type = 0},
                          {.normal = {0.6f, 0.8f, 0}, .dist = 1e6f, .type = 3},
                          {.normal = {1, 0, 0}, .dist = 0, .type = 0}};
    bsp_map changed = *map;
    bsp_model model = map->models[0];
    bsp_clipnode *nodes = calloc(CHAIN, sizeof *nodes);
    assert_non_null(nodes);
    changed.planes = planes;
    changed.num_planes = sizeof planes / sizeof *planes;
    changed.clipnodes = nodes;
    changed.num_clipnodes = CHAIN;
    changed.models = &model;
    changed.num_models = 1;
    changed.num_nodes = 0;
    for (int k = 1; k < BSP_MAX_HULLS; k++) {
        model.headnodes[k] = 0;
    }
    for (uint32_t sloping = 0; sloping < 2; sloping++) {
        for (int32_t i = 0; i < CHAIN; i++) {
            int32_t next = i + 1 < CHAIN ? i + 1 : SOLID;
            nodes[i] = (bsp_clipnode){.plane = i < 12 ? 2 : sloping, .children = {next, next}};
        }
        bsp_trace_index *index = bsp_trace_index_new(&changed, NULL, NULL);
        assert_non_null(index);
        bsp_trace_input inputs[100] = {0};
        bsp_trace_result together[100] = {0};
        for (int i = 0; i < 100; i++) {
            inputs[i].hull = 2;
            inputs[i].start[0] = (float)(i - 50);
            inputs[i].end[0] = (float)(i % 7) * 4;
        }
        bsp_trace_batch(index, inputs, together, 100);
        for (int i = 0; i < 100; i++) {
            bsp_trace_result alone;
            bsp_trace(index, &inputs[i], &alone);
            check_result("deep tree", &inputs[i], &together[i], &alone);
        }
        bsp_trace_index_free(index);
    }
    free(nodes);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hulls),
                                       cmocka_unit_test(test_shared_nodes),
                                       cmocka_unit_test(test_deep_tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
