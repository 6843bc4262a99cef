// SPDX-License-Identifier: MIT
// Occluders: a square of 64 units at x = 0, an eye at x = -32, and boxes behind it; against the
// lines to many points of random boxes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

static const bsp_vertex vertices[] = {
    {{0, -32, -32}}, {{0, -32, 32}}, {{0, 32, 32}}, {{0, 32, -32}}};
static const uint32_t indices[] = {0, 1, 2, 3};
static const bsp_plane plane = {{1, 0, 0}, 0, 0};
static const bsp_occluder_poly poly = {0, 4, 0};
static const float eye[3] = {-32, 0, 0};

static bsp_map map_of(const bsp_occluder *occluders, uint32_t count) {
    const bsp_branch *branch = bsp_branch_find("source_20");
    bsp_map map = {.branch = branch, .traits = bsp_branch_traits(branch)};
    map.vertices = vertices;
    map.num_vertices = 4;
    map.planes = &plane;
    map.num_planes = 1;
    map.occluder_indices = indices;
    map.num_occluder_indices = 4;
    map.occluder_polys = &poly;
    map.num_occluder_polys = 1;
    map.occluders = occluders;
    map.num_occluders = count;
    return map;
}

static void test_boxes(void **state) {
    static const bsp_occluder occluders[] = {{.flags = 1, .num_polys = 1}, {.num_polys = 1}};
    (void)state;
    bsp_map map = map_of(occluders, 2);
    // At x = 32 the shadow of the square reaches to 64.
    const float far[2][3] = {{32, -60, -60}, {40, 60, 60}};
    const float wide[2][3] = {{32, -66, -60}, {40, 60, 60}};
    const float across[2][3] = {{-1, -8, -8}, {40, 8, 8}};
    const float before[2][3] = {{-30, -1, -1}, {-20, 1, 1}};
    assert_int_equal(bsp_query_occluder(&map, eye, far[0], far[1]), 1);
    assert_int_equal(bsp_query_occluder(&map, eye, wide[0], wide[1]), BSP_NONE);
    assert_int_equal(bsp_query_occluder(&map, eye, across[0], across[1]), BSP_NONE);
    assert_int_equal(bsp_query_occluder(&map, eye, before[0], before[1]), BSP_NONE);
    map.num_occluders = 1; // only the one that begins inactive
    assert_int_equal(bsp_query_occluder(&map, eye, far[0], far[1]), BSP_NONE);
}

// By hand: where the line to a point crosses x = 0, and whether that is in the square.
static void test_lines(void **state) {
    static const bsp_occluder occluder = {.num_polys = 1};
    (void)state;
    bsp_map map = map_of(&occluder, 1);
    test_random random = {11};
    unsigned hidden = 0;
    for (int round = 0; round < 20000; round++) {
        float box[2][3];
        bool all = true;
        bool edge = false; // the line to a corner meets one
        for (int k = 0; k < 3; k++) {
            box[0][k] = (float)random_below(&random, 161) - 60.5f;
            box[1][k] = box[0][k] + (float)random_below(&random, 20);
        }
        for (int corner = 0; corner < 8; corner++) {
            double x = (double)box[corner & 1][0];
            double at = 32 / (x + 32);
            double y = (double)box[corner >> 1 & 1][1] * at;
            double z = (double)box[corner >> 2][2] * at;
            edge = edge || fabs(fabs(y) - 32) < 1e-6 || fabs(fabs(z) - 32) < 1e-6;
            all = all && x > 0 && y > -32 && y < 32 && z > -32 && z < 32;
        }
        if (!edge) {
            assert_int_equal(bsp_query_occluder(&map, eye, box[0], box[1]), all ? 0 : BSP_NONE);
        }
        hidden += all ? 1 : 0;
    }
    assert_true(hidden > 1000 && hidden < 19000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
