// SPDX-License-Identifier: MIT
// Lines through liquids, eight at once and one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/shadows/shaft_eight.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>

#define ROUNDS 2000u
#define MIXED                                                                                      \
    { .solid = true, .open = BSPI_BELOW_MIXED }

// Air above 0; below it water, and lava beyond a slope; solid below -40.
static const bspi_shaft_node nodes[] = {
    {.normal = {0, 0, 1}, .dist = 0, .axis = 2, .children = {-1, 1}, .below = MIXED},
    {.normal = {0, 0, 1}, .dist = -40, .axis = 2, .children = {2, -2}, .below = MIXED},
    {.normal = {0.6f, 0, 0.8f}, .dist = 8, .axis = 3, .children = {-3, -5}, .below = MIXED},
};

// The same, in which nothing is known to be in air.
static const bspi_shafts tree = {.nodes = nodes,
                                 .num_nodes = 3,
                                 .liquids = true,
                                 .mins = {-INFINITY, -INFINITY, -INFINITY},
                                 .maxs = {INFINITY, INFINITY, INFINITY}};

static float number(test_random *random) {
    return (float)(uint32_t)random_below(random, 1600) / 16 - 50;
}

static void test_stays(void **state) {
    (void)state;
    const bspi_shafts shafts = tree;
    const float air[3] = {0, 0, 9};
    const float water[3] = {90, 0, -9};
    const float deep[3] = {90, 0, -90};
    const float lava[3] = {-90, 0, -9};
    assert_false(bspi_shaft_stays(&shafts, air, water));
    assert_true(bspi_shaft_stays(&shafts, deep, water)); // what is solid does not count
    assert_false(bspi_shaft_stays(&shafts, water, lava));
    assert_true(bspi_shaft_stays(&shafts, water, water));
}

static void test_eight(void **state) {
    (void)state;
    const bspi_shafts shafts = tree;
    bspi_shaft_eight_fn *functions[] = {bspi_shaft_eight_base, bspi_shaft_eight_here()};
    test_random random = {77};
    unsigned stay = 0;
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        bspi_shaft_lines lines = {.lanes = (uint32_t)random_below(&random, 256)};
        uint32_t changes = 0;
        for (uint32_t n = 0; n < BSPI_SHAFT_LANES; n++) {
            float from[3];
            float to[3];
            for (int i = 0; i < 3; i++) {
                lines.from[i][n] = from[i] = number(&random);
                lines.to[i][n] = to[i] = number(&random);
            }
            changes |= (uint32_t)!bspi_shaft_stays(&shafts, from, to) << n;
        }
        for (int k = 0; k < 2; k++) {
            assert_true(functions[k](&shafts, &lines));
            assert_int_equal(lines.changes, changes & lines.lanes);
        }
        stay += changes != 0xFF;
    }
    assert_true(stay > test_effort(ROUNDS) / 4);
}

// Lines above the water are in air, and others may not be: the same is found with the box around
// all liquids.
static void test_air(void **state) {
    (void)state;
    bspi_shafts shafts = tree;
    test_random random = {78};
    unsigned in_air = 0;
    bspi_shafts_enclose(&shafts);
    assert_true(shafts.maxs[2] >= 0 && shafts.maxs[2] < 2);
    assert_true(shafts.mins[2] <= -40 && isinf(shafts.mins[0]) && isinf(shafts.maxs[1]));
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        float from[3];
        float to[3];
        for (int i = 0; i < 3; i++) {
            from[i] = number(&random);
            to[i] = number(&random);
        }
        bool above = from[2] > shafts.maxs[2] && to[2] > shafts.maxs[2];
        assert_int_equal(bspi_shaft_in_air(&shafts, from, to),
                         above || (from[2] < shafts.mins[2] && to[2] < shafts.mins[2]));
        assert_int_equal(bspi_shaft_stays(&shafts, from, to), bspi_shaft_stays(&tree, from, to));
        in_air += above;
    }
    assert_true(in_air > test_effort(ROUNDS) / 8);
}

// A node that is below itself ends, too: one line is then to tell.
static void test_circle(void **state) {
    (void)state;
    const bspi_shaft_node circle = {.normal = {0, 0, 1}, .axis = 2, .below = MIXED};
    const bspi_shafts shafts = {.nodes = &circle, .num_nodes = 1, .liquids = true};
    bspi_shaft_lines lines = {.lanes = 0xFF};
    assert_false(bspi_shaft_eight_base(&shafts, &lines));
    assert_false(bspi_shaft_eight_here()(&shafts, &lines));
    bspi_shafts boxed = shafts;
    bspi_shafts_enclose(&boxed);
    assert_true(isinf(boxed.mins[2]) && isinf(boxed.maxs[2]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stays), cmocka_unit_test(test_eight),
                                       cmocka_unit_test(test_air), cmocka_unit_test(test_circle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
