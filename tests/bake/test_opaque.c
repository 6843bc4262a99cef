// SPDX-License-Identifier: MIT
// Lines through the tree by the rules of q3map2: a room between two walls, x from 0 to 100. The
// plane of the first wall has the room before it, that of the second one has the wall before it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/shadows/opaque.h"

#include <math.h>

static const bsp_plane planes[] = {{.normal = {1, 0, 0}, .dist = 0},
                                   {.normal = {1, 0, 0}, .dist = 100}};
static const bsp_leaf leaves[] = {{.cluster = BSP_NONE}, {.cluster = 0}};
static const bsp_node nodes[] = {{.plane = 0, .children = {1, -1}},
                                 {.plane = 1, .children = {-1, -2}}};

static float at(float from, float to) {
    bsp_map map = {0};
    map.planes = planes;
    map.num_planes = 2;
    map.leaves = leaves;
    map.num_leaves = 2;
    map.nodes = nodes;
    map.num_nodes = 2;
    const float start[3] = {from, 0, 0};
    const float end[3] = {to, 50, 0};
    uint64_t steps = 0;
    float share = bspi_opaque_at(&map, start, end, 0.36f, &steps);
    assert_true(steps > 0 && steps <= 8);
    return share;
}

static bool is(float value, float wanted) {
    return fabsf(value - wanted) < 1e-5f;
}

static void test_room(void **state) {
    (void)state;
    assert_true(is(at(20, 80), 2));
    assert_true(is(at(40, -40), 0.5f) && is(at(60, 140), 0.5f));
    assert_true(is(at(10, -90), 0.1f) && is(at(-20, 20), 0));
}

// Beside a wall: lines along it end where they begin if its solid is before its plane, and only
// then; lines away from it do not, and lines into it do.
static void test_beside(void **state) {
    (void)state;
    assert_true(is(at(0, 0), 2) && is(at(0.25f, 0.25f), 2));
    assert_true(is(at(100, 100), 0) && is(at(99.75f, 99.75f), 0));
    assert_true(is(at(99.5f, 99.5f), 2));
    assert_true(is(at(99.75f, 50), 2) && is(at(0.25f, 50), 2));
    assert_true(is(at(0.25f, -50), 0) && is(at(99.75f, 150), 0));
}

// A node below itself, leaves that are not there, and a plane that is not.
static void test_hostile(void **state) {
    (void)state;
    const bsp_node round[] = {{.plane = 0, .children = {0, 0}}};
    const bsp_node adrift[] = {{.plane = UINT32_MAX, .children = {-1, -1}}};
    bsp_map map = {0};
    map.planes = planes;
    map.num_planes = 2;
    map.nodes = round;
    map.num_nodes = 1;
    const float start[3] = {-10, 0, 0};
    const float end[3] = {10, 0, 0};
    uint64_t steps = 0;
    assert_true(bspi_opaque_at(&map, start, end, 0.36f, &steps) == 2 && steps == 1024);
    map.nodes = nodes;
    map.num_nodes = 1;
    assert_true(bspi_opaque_at(&map, start, end, 0.36f, &steps) == 0);
    map.nodes = adrift;
    assert_true(bspi_opaque_at(&map, start, end, 0.36f, &steps) == 0);
    map.num_nodes = 0;
    assert_true(bspi_opaque_at(&map, start, end, 0.36f, &steps) == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room), cmocka_unit_test(test_beside),
                                       cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
