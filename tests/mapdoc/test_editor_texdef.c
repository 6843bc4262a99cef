// SPDX-License-Identifier: MIT
// Texture mappings: facts worked out by hand, and the ways of saying them against each other.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mapdoc.h"
#include "mapdoc/numbers.h"
#include "mapdoc/texdef.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define S30 0.5
#define C30 0.86602540378443864676
#define R2 0.70710678118654752440

static void expect_near(double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("%.17g is not %.17g", got, want);
    }
}

// --- offset, rotation, scale --------------------------------------------------------------------

typedef struct fact {
    double normal[3];
    bspi_shift shift;
    double vec[2][4];
} fact;

// By hand: a texture on the floor has its rows along x and its columns along -y (rows of an image
// go down). Rotation turns S towards T's world axis: at 90 degrees S is along +y on a floor and
// along +z (not -z) on a wall.
static const fact facts[] = {
    {{0, 0, 1}, {{0, 0}, 0, {1, 1}}, {{1, 0, 0, 0}, {0, -1, 0, 0}}},
    {{0, 0, -1}, {{3, 4}, 0, {1, 1}}, {{1, 0, 0, 3}, {0, -1, 0, 4}}},
    {{1, 0, 0}, {{0, 0}, 0, {1, 1}}, {{0, 1, 0, 0}, {0, 0, -1, 0}}},
    {{-1, 0, 0}, {{0, 0}, 0, {1, 1}}, {{0, 1, 0, 0}, {0, 0, -1, 0}}},
    {{0, 1, 0}, {{0, 0}, 0, {1, 1}}, {{1, 0, 0, 0}, {0, 0, -1, 0}}},
    {{0, -1, 0}, {{0, 0}, 0, {1, 1}}, {{1, 0, 0, 0}, {0, 0, -1, 0}}},
    {{0, 0, 1}, {{0, 0}, 90, {1, 1}}, {{0, 1, 0, 0}, {1, 0, 0, 0}}},
    {{0, 0, 1}, {{0, 0}, 180, {1, 1}}, {{-1, 0, 0, 0}, {0, 1, 0, 0}}},
    {{0, 0, 1}, {{0, 0}, 30, {1, 1}}, {{C30, S30, 0, 0}, {S30, -C30, 0, 0}}},
    {{0, 0, 1}, {{0, 0}, -45, {1, 1}}, {{R2, -R2, 0, 0}, {-R2, -R2, 0, 0}}},
    {{1, 0, 0}, {{0, 0}, 90, {1, 1}}, {{0, 0, 1, 0}, {0, 1, 0, 0}}},
    {{0, 1, 0}, {{0, 0}, 30, {1, 1}}, {{C30, 0, S30, 0}, {S30, 0, -C30, 0}}},
    {{0, -1, 0}, {{0, 0}, -45, {1, 1}}, {{R2, 0, -R2, 0}, {-R2, 0, -R2, 0}}},
    {{0, 0, 1}, {{5, 6}, 0, {-2, 1}}, {{-0.5, 0, 0, 5}, {0, -1, 0, 6}}},
    {{0, 0, 1}, {{5, 6}, 0, {2, -4}}, {{0.5, 0, 0, 5}, {0, 0.25, 0, 6}}},
    {{1, 0, 0}, {{1, 2}, 30, {0.5, -0.25}}, {{0, 2 * C30, 2 * S30, 1}, {0, -4 * S30, 4 * C30, 2}}},
    {{0, 0.6, 0.8}, {{0, 0}, 0, {0, 0}}, {{1, 0, 0, 0}, {0, -1, 0, 0}}}, // scale 0 is 1
};

static void test_shift_facts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        double vec[2][4];
        bspi_shift_to_vec(facts[i].normal, &facts[i].shift, vec);
        for (int k = 0; k < 8; k++) {
            expect_near(vec[k / 4][k % 4], facts[i].vec[k / 4][k % 4], 1e-12);
        }
    }
}

// The same facts backwards. Mirrored twice is turned by half: what is found may be said so.
static void test_shift_back(void **state) {
    (void)state;
    const double centre[3] = {0, 0, 0};
    for (size_t i = 0; i + 1 < sizeof facts / sizeof *facts; i++) {
        bspi_shift shift;
        assert_true(bspi_vec_to_shift(facts[i].normal, 0, centre, facts[i].vec, &shift));
        const bspi_shift *want = &facts[i].shift;
        expect_near(shift.offset[0], want->offset[0], 1e-12);
        expect_near(shift.offset[1], want->offset[1], 1e-12);
        double turned = remainder(shift.rotation - want->rotation, 360);
        double sign = fabs(turned) > 90 ? -1 : 1;
        expect_near(fabs(turned), sign < 0 ? 180 : 0, 1e-9);
        expect_near(shift.scale[0], sign * want->scale[0], 1e-12);
        expect_near(shift.scale[1], sign * want->scale[1], 1e-12);
    }
}

// At 45 degrees two base axes fit alike: the first in the compilers' order is taken.
static void test_base_order(void **state) {
    (void)state;
    double axes[2][3];
    const double floor_or_east[3] = {R2, 0, R2};
    const double east_or_north[3] = {R2, R2, 0};
    const double west_or_south[3] = {-R2, -R2, 0};
    const double ceiling_or_south[3] = {0, -R2, -R2};
    assert_int_equal(bspi_base_axes(floor_or_east, axes), 2);
    assert_int_equal(bspi_base_axes(east_or_north, axes), 0);
    assert_int_equal(bspi_base_axes(west_or_south, axes), 0);
    assert_int_equal(bspi_base_axes(ceiling_or_south, axes), 2);
}

static double random_in(test_random *random, double low, double high) {
    return low + (high - low) * (double)random_u32(random) / 4294967296.0;
}

static void random_normal(test_random *random, double normal[3]) {
    double length = 0;
    while (length < 0.1) {
        for (int i = 0; i < 3; i++) {
            normal[i] = random_in(random, -1, 1);
        }
        length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    }
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
}

// A point of the plane.
static void random_point(test_random *random, const double normal[3], double dist, double at[3]) {
    double off = dist;
    for (int i = 0; i < 3; i++) {
        at[i] = random_in(random, -1000, 1000);
        off -= at[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) {
        at[i] += normal[i] * off;
    }
}

static double texel(const double vec[4], const double at[3]) {
    return vec[0] * at[0] + vec[1] * at[1] + vec[2] * at[2] + vec[3];
}

// Vectors are changed along the normal at will: on the plane nothing may be seen of it.
static void test_shift_keeps_the_plane(void **state) {
    (void)state;
    test_random random = {4};
    for (int n = 0; n < 2000; n++) {
        double normal[3];
        random_normal(&random, normal);
        double dist = random_in(&random, -500, 500);
        bspi_shift want = {{random_in(&random, -99, 99), random_in(&random, -99, 99)},
                           random_in(&random, -180, 180),
                           {random_in(&random, 0.1, 4), random_in(&random, -4, -0.1)}};
        double vec[2][4];
        bspi_shift_to_vec(normal, &want, vec);
        bsp_mapdoc_side leaning = {.dist = dist};
        for (int i = 0; i < 2; i++) {
            double along = random_in(&random, -2, 2);
            for (int k = 0; k < 3; k++) {
                leaning.vec[i][k] = vec[i][k] + along * normal[k];
            }
            leaning.vec[i][3] = vec[i][3] - along * dist;
        }
        double centre[3];
        random_point(&random, normal, dist, centre);
        bspi_shift got;
        const bsp_mapdoc_side *side = &leaning;
        assert_true(bspi_vec_to_shift(normal, dist, centre, side->vec, &got));
        double back[2][4];
        bspi_shift_to_vec(normal, &got, back);
        for (int i = 0; i < 2; i++) {
            expect_near(texel(back[i], centre), texel(vec[i], centre), 1e-7);
        }
    }
}

// What leans: S is right everywhere on the plane, T at the centre.
static void test_shift_leaning(void **state) {
    (void)state;
    const double normal[3] = {0, 0, 1};
    const double vec[2][4] = {{1, 0, 0, 7}, {0.5, -1, 0, 9}};
    const double centre[3] = {10, 20, 5};
    bspi_shift shift;
    assert_false(bspi_vec_to_shift(normal, 5, centre, vec, &shift));
    double back[2][4];
    bspi_shift_to_vec(normal, &shift, back);
    for (int k = 0; k < 4; k++) {
        expect_near(back[0][k], vec[0][k], 1e-12);
    }
    expect_near(back[1][0], 0, 1e-12);
    expect_near(back[1][1], -1, 1e-12);
    expect_near(texel(back[1], centre), 0.5 * 10 - 20 + 9, 1e-12);
}

// --- axes ---------------------------------------------------------------------------------------

// The example of the sheet: texel u = p . axis / scale + offset; Source's quarter unit a texel.
static void test_axes(void **state) {
    (void)state;
    const double vec[2][4] = {{4, 0, 0, 16}, {0, 0, -2, -3}};
    bspi_axes axes;
    bspi_vec_to_axes(vec, &axes);
    assert_true(axes.axis[0][0] == 1 && axes.scale[0] == 0.25 && axes.offset[0] == 16);
    assert_true(axes.axis[1][2] == -1 && axes.scale[1] == 0.5 && axes.offset[1] == -3);
    double back[2][4];
    bspi_axes_to_vec(&axes, back);
    assert_memory_equal(vec, back, sizeof vec);
}

static void test_sound(void **state) {
    (void)state;
    const double up[3] = {0, 0, 1};
    const double flat[2][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}};
    const double upright[2][4] = {{1, 0, 0, 0}, {0, 0, 1, 0}};
    const double none[2][4] = {{1, 0, 0, 0}, {0, 0, 0, 0}};
    const double same[2][4] = {{1, 0, 0, 0}, {-2, 0, 0, 0}};
    const double nan_offset[2][4] = {{1, 0, 0, NAN}, {0, 1, 0, 0}};
    assert_true(bspi_mapping_is_sound(up, flat));
    assert_false(bspi_mapping_is_sound(up, upright));
    assert_false(bspi_mapping_is_sound(up, none));
    assert_false(bspi_mapping_is_sound(up, same));
    assert_false(bspi_mapping_is_sound(up, nan_offset));
}

// --- brush primitives ---------------------------------------------------------------------------

// By hand from the angles: a wall to +x has X along +y and Y along -z; a wall to +y X along -x; the
// floor, where the second angle is -90 degrees, X along +y and Y along +x.
static void test_primitive_axes(void **state) {
    (void)state;
    static const struct {
        double normal[3];
        double axes[2][3];
    } rows[] = {{{1, 0, 0}, {{0, 1, 0}, {0, 0, -1}}},    {{-1, 0, 0}, {{0, -1, 0}, {0, 0, -1}}},
                {{0, 1, 0}, {{-1, 0, 0}, {0, 0, -1}}},   {{0, -1, 0}, {{1, 0, 0}, {0, 0, -1}}},
                {{0, 0, 1}, {{0, 1, 0}, {1, 0, 0}}},     {{0, 0, -1}, {{0, 1, 0}, {-1, 0, 0}}},
                {{1e-7, 0, 1}, {{0, 1, 0}, {1, 0, 0}}},  {{R2, R2, 0}, {{-R2, R2, 0}, {0, 0, -1}}},
                {{R2, 0, R2}, {{0, 1, 0}, {R2, 0, -R2}}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double axes[2][3];
        bspi_primitive_axes(rows[i].normal, axes);
        for (int k = 0; k < 6; k++) {
            expect_near(axes[k / 3][k % 3], rows[i].axes[k / 3][k % 3], 1e-12);
        }
    }
}

// One repeat of a texture of 64 x 128, shifted by a quarter, on a wall to +x.
static void test_matrix_fact(void **state) {
    (void)state;
    const double normal[3] = {1, 0, 0};
    const double vec[2][4] = {{0, 1, 0, 16}, {0, 0, -1, 32}};
    const uint32_t size[2] = {64, 128};
    double matrix[2][3];
    bspi_vec_to_matrix(normal, 40, vec, size, matrix);
    const double want[2][3] = {{1.0 / 64, 0, 0.25}, {0, 1.0 / 128, 0.25}};
    assert_memory_equal(matrix, want, sizeof want);
}

static void test_matrix_keeps_the_plane(void **state) {
    (void)state;
    test_random random = {5};
    const uint32_t size[2] = {64, 32};
    for (int n = 0; n < 2000; n++) {
        double normal[3];
        random_normal(&random, normal);
        if (n % 2 == 0) { // a component that the axes do without, but the plane does not
            normal[n / 2 % 3] = 0;
            double length =
                sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
            for (int i = 0; i < 3; i++) {
                normal[i] /= length;
            }
            normal[n / 2 % 3] = 9e-7;
        }
        double dist = random_in(&random, -500, 500);
        bsp_mapdoc_side side = {.dist = dist};
        for (int i = 0; i < 8; i++) {
            side.vec[i / 4][i % 4] = random_in(&random, -4, 4);
        }
        const bsp_mapdoc_side *want = &side;
        double matrix[2][3];
        double back[2][4];
        bspi_vec_to_matrix(normal, dist, want->vec, size, matrix);
        bspi_matrix_to_vec(normal, matrix[0], matrix[1], back);
        double at[3];
        random_point(&random, normal, dist, at);
        for (int i = 0; i < 2; i++) {
            expect_near(texel(back[i], at) * size[i], texel(side.vec[i], at), 1e-7);
        }
    }
}

// --- decimals -----------------------------------------------------------------------------------

static void expect_decimal(double value, double tolerance, const char *want) {
    char text[BSPI_DECIMAL_TEXT + 1];
    text[bspi_format_places(text, value, bspi_places(value, tolerance))] = '\0';
    assert_string_equal(text, want);
}

static void test_decimals(void **state) {
    (void)state;
    expect_decimal(0, 1e-6, "0");
    expect_decimal(-0.0, 1e-6, "0");
    expect_decimal(-1e-9, 1e-6, "0");
    expect_decimal(-64, 0, "-64");
    expect_decimal(0.5, 1e-6, "0.5");
    expect_decimal(-0.25, 0, "-0.25");
    expect_decimal(1.0 / 3, 1e-6, "0.333333");
    expect_decimal(1e-5, 1e-9, "0.00001");
    expect_decimal(100000000, 0, "100000000");
    expect_decimal(16777216.5, 1e-3, "16777216.5");
    expect_decimal(1e300, 1e-6, "1000000000");
    expect_decimal(-INFINITY, 1e-6, "-1000000000");
    expect_decimal(NAN, 1e-6, "0");
    expect_decimal(999999999.999999, 1e-12, "999999999.999999");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shift_facts),   cmocka_unit_test(test_shift_back),
        cmocka_unit_test(test_base_order),    cmocka_unit_test(test_shift_keeps_the_plane),
        cmocka_unit_test(test_shift_leaning), cmocka_unit_test(test_axes),
        cmocka_unit_test(test_sound),         cmocka_unit_test(test_primitive_axes),
        cmocka_unit_test(test_matrix_fact),   cmocka_unit_test(test_matrix_keeps_the_plane),
        cmocka_unit_test(test_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
