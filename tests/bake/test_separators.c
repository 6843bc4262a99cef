// SPDX-License-Identifier: MIT
// Separating planes and cuts of windings: the functions for any processor and those for this one
// give the same bits, and both what the definition says, point by point. Random windings.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/vis/separators.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define ROUNDS 4000u
#define GATES 64u

typedef struct shape {
    bspi_winding winding;
    bspi_winding_points points;
    bspi_split_plane plane;
    bspi_sphere sphere;
} shape;

static double unit(test_random *random) {
    return (double)(random_u32(random) >> 8) / 8388608.0 - 1;
}

static void random_plane(test_random *random, bspi_split_plane *plane, double far) {
    double length = 0;
    for (int i = 0; i < 3; i++) {
        plane->normal[i] = unit(random);
        length += plane->normal[i] * plane->normal[i];
    }
    for (int i = 0; i < 3; i++) {
        plane->normal[i] /= sqrt(length) + 1e-9;
    }
    if (random_u32(random) % 3 == 0) {
        memset(plane->normal, 0, sizeof plane->normal);
        plane->normal[random_u32(random) % 3] = random_u32(random) % 2 == 0 ? 1 : -1;
    }
    plane->dist = far * unit(random);
}

// A square on a random plane, with some of its corners cut off.
static void make_shape(test_random *random, shape *out) {
    bspi_polygon polygon;
    const double middle[3] = {300 * unit(random), 300 * unit(random), 300 * unit(random)};
    random_plane(random, &out->plane, 300);
    bspi_polygon_square(&polygon, &out->plane, middle, 64);
    for (uint32_t i = random_u32(random) % 6; i > 0; i--) {
        bspi_split_plane cut;
        bspi_polygon kept = polygon;
        random_plane(random, &cut, 0);
        for (int k = 0; k < 3; k++) {
            cut.dist += cut.normal[k] * polygon.points[0][k];
        }
        cut.dist -= 20;
        polygon = bspi_polygon_keep(&polygon, &cut, 0.1, false) ? polygon : kept;
    }
    double list[3] = {0, 0, 0};
    for (uint32_t i = 0; i < polygon.count + 4; i++) {
        for (int k = 0; k < 3; k++) {
            out->points.at[k][i] = polygon.points[i < polygon.count ? i : 0][k];
            list[k] += i < polygon.count ? polygon.points[i][k] / polygon.count : 0;
        }
    }
    out->winding.count = polygon.count;
    out->sphere = (bspi_sphere){{list[0], list[1], list[2]}, 0};
    for (int k = 0; k < 3; k++) {
        out->winding.at[k] = out->points.at[k];
    }
    for (uint32_t i = 0; i < polygon.count; i++) {
        double way[3];
        for (int k = 0; k < 3; k++) {
            way[k] = polygon.points[i][k] - list[k];
        }
        out->sphere.radius =
            fmax(out->sphere.radius, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
}

static double away(const bspi_split_plane *plane, const bspi_winding *winding, uint32_t i) {
    return plane->normal[0] * winding->at[0][i] + plane->normal[1] * winding->at[1][i] +
           plane->normal[2] * winding->at[2][i] - plane->dist;
}

// Returns the least or the greatest distance of a winding's points from a plane.
static double extreme(const bspi_split_plane *plane, const bspi_winding *winding, int sign) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < winding->count; i++) {
        most = fmax(most, sign * away(plane, winding, i));
    }
    return sign * most;
}

static bspi_split_plane plane_at(const bspi_separators *planes, uint32_t i) {
    return (bspi_split_plane){{planes->normal[0][i], planes->normal[1][i], planes->normal[2][i]},
                              planes->dist[i]};
}

static void same_winding(const bspi_winding *a, const bspi_winding *b) {
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < 3; k++) {
        assert_memory_equal(a->at[k], b->at[k], (a->count + 4) * sizeof *a->at[k]);
    }
}

// Each plane has one winding behind it and the other in front: those of the first winding's edges
// look to the second, those of the second's look away from the first.
static void check_planes(const bspi_separators *planes, const shape *from, const shape *to) {
    for (uint32_t i = 0; i < planes->count; i++) {
        bspi_split_plane plane = plane_at(planes, i);
        assert_true(extreme(&plane, &from->winding, 1) <= 0.1 + 1e-9 ||
                    extreme(&plane, &from->winding, -1) >= -0.1 - 1e-9);
        assert_true(extreme(&plane, &to->winding, 1) <= 0.1 + 1e-9 ||
                    extreme(&plane, &to->winding, -1) >= -0.1 - 1e-9);
    }
}

static unsigned check_cut(const bspi_separators *planes, const shape *third) {
    const bspi_separating *here = bspi_separating_here();
    const bspi_separating *base = &bspi_separating_base;
    bspi_cutting rooms[3];
    bspi_winding some = third->winding;
    bspi_winding other = third->winding;
    bspi_winding all = third->winding;
    bool left = here->cut(planes, &third->sphere, &some, &rooms[0]);
    assert_int_equal(base->cut(planes, &third->sphere, &other, &rooms[1]), left);
    // The sphere only spares work.
    assert_int_equal(base->cut(planes, NULL, &all, &rooms[2]), left);
    assert_int_equal(base->hide(planes, &third->winding, &third->sphere, &rooms[2]),
                     here->hide(planes, &third->winding, &third->sphere, &rooms[2]));
    if (left) {
        same_winding(&some, &other);
        for (uint32_t i = 0; i < planes->count; i++) {
            bspi_split_plane plane = plane_at(planes, i);
            assert_true(extreme(&plane, &some, -1) >= -0.1 - 1e-9);
        }
    }
    for (uint32_t i = 0; i < planes->count; i++) {
        bspi_split_plane plane = plane_at(planes, i);
        assert_true(!left || extreme(&plane, &third->winding, 1) > 0.1);
    }
    return left ? 1 : 0;
}

static void test_planes(void **state) {
    (void)state;
    test_random random = {4242};
    static bspi_separators planes[2];
    unsigned found = 0;
    unsigned left = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        static shape shapes[3];
        for (int k = 0; k < 3; k++) {
            make_shape(&random, &shapes[k]);
        }
        memset(planes, 0, sizeof planes);
        bspi_separating_here()->find(&shapes[0].winding, &shapes[1].winding, &planes[0]);
        bspi_separating_base.find(&shapes[0].winding, &shapes[1].winding, &planes[1]);
        assert_int_equal(planes[0].count, planes[1].count);
        assert_memory_equal(planes[0].dist, planes[1].dist,
                            planes[0].count * sizeof *planes[0].dist);
        for (int k = 0; k < 3; k++) {
            assert_memory_equal(planes[0].normal[k], planes[1].normal[k],
                                planes[0].count * sizeof *planes[0].normal[k]);
        }
        check_planes(&planes[0], &shapes[0], &shapes[1]);
        left += check_cut(&planes[0], &shapes[2]);
        found += planes[0].count;
    }
    assert_true(found > ROUNDS && left > ROUNDS / 20 && left < ROUNDS);
}

// Some of a winding is before a plane (`side` of -1: on its back), or all of it is on the plane and
// some is so by more than the grain.
static bool lies_before(const bspi_split_plane *plane, const bspi_winding *winding, int side) {
    double most = side * extreme(plane, winding, side);
    double least = side * extreme(plane, winding, -side);
    return most > 0.1 || (most > 0.001 && least >= -0.1);
}

static void test_face(void **state) {
    (void)state;
    test_random random = {17};
    static shape shapes[GATES];
    static double numbers[8][GATES + 4];
    static uint32_t gates[GATES];
    static bspi_winding windings[GATES];
    for (uint32_t i = 0; i < GATES; i++) {
        make_shape(&random, &shapes[i]);
        for (int k = 0; k < 3; k++) {
            numbers[k][i] = shapes[i].sphere.middle[k];
            numbers[4 + k][i] = shapes[i].plane.normal[k];
        }
        numbers[3][i] = shapes[i].sphere.radius;
        numbers[7][i] = shapes[i].plane.dist;
        gates[i] = i;
        windings[i] = shapes[i].winding;
    }
    const bspi_facing all = {{numbers[0], numbers[1], numbers[2]},
                             numbers[3],
                             {numbers[4], numbers[5], numbers[6]},
                             numbers[7],
                             gates,
                             windings};
    for (uint32_t i = 0; i < GATES; i++) {
        const bspi_faced gate = {shapes[i].plane, shapes[i].sphere, &windings[i]};
        uint32_t first = i % 7;
        uint32_t count = GATES - first - i % 3;
        uint64_t bits = bspi_separating_here()->face(&all, first, count, &gate);
        assert_true(bits == bspi_separating_base.face(&all, first, count, &gate));
        for (uint32_t k = 0; k < 64; k++) {
            bool sees = k < count && lies_before(&gate.plane, &windings[first + k], 1) &&
                        lies_before(&shapes[first + k].plane, gate.winding, -1);
            assert_int_equal(bits >> k & 1, sees);
        }
    }
}

static void test_both(void **state) {
    (void)state;
    test_random random = {9};
    for (unsigned n = 0; n < 1000; n++) {
        bspi_word sets[3][16];
        bspi_word out[2][16] = {{0}};
        uint32_t first[] = {0, 4, 12};
        const bspi_blocks blocks = {first, 3};
        bool more = false;
        for (uint32_t i = 0; i < 48; i++) {
            sets[i / 16][i % 16] = random_u32(&random) & random_u32(&random) & random_u32(&random);
            sets[i / 16][i % 16] &= random_u32(&random) & (n % 2 == 0 ? 0x11u : UINT32_MAX);
        }
        for (uint32_t i = 0; i < 16; i++) {
            more |= i / 4 != 2 && (sets[0][i] & sets[1][i] & ~sets[2][i]) != 0;
        }
        assert_int_equal(bspi_separating_here()->both(sets[0], sets[1], sets[2], &blocks, out[0]),
                         more);
        assert_int_equal(bspi_separating_base.both(sets[0], sets[1], sets[2], &blocks, out[1]),
                         more);
        assert_memory_equal(out[0], out[1], sizeof out[0]);
        for (uint32_t i = 0; i < 16; i++) {
            assert_true(out[0][i] == (i / 4 == 2 ? 0 : (sets[0][i] & sets[1][i])));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_face),
        cmocka_unit_test(test_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
