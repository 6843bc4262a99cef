// SPDX-License-Identifier: MIT
// Convex hulls of points: closed, around all points, with corners that are points.
#include "mesh/convex.h"

#include "core/vector.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define POINTS 200u
#define SIZE 100.0f

typedef struct fixture {
    bspi_heap heap;
    float points[POINTS][3];
    uint32_t count;
    bspi_convex hull;
} fixture;

static void find(fixture *f) {
    bsp_error error;
    bspi_heap_init(&f->heap, NULL, 0);
    assert_true(
        bspi_convex_find(&f->heap, (const float(*)[3])f->points, f->count, &f->hull, &error));
}

// Does the hull have an edge once?
static bool has_edge(const bspi_convex *hull, uint32_t from, uint32_t to) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < 3 * hull->count; n++) {
        const uint32_t *at = hull->triangles[n / 3];
        found += at[n % 3] == from && at[(n + 1) % 3] == to;
    }
    return found == 1;
}

// Returns the volume. Each edge is there once in each direction, and no point is outside.
static double check(const fixture *f) {
    double volume = 0;
    for (uint32_t n = 0; n < f->hull.count; n++) {
        const uint32_t *at = f->hull.triangles[n];
        float normal[3];
        bspi_triangle_cross(f->points[at[0]], f->points[at[1]], f->points[at[2]], normal);
        volume += (double)bspi_dot(normal, f->points[at[0]]) / 6;
        float length = bspi_normalize(normal);
        for (uint32_t p = 0; p < f->count; p++) {
            float past = bspi_dot(normal, f->points[p]) - bspi_dot(normal, f->points[at[0]]);
            assert_true(past < 0.01f || length < 0.1f); // a sliver has no sure normal
        }
        for (int i = 0; i < 3; i++) {
            assert_true(has_edge(&f->hull, at[i], at[(i + 1) % 3]));
            assert_true(has_edge(&f->hull, at[(i + 1) % 3], at[i]));
        }
    }
    return volume;
}

// Points in a ball, on it, in a box with many in its sides, and some more than once.
static void make(test_random *random, fixture *f, uint32_t kind) {
    f->count = 12 + random_u32(random) % (POINTS - 12);
    for (uint32_t n = 0; n < f->count; n++) {
        float *point = f->points[n];
        for (int i = 0; i < 3; i++) {
            point[i] = SIZE * random_unit(random);
            point[i] = kind == 2 ? 10 * roundf(point[i] / 10) : point[i];
        }
        if (kind == 1) {
            (void)bspi_normalize(point);
            for (int i = 0; i < 3; i++) {
                point[i] *= SIZE;
            }
        }
        if (n != 0 && random_u32(random) % 8 == 0) {
            memcpy(point, f->points[random_u32(random) % n], sizeof f->points[n]);
        }
    }
}

static void test_random_points(void **state) {
    (void)state;
    static fixture f;
    test_random random = {22};
    for (uint32_t round = 0; round < 300; round++) {
        make(&random, &f, round % 3);
        find(&f);
        double volume = check(&f);
        assert_true(f.hull.count >= 4 && f.hull.count % 2 == 0); // Euler
        assert_true(volume > 0 && volume < 8.1 * pow((double)SIZE, 3));
        bspi_convex_free(&f.heap, &f.hull);
    }
}

// The corners of a box among points in it: twelve triangles with its volume.
static void test_box(void **state) {
    (void)state;
    static fixture f;
    test_random random = {23};
    f.count = POINTS;
    for (uint32_t n = 0; n < POINTS; n++) {
        for (int i = 0; i < 3; i++) {
            float half = 10.0f * (float)(i + 1);
            bool corner = n >= POINTS / 2 && n < POINTS / 2 + 8;
            f.points[n][i] = !corner             ? half * random_unit(&random)
                             : (n >> i & 1) != 0 ? half
                                                 : -half;
        }
    }
    find(&f);
    assert_int_equal(f.hull.count, 12);
    assert_true(fabs(check(&f) - 20.0 * 40 * 60) < 0.1);
    bspi_convex_free(&f.heap, &f.hull);
}

// Points of a plane, of a line, one point, and none have no hull.
static void test_flat(void **state) {
    (void)state;
    static fixture f;
    test_random random = {24};
    for (uint32_t kind = 0; kind < 4; kind++) {
        f.count = kind == 3 ? 0 : POINTS;
        for (uint32_t n = 0; n < POINTS; n++) {
            float u = kind < 2 ? 50 * random_unit(&random) : 3;
            float v = kind == 0 ? 50 * random_unit(&random) : 0;
            f.points[n][0] = u + v;
            f.points[n][1] = u - v;
            f.points[n][2] = 2 * u + 7;
        }
        find(&f);
        assert_int_equal(f.hull.count, 0);
        bspi_convex_free(&f.heap, &f.hull);
    }
}

// Many points on a ball are paid for.
static void test_paid(void **state) {
    (void)state;
    static fixture f;
    test_random random = {25};
    const bsp_limits limits = {.work = 500};
    bsp_error error;
    make(&random, &f, 1);
    f.count = POINTS;
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    bspi_heap_init_for(&f.heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
    assert_false(bspi_convex_find(&f.heap, (const float(*)[3])f.points, f.count, &f.hull, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bspi_convex_free(&f.heap, &f.hull);
    bsp_budget_free(budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_paid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
