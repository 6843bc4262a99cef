// SPDX-License-Identifier: MIT
// Places that were not measured take the mean of those around them, one pass after the other, and
// each pass is paid for. Those of Quake 3 are mixed with what is beside them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/drawn_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 4000u

// Fills a line of places of which one was measured, from first to last in each pass. Returns how
// many have light then, or 0 if the work is not enough.
static uint32_t fill_line(uint32_t lit, uint64_t work) {
    const bsp_limits limits = {.work = work};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bspi_relight own = {.num_lamps = 0};
    bspi_places places = {.count = COUNT, .width = 1, .height = COUNT, .extra = 1, .step = 1};
    float(*sums)[3] = calloc(COUNT, sizeof *sums);
    bool *known = calloc(COUNT, sizeof *known);
    bsp_error error;
    places.lit = calloc(COUNT, sizeof *places.lit);
    assert_true(budget != NULL && sums != NULL && known != NULL && places.lit != NULL);
    bspi_heap_init_for(&own.heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
    places.lit[lit] = true;
    sums[lit][0] = 3;
    bool done = bspi_gather_fill(&own, &places, known, sums, &error);
    uint32_t count = 0;
    for (uint32_t n = 0; done && n < COUNT; n++) {
        count += known[n] && sums[n][0] >= 3 && sums[n][0] <= 3;
    }
    assert_true(done || error.code == BSP_E_LIMIT);
    bsp_budget_free(budget);
    free(places.lit);
    free(known);
    free(sums);
    return count;
}

// Down the line one pass is enough; up it there are as many as places, so that the work grows with
// the square of these.
static void test_line(void **state) {
    (void)state;
    assert_int_equal(fill_line(0, COUNT), COUNT);
    assert_int_equal(fill_line(COUNT - 1, COUNT), 0);
    assert_int_equal(fill_line(COUNT - 1, (uint64_t)COUNT * COUNT), COUNT);
}

// As -filter of q3map2: what is beside a place counts half, what is aslant a quarter, and what is
// in solid or beyond the edge nothing.
static void test_filter(void **state) {
    (void)state;
    static const float plain[9] = {16 / 9.0f, 8 / 3.0f,  16 / 9.0f, 8 / 3.0f, 4,
                                   8 / 3.0f,  16 / 9.0f, 8 / 3.0f,  16 / 9.0f};
    // Without the first place: its neighbours lose a weight of 0.5, the middle one of 0.25.
    static const float cut[9] = {0,        3.2f,      16 / 9.0f, 3.2f,     64 / 15.0f,
                                 8 / 3.0f, 16 / 9.0f, 8 / 3.0f,  16 / 9.0f};
    bspi_relight own = {.num_lamps = 0};
    bool lit[9];
    bspi_heap_init(&own.heap, NULL, 0);
    for (int first = 1; first >= 0; first--) {
        const float *wanted = first != 0 ? plain : cut;
        float sums[9][3] = {{0}};
        memset(lit, true, sizeof lit);
        lit[0] = first != 0;
        const bspi_places places = {
            .count = 9, .width = 3, .height = 3, .extra = 1, .step = 1, .lit = lit};
        sums[4][1] = 16;
        assert_true(bspi_filter_mix(&own, &places, 1, sums, NULL));
        for (int n = 0; n < 9; n++) {
            assert_true(fabsf(sums[n][1] - wanted[n]) < 1e-5f && !(fabsf(sums[n][0]) > 0));
        }
    }
}

// Over two places on each side, those in between count whole: the weights 0.5, 1, 1, 1, 0.5.
static void test_filter_wide(void **state) {
    (void)state;
    bool lit[7] = {true, true, true, true, true, true, true};
    float sums[7][3] = {{0}};
    bspi_relight own = {.num_lamps = 0};
    const bspi_places places = {
        .count = 7, .width = 7, .height = 1, .extra = 1, .step = 1, .lit = lit};
    bspi_heap_init(&own.heap, NULL, 0);
    sums[3][0] = 8;
    assert_true(bspi_filter_mix(&own, &places, 2, sums, NULL));
    assert_true(fabsf(sums[0][0]) < 1e-6f && fabsf(sums[6][0]) < 1e-6f); // three places away
    for (int n = 2; n <= 4; n++) {
        assert_true(fabsf(sums[n][0] - 2) < 1e-5f);
    }
    for (int n = 1; n <= 5; n += 4) { // the edge cuts half a place off
        assert_true(fabsf(sums[n][0] - 4 / 3.5f) < 1e-5f);
    }
}

// How far it goes: as many whole places as the units of a lamp or of the surface hold, at least
// one.
static void test_filter_reach(void **state) {
    (void)state;
    bspi_drawn drawn = {.num_pages = 0};
    bspi_relight own = {.drawn = &drawn};
    bspi_places places = {.width = 40, .height = 40, .extra = 1, .step = 1, .unit = 16};
    assert_int_equal(bspi_filter_reach(&own, &places, 0), 0);
    assert_int_equal(bspi_filter_reach(&own, &places, 1), 1);
    assert_int_equal(bspi_filter_reach(&own, &places, 47), 2);
    assert_int_equal(bspi_filter_reach(&own, &places, INFINITY), 40);
    places.filter = 64;
    assert_int_equal(bspi_filter_reach(&own, &places, 47), 4);
    places.extra = 2;
    assert_int_equal(bspi_filter_reach(&own, &places, 0), 8);
    places.filter = 0;
    drawn.told.filter = true;
    assert_int_equal(bspi_filter_reach(&own, &places, 0), 1);
    places.unit = 0; // vertices
    assert_int_equal(bspi_filter_reach(&own, &places, 100), 0);
}

// As -dark of q3map2: two places without light count among those that one in solid takes of.
static void test_dark(void **state) {
    (void)state;
    bspi_relight own = {.drawn = NULL};
    bool lit[3] = {true, false, true};
    bool known[3];
    float sums[3][3] = {{8, 0, 0}, {0, 0, 0}, {4, 0, 0}};
    const bspi_places places = {.count = 3,
                                .width = 3,
                                .height = 1,
                                .extra = 1,
                                .step = 1,
                                .lit = lit,
                                .once = true,
                                .seam = 2};
    bspi_heap_init(&own.heap, NULL, 0);
    assert_true(bspi_gather_fill(&own, &places, known, sums, NULL));
    assert_true(known[1] && fabsf(sums[1][0] - 3) < 1e-6f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line), cmocka_unit_test(test_filter), cmocka_unit_test(test_dark),
        cmocka_unit_test(test_filter_wide), cmocka_unit_test(test_filter_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
