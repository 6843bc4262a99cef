// SPDX-License-Identifier: MIT
// Light between the patches of GoldSrc, in places whose mix is known by hand: squares of a grid,
// gaps beside which nothing is, and the hull in which a patch counts; outlines that are cut; places
// between those that are measured.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/faces/free_point.h"
#include "bake/light/faces/outline.h"
#include "bake/light/places/places.h"
#include "bake/light/rad/rad_eight.h"
#include "bake/light/rad/rad_wedges.h"
#include "core/vector.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define SIZE 64.0f // of a patch
#define MIDDLE 99u // number of the patch in the middle
#define SLACK 1e-4f
#define ROUNDS 500u

static const bspi_flat_spot corners[4] = {{-32, -32}, {-32, 32}, {32, 32}, {32, -32}};

typedef struct fixture {
    bspi_heap heap;
    bspi_wedges wedges;
    bspi_rad_around around;
} fixture;

// Makes what is around a patch of 64 by 64 units.
static void make(fixture *f, const bspi_flat_spot *spots, uint32_t count) {
    memset(f, 0, sizeof *f);
    bspi_heap_init(&f->heap, NULL, (size_t)-1);
    for (uint32_t i = 0; i < count; i++) {
        bspi_wedges_add(&f->wedges, i, spots[i]);
    }
    assert_true(bspi_wedges_make(&f->wedges, corners, 4, &f->heap, &f->around, NULL));
}

static float share_of(const fixture *f, float x, float y, uint32_t patch) {
    bspi_rad_share shares[BSPI_RAD_SHARES];
    uint32_t count =
        bspi_wedges_share(&f->around, MIDDLE, bspi_flat_ray_to((bspi_flat_spot){x, y}), shares);
    float found = 0;
    float total = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(shares[i].weight >= 0);
        found += shares[i].patch == patch ? shares[i].weight : 0;
        total += shares[i].weight;
    }
    assert_float_equal(total, 1, SLACK);
    return found;
}

static float weight_of(const fixture *f, float x, float y) {
    float weight = -1;
    bool inside = bspi_wedges_weigh(&f->around, bspi_flat_ray_to((bspi_flat_spot){x, y}), &weight);
    return inside ? weight : -1;
}

static void test_grid(void **state) {
    (void)state;
    bspi_flat_spot spots[8];
    uint32_t count = 0;
    for (int n = 0; n < 9; n++) {
        if (n != 4) {
            spots[count++] = (bspi_flat_spot){SIZE * (float)(n % 3 - 1), SIZE * (float)(n / 3 - 1)};
        }
    }
    fixture f;
    make(&f, spots, count);
    assert_int_equal(f.around.num_wedges, 8);
    // between the middle, the right one (4), the one up (6) and that between them (7)
    assert_float_equal(share_of(&f, 16, 48, MIDDLE), 0.75f * 0.25f, SLACK);
    assert_float_equal(share_of(&f, 16, 48, 4), 0.25f * 0.25f, SLACK);
    assert_float_equal(share_of(&f, 16, 48, 6), 0.75f * 0.75f, SLACK);
    assert_float_equal(share_of(&f, 16, 48, 7), 0.25f * 0.75f, SLACK);
    assert_float_equal(share_of(&f, 0, 0, MIDDLE), 1, SLACK);
    assert_float_equal(share_of(&f, -64, 0, 3), 1, SLACK);
    // it counts less and less up to the middles of the others
    assert_float_equal(weight_of(&f, 0, 0), 1, SLACK);
    assert_float_equal(weight_of(&f, 32, 0), 0.5f, SLACK);
    assert_float_equal(weight_of(&f, 32, 32), 0.5f, SLACK);
    assert_float_equal(weight_of(&f, 63.99f, 0), 0, 2e-3f);
    assert_float_equal(weight_of(&f, 65, 0), -1, SLACK);
    bspi_wedges_free(&f.heap, &f.around);
}

static void test_edge(void **state) {
    (void)state;
    const bspi_flat_spot spots[1] = {{SIZE, 0}};
    fixture f;
    make(&f, spots, 1);
    // towards the only other one both count, away from it the middle alone
    assert_float_equal(share_of(&f, 16, 0, 0), 0.25f, SLACK);
    assert_float_equal(share_of(&f, 16, 20, 0), 0.25f, SLACK);
    assert_float_equal(share_of(&f, -16, 0, MIDDLE), 1, SLACK);
    // the hull: the corners of the patch, and the other one
    assert_float_equal(weight_of(&f, -16, 0), 0.5f, SLACK);
    assert_float_equal(weight_of(&f, 32, 0), 0.5f, SLACK);
    assert_float_equal(weight_of(&f, -33, 0), -1, SLACK);
    bspi_wedges_free(&f.heap, &f.around);
    make(&f, spots, 0);
    assert_float_equal(share_of(&f, 20, 9, MIDDLE), 1, SLACK);
    assert_int_equal(f.around.num_hull, 4);
    assert_float_equal(weight_of(&f, 16, 0), 0.5f, SLACK);
    bspi_wedges_free(&f.heap, &f.around);
}

// Of two in one direction the nearer one stays.
static void test_behind(void **state) {
    (void)state;
    const bspi_flat_spot spots[4] = {{2 * SIZE, 0}, {SIZE, 0}, {0, SIZE}, {0, 2 * SIZE}};
    fixture f;
    make(&f, spots, 4);
    assert_int_equal(f.around.num_wedges, 2);
    assert_float_equal(share_of(&f, 16, 0, 1), 0.25f, SLACK);
    // a right angle is a triangle
    assert_float_equal(share_of(&f, 16, 16, MIDDLE), 0.5f, SLACK);
    assert_float_equal(share_of(&f, 16, 16, 1), 0.25f, SLACK);
    assert_float_equal(share_of(&f, 16, 16, 2), 0.25f, SLACK);
    bspi_wedges_free(&f.heap, &f.around);
}

static void test_outline(void **state) {
    (void)state;
    bspi_outline square = {.points = {{0, 0}, {4, 0}, {4, 4}, {0, 4}}, .count = 4};
    const double right[2] = {1, 0};
    double point[2] = {-3, 2};
    assert_true(bspi_outline_area(&square) == 16);
    bspi_outline_edge edges[4];
    bspi_outline_edges(&square, edges);
    assert_true(edges[1].length == 4 && edges[2].along[0] == -4);
    assert_true(bspi_outline_within(&square, edges, 1, (const double[2]){4.1, 1}, 0.2));
    assert_false(bspi_outline_within(&square, edges, 1, (const double[2]){4.1, 1}, 0));
    assert_false(bspi_outline_within(&square, edges, 1, (const double[2]){3.9, 1}, -0.2));
    bspi_outline_snap(&square, 1, point);
    assert_true(point[0] == 0 && point[1] == 2);
    bspi_outline_clip(&square, right, 1, 0);
    assert_true(bspi_outline_area(&square) == 12);
    bspi_outline_clip(&square, right, 3.9, 0.2); // no more of it than that is before the line
    assert_int_equal(square.count, 0);
}

// What has no light may hold any numbers: memory that was not written to.
static void test_spread(void **state) {
    (void)state;
    bool lit[9] = {true};
    bool known[9] = {true};
    float sums[9][3];
    bspi_places places = {.width = 9, .height = 1, .count = 9, .extra = 1, .step = 4, .lit = lit};
    for (int n = 0; n < 9; n++) {
        for (int c = 0; c < 3; c++) {
            sums[n][c] = n == 0 ? (float)c : NAN;
        }
    }
    bspi_places_spread(&places, known, sums);
    for (int n = 0; n < 9; n++) {
        assert_true(known[n] == (n < 4));
        for (int c = 0; n < 4 && c < 3; c++) {
            assert_true(sums[n][c] == (float)c);
        }
    }
}

// More sides than are kept: what is in the last one, which is solid, is not known.
static void test_many_sides(void **state) {
    (void)state;
    enum { NODES = 200, OPEN = 1, SOLID = 2 };
    const bsp_plane plane = {.normal = {0, 0, 1}};
    const bsp_leaf leaves[3] = {{0}, {.contents = -1}, {.contents = -2}};
    const bsp_model model = {.headnodes = {0}};
    const bspi_free_search search = {.normal = {0, 0, 1}, .size = 1};
    bsp_node nodes[NODES];
    memset(nodes, 0, sizeof nodes);
    bsp_map map = {.planes = &plane,
                   .num_planes = 1,
                   .nodes = nodes,
                   .leaves = leaves,
                   .num_leaves = 3,
                   .models = &model,
                   .num_models = 1};
    bspi_relight own = {.map = &map};
    for (uint32_t count = 1; count < NODES; count++) {
        for (uint32_t last = OPEN; last <= SOLID; last++) {
            for (uint32_t i = 0; i < count; i++) {
                nodes[i].children[0] = i + 1 < count ? (int32_t)i + 1 : -1 - (int32_t)last;
                nodes[i].children[1] = -1 - OPEN;
            }
            map.num_nodes = count;
            float point[3] = {0, 0, 0};
            bool open = bspi_free_point_find(&own, &search, point);
            assert_true(open == (last == OPEN) || (!open && count > 40));
        }
    }
}

// A way is open in a leaf, but not through a plane, nor so close to it that it may touch.
static void test_way(void **state) {
    (void)state;
    const bsp_plane planes[2] = {{.normal = {1, 0, 0}}, {.normal = {0, 0, 1}, .dist = 8}};
    const bsp_leaf leaves[4] = {{0}, {.contents = -1}, {.contents = -2}, {.contents = -3}};
    const bsp_node nodes[2] = {{.plane = 0, .children = {1, -1 - 1}},
                               {.plane = 1, .children = {-1 - 2, -1 - 3}}};
    const bsp_model model = {.headnodes = {0}};
    const bsp_map map = {.planes = planes,
                         .num_planes = 2,
                         .nodes = nodes,
                         .num_nodes = 2,
                         .leaves = leaves,
                         .num_leaves = 4,
                         .models = &model,
                         .num_models = 1};
    const bspi_relight own = {.map = &map};
    const struct {
        float from[3];
        float to[3];
        bool open;
    } ways[] = {{{1, 0, 0}, {20, 5, 7}, true},   {{1, 0, 0}, {0.1f, 0, 0}, false},
                {{1, 0, 0}, {-1, 0, 0}, false},  {{-1, 0, 0}, {-9, 0, 20}, true},
                {{1, 0, 9}, {20, 0, 20}, false}, {{1, 0, 0}, {20, 0, 7.9f}, false},
                {{1, 0, 0}, {NAN, 0, 0}, false}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bspi_free_around around = {.radius = 0};
        assert_true(bspi_free_way_is_open(&own, NULL, ways[i].from, ways[i].to) == ways[i].open);
        assert_true(bspi_free_way_is_open(&own, &around, ways[i].from, ways[i].to) == ways[i].open);
    }
}

// Where a point is in the planes of eight patches is where it is in each of them; those that are
// too far are told.
static void test_flat_eight(void **state) {
    (void)state;
    enum { COUNT = BSPI_RAD_LANES };
    float all[13][COUNT];
    bspi_rad_planes planes = {.reach = all[12]};
    bspi_rad_flat_eight_fn *functions[] = {bspi_rad_flat_eight_base, bspi_rad_flat_eight_here()};
    test_random random = {79};
    unsigned some = 0;
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        bspi_rad_around around[COUNT] = {0};
        bspi_rad_spot on;
        for (int c = 0; c < 3; c++) {
            on.point[c] = (float)random_below(&random, 640) / 4;
            on.normal[c] = (float)random_below(&random, 9) / 4 - 1;
            planes.middle[c] = all[c];
            for (int axis = 0; axis < 3; axis++) {
                planes.axes[axis][c] = all[3 + 3 * axis + c];
            }
        }
        uint32_t near = 0;
        for (uint32_t n = 0; n < COUNT; n++) {
            float square = 0;
            float normal[3] = {n == 0, 0.6f, n % 2 == 0 ? 0.8f : -0.8f};
            memcpy(around[n].axes[2], normal, sizeof normal);
            bspi_frame_of(normal, around[n].axes[0], around[n].axes[1]);
            around[n].reach = all[12][n] = (float)random_below(&random, 200);
            for (int c = 0; c < 3; c++) {
                all[c][n] = around[n].middle[c] = (float)random_below(&random, 640) / 4;
                for (int axis = 0; axis < 3; axis++) {
                    planes.axes[axis][c][n] = around[n].axes[axis][c];
                }
                square += (on.point[c] - around[n].middle[c]) * (on.point[c] - around[n].middle[c]);
            }
            near |= (uint32_t)(square <= around[n].reach * around[n].reach) << n;
        }
        some += near != 0;
        for (int k = 0; k < 2; k++) {
            bspi_rad_flat8 eight;
            functions[k](&planes, 0, &on, &eight);
            assert_int_equal(eight.near, near);
            for (uint32_t n = 0; n < COUNT && near != 0; n++) {
                bspi_flat_ray ray = bspi_flat_ray_to(bspi_rad_flat(&around[n], &on));
                assert_true(eight.spot[0][n] == ray.spot.x && eight.spot[1][n] == ray.spot.y);
                assert_true(eight.way[0][n] == ray.way.x && eight.way[1][n] == ray.way.y);
                assert_true(eight.dist[n] == ray.dist);
            }
        }
    }
    assert_true(some > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),   cmocka_unit_test(test_edge),
        cmocka_unit_test(test_behind), cmocka_unit_test(test_outline),
        cmocka_unit_test(test_spread), cmocka_unit_test(test_many_sides),
        cmocka_unit_test(test_way),    cmocka_unit_test(test_flat_eight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
