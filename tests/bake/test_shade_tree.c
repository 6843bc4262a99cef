// SPDX-License-Identifier: MIT
// Lines through the tree by the rules of q3map2: a room between two walls, x from 0 to 100. The
// plane of the first wall has the room before it, that of the second one has the wall before it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/shadows/shade_tree.h"

#include <math.h>
#include <string.h>

static const bsp_plane planes[] = {{.normal = {1, 0, 0}, .dist = 0},
                                   {.normal = {1, 0, 0}, .dist = 100}};
static const bsp_leaf leaves[] = {{.cluster = BSP_NONE}, {.cluster = 0}};
static const bsp_node nodes[] = {{.plane = 0, .children = {1, -1}},
                                 {.plane = 1, .children = {-1, -2}}};

static void make(const bsp_node *list, uint32_t num_nodes, const bspi_shade_triangle *triangles,
                 uint32_t count, bspi_heap *heap, bspi_shade_tree *out) {
    bsp_map map = {0};
    bsp_error error;
    map.planes = planes;
    map.num_planes = 2;
    map.leaves = leaves;
    map.num_leaves = 2;
    map.nodes = list;
    map.num_nodes = num_nodes;
    bspi_heap_init(heap, NULL, 0);
    assert_true(bspi_shade_tree_make(heap, &map, triangles, count, out, &error));
}

// Returns where a line goes into solid, or NAN.
static float at(float from, float to) {
    const float start[3] = {from, 0, 0};
    const float end[3] = {to, 50, 0};
    bspi_heap heap;
    bspi_shade_tree tree;
    bspi_shade_way way;
    way.steps = 0;
    make(nodes, 2, NULL, 0, &heap, &tree);
    float x = bspi_shade_walk(&tree, start, end, false, &way) ? way.solid[0] : NAN;
    assert_true(way.steps > 0 && way.steps <= 8 && way.num_leaves == 0);
    bspi_shade_tree_free(&heap, &tree);
    return x;
}

static bool is(float value, float wanted) {
    return fabsf(value - wanted) < 1e-4f;
}

static void test_room(void **state) {
    (void)state;
    assert_true(isnan(at(20, 80)));
    assert_true(is(at(40, -40), 0) && is(at(60, 140), 100));
    assert_true(is(at(10, -90), 0) && is(at(-20, 20), -20));
}

// Beside a wall: lines along it end where they begin if its solid is before its plane, and only
// then; lines away from it do not, and lines into it do.
static void test_beside(void **state) {
    (void)state;
    assert_true(isnan(at(0, 0)) && isnan(at(-0.05f, -0.05f)));
    assert_true(is(at(100, 100), 100) && is(at(99.95f, 99.95f), 99.95f));
    assert_true(isnan(at(99.5f, 99.5f)) && isnan(at(99.95f, 50)));
    assert_true(isnan(at(0.05f, 50)) && is(at(99.5f, 150), 100));
}

static bspi_shade_triangle triangle(float x, float y, float size) {
    bspi_shade_triangle t;
    memset(&t, 0, sizeof t);
    t.corner[0] = x;
    t.corner[1] = y;
    t.edges[0][0] = t.edges[1][1] = size; // level
    t.face = 7;
    return t;
}

// A triangle that reaches through a wall is cut there: its part in the room and that in the wall
// have its area together, and lines find the first one in the leaf of the room.
static void test_cut(void **state) {
    (void)state;
    const bspi_shade_triangle one = triangle(60, 0, 80); // until x = 140
    const float start[3] = {20, 0, 5};
    const float end[3] = {80, 1, 5};
    bspi_heap heap;
    bspi_shade_tree tree;
    bspi_shade_way way;
    float area = 0;
    way.steps = 0;
    make(nodes, 2, &one, 1, &heap, &tree);
    for (uint32_t n = 0; n < tree.num_triangles; n++) {
        const float *normal = tree.triangles[n].normal;
        assert_true(normal[0] == 0 && normal[1] == 0 && tree.triangles[n].face == 7);
        area += normal[2] / 2;
    }
    assert_true(is(area, 3200));
    assert_false(bspi_shade_walk(&tree, start, end, false, &way));
    assert_int_equal(way.num_leaves, 1);
    const bspi_shade_node *leaf = &tree.nodes[way.leaves[0]];
    for (area = 0; leaf->count != 0 && way.num_leaves != 0; way.num_leaves--) {
        for (uint32_t n = 0; n < leaf->count; n++) {
            area += tree.triangles[leaf->first + n].normal[2] / 2;
        }
    }
    assert_true(is(area, 3200 - 40 * 40 / 2)); // the corner behind x = 100 is in the wall
    bspi_shade_tree_free(&heap, &tree);
}

// A leaf with more than four triangles is divided, if it is long: here at the mean of the corners'
// x, (3 * 2 + 10) / 3 and so on in steps of 20, rounded down.
static void test_divided(void **state) {
    (void)state;
    bspi_shade_triangle many[5];
    bspi_heap heap;
    bspi_shade_tree tree;
    for (uint32_t n = 0; n < 5; n++) {
        many[n] = triangle(2 + 20 * (float)n, 0, 10);
    }
    make(nodes, 2, many, 4, &heap, &tree);
    uint32_t whole = tree.num_nodes;
    bspi_shade_tree_free(&heap, &tree);
    make(nodes, 2, many, 5, &heap, &tree);
    assert_int_equal(tree.num_nodes, whole + 2);
    bool found = false;
    for (uint32_t n = 2; n < tree.num_nodes; n++) {
        found = found || (!bspi_shade_is_leaf(&tree.nodes[n]) && tree.nodes[n].dist == 45 &&
                          tree.nodes[n].count >= 5);
    }
    assert_true(found); // 2 + 10 / 3 + 40 = 45.3
    bspi_shade_tree_free(&heap, &tree);
}

// What has no triangles below it is passed over by lines that look for the sky.
static void test_beyond(void **state) {
    (void)state;
    const float start[3] = {50, 0, 0};
    const float end[3] = {150, 0, 0};
    bspi_heap heap;
    bspi_shade_tree tree;
    bspi_shade_way way;
    way.steps = 0;
    make(nodes, 2, NULL, 0, &heap, &tree);
    assert_true(bspi_shade_walk(&tree, start, end, false, &way));
    assert_false(bspi_shade_walk(&tree, start, end, true, &way));
    bspi_shade_tree_free(&heap, &tree);
}

// A node below itself, leaves that are not there, a plane that is not, and triangles of no size.
static void test_hostile(void **state) {
    (void)state;
    const bsp_node round[] = {{.plane = 0, .children = {0, 0}}};
    const bsp_node adrift[] = {{.plane = UINT32_MAX, .children = {-1, -1}}};
    const bspi_shade_triangle bad[] = {triangle(0, 0, 0), triangle(NAN, 0, 1),
                                       triangle(0, 0, 1e30f), triangle(INFINITY, 0, 1)};
    const float start[3] = {-10, 0, 0};
    const float end[3] = {10, 0, 0};
    const bsp_node *const lists[] = {round, adrift, nodes, NULL};
    for (uint32_t n = 0; n < 4; n++) {
        bspi_heap heap;
        bspi_shade_tree tree;
        bspi_shade_way way;
        way.steps = 0;
        make(lists[n], lists[n] != NULL ? 1 : 0, bad, 4, &heap, &tree);
        assert_true(bspi_shade_walk(&tree, start, end, false, &way) == (lists[n] != NULL));
        bspi_shade_tree_free(&heap, &tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room),   cmocka_unit_test(test_beside),
        cmocka_unit_test(test_cut),    cmocka_unit_test(test_divided),
        cmocka_unit_test(test_beyond), cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
