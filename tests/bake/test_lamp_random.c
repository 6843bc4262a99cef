// SPDX-License-Identifier: MIT
// Numbers by which lights are spread: those of rand() in the GNU C library, of which the first ones
// are known from many places (1804289383, 846930886, 1681692777, 1714636915, 1957747793).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/base/random.h"

#include <math.h>

static void test_sequence(void **state) {
    static const double wanted[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793,
                                    424238335,  719885386, 1649760492, 596516649,  1189641421};
    bspi_random random;
    (void)state;
    bspi_random_begin(&random);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        double value = wanted[i] / 2147483647.0 * 2 - 1;
        assert_true(fabs((double)bspi_random_next(&random) - value) < 1e-6);
    }
    bspi_random_begin(&random);
    bspi_random_skip(&random, 8);
    assert_true(fabs((double)bspi_random_next(&random) - (wanted[8] / 2147483647.0 * 2 - 1)) <
                1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
