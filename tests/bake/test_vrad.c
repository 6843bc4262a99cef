// SPDX-License-Identifier: MIT
// What pieces of surfaces take of each other by the rules of vrad. The figures are worked out by
// hand: far ones give area * cosines / distance^2, near ones half the sum over their edges of the
// angle, by its sine, times the cosine of the edge's plane.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/vrad/vrad.h"

static const bspi_vrad_patch floor_patch = {.normal = {0, 0, 1}};

// A square ceiling of 16 units, 200 above: 256 * 1 * 1 / 40000.
static void test_far(void **state) {
    (void)state;
    static const float corners[4][3] = {{-8, -8, 200}, {8, -8, 200}, {8, 8, 200}, {-8, 8, 200}};
    bspi_vrad_patch from = {.corners = corners,
                            .num_corners = 4,
                            .area = 256,
                            .middle = {0, 0, 200},
                            .normal = {0, 0, -1}};
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 0.0064f, 1e-6f);
    from.normal[2] = 1; // turned away
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 0, 1e-6f);
}

// One of 64 units, 16 above: each corner is at (2, 2, 1) / 3. The sine between two is sqrt(80) / 9,
// whose angle is 1.45946, and their plane leans by 8 / sqrt(80): half of four times 1.30539.
static void test_near(void **state) {
    (void)state;
    static const float corners[4][3] = {{-32, -32, 16}, {32, -32, 16}, {32, 32, 16}, {-32, 32, 16}};
    static const float turned[4][3] = {{-32, 32, 16}, {32, 32, 16}, {32, -32, 16}, {-32, -32, 16}};
    bspi_vrad_patch from = {.corners = corners,
                            .num_corners = 4,
                            .area = 4096,
                            .middle = {0, 0, 16},
                            .normal = {0, 0, -1}};
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 2.61078f, 1e-4f);
    from.corners = turned; // which way round they are listed does not matter
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 2.61078f, 1e-4f);
}

// A wall that is 64 wide and 34 high, two units beside a place at its foot. Its lower edge fills
// 172.8 degrees, whose sine is 0.124514: vrad takes an angle of 0.124838 for it. The upper one has
// a sine of 0.998061, an angle of 1.508507 and leans by 0.058722: 0.088583. The edges beside do not
// count. Half of the difference is left; what it truly fills is 1.464.
static void test_beside(void **state) {
    (void)state;
    static const float corners[4][3] = {{-32, 2, 0}, {32, 2, 0}, {32, 2, 34}, {-32, 2, 34}};
    const bspi_vrad_patch from = {.corners = corners,
                                  .num_corners = 4,
                                  .area = 64 * 34,
                                  .middle = {0, 2, 17},
                                  .normal = {0, -1, 0}};
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 0.018127f, 1e-4f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
