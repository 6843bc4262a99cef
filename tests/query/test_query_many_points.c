// SPDX-License-Identifier: MIT
// Leaves and contents of many points. After many questions a map answers from a compact copy of its
// trees: each answer is that of the engines' walks over the map's own records, in any tree, without
// memory for the copy, and for several threads that begin at once.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/alloc.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define POINTS 6000 // several times as many as the copy is made after
#define FIRST 3000  // and certainly after so many
#define THREADS 4
#define SAMPLE BSP_TEST_SAMPLES "/quake3/lobby.bsp"

// --- the engines' walks -------------------------------------------------------------------------

static float distance(const bsp_plane *plane, const float p[3]) {
    return plane->type >= 0 && plane->type < 3 ? p[plane->type] - plane->dist
                                               : plane->normal[0] * p[0] + plane->normal[1] * p[1] +
                                                     plane->normal[2] * p[2] - plane->dist;
}

// `behind`: a point on a plane belongs to its back side (Mod_PointInLeaf).
static uint32_t leaf_of(const bsp_map *map, uint32_t model, const float p[3], bool behind) {
    int32_t at = map->models[model].headnodes[0];
    while (at >= 0) {
        float d = distance(&map->planes[map->nodes[at].plane], p);
        at = map->nodes[at].children[(behind ? !(d > 0) : d < 0) ? 1 : 0];
    }
    return (uint32_t)(-1 - at);
}

static bool holds(const bsp_map *map, const bsp_brush *brush, const float p[3]) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_plane *plane = &map->planes[map->brush_sides[brush->first_side + i].plane];
        float dot = plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2];
        if (dot > plane->dist) {
            return false;
        }
    }
    return brush->num_sides != 0;
}

static int32_t contents_at(const bsp_map *map, uint32_t model, const float p[3]) {
    const bsp_leaf *leaf = &map->leaves[leaf_of(map, model, p, false)];
    int32_t contents = leaf->contents;
    bool listed = map->branch->family == BSP_QUAKE3 || map->branch->family == BSP_SOURCE;
    for (uint32_t i = 0; listed && i < leaf->num_brushes; i++) {
        const bsp_brush *brush = &map->brushes[map->leaf_brushes[leaf->first_brush + i]];
        contents |= holds(map, brush, p) ? brush->contents : 0;
    }
    return contents;
}

// --- questions ----------------------------------------------------------------------------------

static float between(test_random *random, float low, float high) {
    return low + (float)(random_u32(random) >> 8) / 16777216.0f * (high - low);
}

static void move_to(float p[3], const bsp_plane *plane) {
    float d = plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2];
    for (int i = 0; i < 3; i++) {
        p[i] += plane->normal[i] * (plane->dist - d);
    }
}

// Anywhere, on planes of nodes, on sides of brushes, where three planes meet; some of no place.
static void choose_point(test_random *random, const bsp_map *map, uint32_t model, float p[3]) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -3e38f, -0.0f, 1e6f};
    const bsp_model *m = &map->models[model];
    size_t how = random_below(random, 4);
    for (int i = 0; i < 3; i++) {
        p[i] = between(random, m->mins[i] - 32, m->maxs[i] + 32);
        p[i] = random_below(random, 4) == 0 ? roundf(p[i]) : p[i];
    }
    for (size_t i = 0; i < how; i++) {
        move_to(p, &map->planes[map->nodes[random_below(random, map->num_nodes)].plane]);
    }
    if (map->num_brushes != 0 && random_below(random, 3) == 0) {
        const bsp_brush *brush = &map->brushes[random_below(random, map->num_brushes)];
        for (size_t i = 0; i <= how && brush->num_sides != 0; i++) {
            size_t side = brush->first_side + random_below(random, brush->num_sides);
            move_to(p, &map->planes[map->brush_sides[side].plane]);
        }
    }
    if (random_below(random, 40) == 0) {
        p[random_below(random, 3)] = odd[random_below(random, sizeof odd / sizeof *odd)];
    }
}

// Asks the map, and its index if there is one.
static void ask(const char *name, const bsp_map *map, const bsp_trace_index *index, uint64_t seed,
                unsigned count) {
    test_random random = {seed};
    for (unsigned i = 0; i < count; i++) {
        float p[3];
        bool world = map->traits->model_runs || random_below(&random, 4) != 0;
        uint32_t model = world ? 0 : (uint32_t)random_below(&random, map->num_models);
        choose_point(&random, map, model, p);
        uint32_t leaf = leaf_of(map, 0, p, map->traits->contents_numbers);
        int32_t contents = contents_at(map, model, p);
        bool right =
            bsp_query_leaf(map, p) == leaf && bsp_query_contents(map, model, p) == contents;
        right = right && (index == NULL || (bsp_trace_leaf(index, p) == leaf &&
                                            bsp_trace_contents(index, model, p) == contents));
        if (!right) {
            fail_msg("%s: question %u: %.9g %.9g %.9g of model %u", name, i, (double)p[0],
                     (double)p[1], (double)p[2], model);
        }
    }
}

static bool can_ask(const bsp_map *map) {
    return map->num_nodes != 0 && map->num_models != 0 && map->num_planes != 0;
}

static void one_map(const each_map *m, void *user) {
    if (can_ask(m->map)) {
        bsp_trace_index *index = bsp_trace_index_new(m->map, NULL, NULL);
        ask(m->name, m->map, index, 4711, test_effort(2 * FIRST) + FIRST);
        bsp_trace_index_free(index);
        ++*(int *)user;
    }
}

static void test_maps(void **state) {
    (void)state;
    int maps = 0;
    (void)each_map_do_some(test_step(4), one_map, &maps);
    assert_true(maps > 0);
}

// --- trees that no compiler makes ---------------------------------------------------------------

static bsp_map *load(const char *path, bsp_file **file, const bsp_map_options *options) {
    *file = bsp_file_open(path, NULL, NULL);
    assert_non_null(*file);
    bsp_map *map = bsp_map_load(*file, options, NULL);
    assert_non_null(map);
    assert_true(can_ask(map));
    return map;
}

// Gives each node two children after it, some of them shared, or leaves: chains where `near` is 1,
// flat trees where it is large.
static void scramble(const bsp_map *map, test_random *random, size_t near) {
    bsp_node *nodes = (bsp_node *)(uintptr_t)map->nodes;
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        for (int side = 0; side < 2; side++) {
            size_t child = i + 1 + random_below(random, near);
            bool leaf = child >= map->num_nodes || random_below(random, 4) == 0;
            nodes[i].children[side] =
                leaf ? -1 - (int32_t)random_below(random, map->num_leaves) : (int32_t)child;
        }
        nodes[i].maxs[0] = random_below(random, 9) == 0 ? NAN : nodes[i].maxs[0];
    }
}

static void test_trees(void **state) {
    (void)state;
    test_random random = {815};
    for (size_t near = 1; near <= 64; near *= 2) {
        bsp_file *file;
        bsp_map *map = load(SAMPLE, &file, NULL);
        scramble(map, &random, near);
        ask("a tree of the test", map, NULL, 4711 + near, POINTS);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

// --- memory -------------------------------------------------------------------------------------

static void test_memory(void **state) {
    (void)state;
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_meter meter = {0};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_map_options options = {.size = sizeof options, .allocator = &allocator};
        bsp_file *file;
        bsp_map *map = load(SAMPLE, &file, &options);
        uint64_t before = meter.requests;
        meter.fail_at = before + n;
        ask("without memory", map, NULL, 99, FIRST);
        assert_true(meter.requests > before); // a copy is made
        refused = meter.requests >= meter.fail_at;
        assert_true(n > 1 || refused);
        bsp_map_free(map);
        bsp_file_close(file);
        assert_false(meter.wrong);
        assert_true(meter.live == 0);
    }
}

// --- what a program changes ---------------------------------------------------------------------

static void test_changed(void **state) {
    (void)state;
    bsp_file *file;
    bsp_map *map = load(SAMPLE, &file, NULL);
    ask("before", map, NULL, 7, POINTS);
    bsp_map other = *map; // with an other tree: only its first node
    bsp_node root = map->nodes[0];
    root.children[0] = -1;
    root.children[1] = -2;
    other.nodes = &root;
    other.num_nodes = 1;
    ask("a copy of the structure", &other, NULL, 8, POINTS);
    *map = other;
    ask("the structure itself", map, NULL, 9, POINTS);
    bsp_map_free(map);
    bsp_file_close(file);
}

// --- threads ------------------------------------------------------------------------------------

static void *ask_many(void *user) {
    const bsp_map *map = user;
    for (uint32_t i = 0; i < POINTS; i++) {
        float p[3] = {(float)(i % 61) * 16 - 480, (float)(i % 53) * 16 - 400, (float)(i % 17) * 16};
        if (bsp_query_leaf(map, p) != leaf_of(map, 0, p, map->traits->contents_numbers)) {
            return user;
        }
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    bsp_file *file;
    bsp_map *map = load(SAMPLE, &file, NULL);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_many, map), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),    cmocka_unit_test(test_trees),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_changed),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
