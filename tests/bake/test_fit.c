// SPDX-License-Identifier: MIT
// Numbers are found again out of sums of theirs, of which some are far off; and never beyond their
// bounds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/base/fit.h"
#include "support/effort.h"
#include "support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROWS 2000u
#define ROUNDS 20u

typedef struct problem {
    bspi_fit fit;
    bspi_fit_number numbers[BSPI_FIT_MOST];
    float told[BSPI_FIT_MOST];
    bspi_fit_row rows[ROWS];
    float parts[ROWS * BSPI_FIT_MOST];
} problem;

// Every `bad`th row is off by much, and every seventh of the others does not count.
static void make_problem(test_random *random, uint32_t bad, problem *p) {
    memset(p, 0, sizeof *p);
    p->fit = (bspi_fit){.numbers = p->numbers,
                        .count = 1 + (uint32_t)random_below(random, BSPI_FIT_MOST),
                        .rows = p->rows,
                        .num_rows = ROWS,
                        .parts = p->parts};
    for (uint32_t i = 0; i < p->fit.count; i++) {
        p->told[i] = 500 + 500 * random_unit(random);
        p->numbers[i].most = FLT_MAX;
    }
    for (uint32_t n = 0; n < ROWS; n++) {
        float sum = 0;
        for (uint32_t i = 0; i < p->fit.count; i++) {
            float part = fmaxf(0, random_unit(random)); // many get nothing of one
            p->parts[n * p->fit.count + i] = part;
            sum += part * p->told[i];
        }
        bool off = n % bad == 0;
        bool counts = off || n % 7 != 0;
        p->rows[n] =
            (bspi_fit_row){.sum = off || !counts ? sum + 1500 + 1500 * random_unit(random) : sum,
                           .weight = counts ? 1 : 0};
    }
}

static void find(problem *p) {
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    assert_true(bspi_fit_find(&p->fit, &heap, NULL));
}

static void test_found(void **state) {
    (void)state;
    static problem p;
    test_random random = {83};
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        make_problem(&random, 10, &p);
        find(&p);
        for (uint32_t i = 0; i < p.fit.count; i++) {
            assert_true(fabsf(p.numbers[i].value - p.told[i]) < 2 + 0.01f * p.told[i]);
        }
    }
}

static void test_bounds(void **state) {
    (void)state;
    static problem p;
    test_random random = {89};
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        make_problem(&random, 10, &p);
        p.numbers[0].most = p.told[0] / 2;
        p.numbers[p.fit.count - 1].least = p.told[p.fit.count - 1] + 100;
        p.numbers[p.fit.count - 1].most = FLT_MAX;
        find(&p);
        for (uint32_t i = 0; i < p.fit.count; i++) {
            const bspi_fit_number *number = &p.numbers[i];
            assert_true(number->value >= number->least && number->value <= number->most);
        }
        assert_true(p.fit.count == 1 || p.numbers[0].value == p.numbers[0].most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found), cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
