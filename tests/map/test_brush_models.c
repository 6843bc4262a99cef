// SPDX-License-Identifier: MIT
// Which model has each brush, in small maps that are written here: by runs, by trees, where no leaf
// refers to a brush, and where trees share what they should not.
#include "bspkit/formats.h"
#include "map/brush_models.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define BRUSHES 6u

typedef struct scratch {
    bspi_heap heap;
    bspi_arena arena;
    bspi_meter meter;
    bsp_error error;
} scratch;

static void begin(scratch *s) {
    s->error = (bsp_error){0};
    bspi_heap_init(&s->heap, NULL, 0);
    bspi_arena_init(&s->arena, &s->heap);
    s->meter = (bspi_meter){.heap = &s->heap, .error = &s->error};
}

static void expect(const bsp_map *map, const uint32_t wanted[BRUSHES]) {
    scratch s;
    begin(&s);
    const uint32_t *models = bspi_brush_models(map, &s.arena, &s.meter);
    assert_non_null(models);
    for (uint32_t i = 0; i < BRUSHES; i++) {
        assert_int_equal(models[i], wanted[i]);
    }
    bspi_arena_free(&s.arena);
}

// The world's leaf lists brush 0; the tree of model 1 lists 2 and 4. Brushes 1, 3 and 5 are in no
// leaf.
static const bsp_brush brushes[BRUSHES];
static const uint32_t leaf_brushes[] = {0, 2, 4};
static const bsp_leaf leaves[] = {{.first_brush = 0, .num_brushes = 1},
                                  {.first_brush = 1, .num_brushes = 1},
                                  {.first_brush = 2, .num_brushes = 1}};

static bsp_map tree_map(const bsp_node *nodes, uint32_t num_nodes, const bsp_model *models) {
    return (bsp_map){.traits = bsp_branch_traits(bsp_branch_find("source_20")),
                     .brushes = brushes,
                     .num_brushes = BRUSHES,
                     .leaf_brushes = leaf_brushes,
                     .num_leaf_brushes = 3,
                     .leaves = leaves,
                     .num_leaves = 3,
                     .nodes = nodes,
                     .num_nodes = num_nodes,
                     .models = models,
                     .num_models = 2};
}

static void test_trees(void **state) {
    (void)state;
    static const bsp_node nodes[] = {{.children = {-1, -1}}, {.children = {-2, -3}}};
    static const bsp_model models[] = {{.headnodes = {0}}, {.headnodes = {1}}};
    const bsp_map map = tree_map(nodes, 2, models);
    expect(&map, (const uint32_t[]){0, 0, 1, 1, 1, 1});
}

static void test_shared(void **state) {
    (void)state;
    // What two models share belongs to the first.
    static const bsp_node nodes[] = {{.children = {-1, 1}}, {.children = {-2, -3}}};
    static const bsp_model models[] = {{.headnodes = {0}}, {.headnodes = {1}}};
    const bsp_map map = tree_map(nodes, 2, models);
    expect(&map, (const uint32_t[]){0, 0, 0, 0, 0, 0});
}

static void test_runs(void **state) {
    (void)state;
    // In Quake 3 a model without brushes has none, and its tree is no tree.
    static const bsp_node nodes[] = {{.children = {-1, -1}}, {.children = {-2, -3}}};
    static const bsp_model models[] = {{.first_brush = 0, .num_brushes = 2},
                                       {.first_brush = 2, .num_brushes = 3}};
    static const bsp_model empty[] = {{.num_brushes = 1}, {.headnodes = {1}}};
    bsp_map map = tree_map(nodes, 2, models);
    map.traits = bsp_branch_traits(bsp_branch_find("quake3"));
    expect(&map, (const uint32_t[]){0, 0, 1, 1, 1, 1});
    map.models = empty;
    expect(&map, (const uint32_t[]){0, 0, 0, 0, 0, 0});
    map.num_models = 0;
    expect(&map, (const uint32_t[]){0, 0, 0, 0, 0, 0});
}

// A chain of 64 nodes whose two children are the next one has 2^64 ways down, and 64 nodes.
static void test_shared_branches(void **state) {
    (void)state;
    bsp_node nodes[64] = {{.children = {0}}};
    static const bsp_model models[] = {{.headnodes = {0}}, {.headnodes = {-2}}};
    for (int32_t i = 0; i < 64; i++) {
        nodes[i].children[0] = nodes[i].children[1] = i == 63 ? -1 : i + 1;
    }
    const bsp_map map = tree_map(nodes, 64, models);
    expect(&map, (const uint32_t[]){0, 0, 1, 1, 1, 1});
}

static void test_limit(void **state) {
    (void)state;
    static const bsp_node nodes[] = {{.children = {-1, -1}}, {.children = {-2, -3}}};
    static const bsp_model models[] = {{.headnodes = {0}}, {.headnodes = {1}}};
    const bsp_map map = tree_map(nodes, 2, models);
    scratch s;
    begin(&s);
    s.heap.work_limit = BRUSHES;
    assert_null(bspi_brush_models(&map, &s.arena, &s.meter));
    assert_int_equal(s.error.code, BSP_E_LIMIT);
    bspi_arena_free(&s.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_shared_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
