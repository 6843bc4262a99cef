// SPDX-License-Identifier: MIT
// Decimals of map documents, against the C library: each is the nearest with so many places, and
// no shorter one is as near as asked for.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "mapdoc/numbers.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static test_random numbers = {88172645463325252u};

static uint32_t below(uint32_t limit) {
    return (uint32_t)random_below(&numbers, limit);
}

// Values of all magnitudes, as floats, doubles, halves and whole numbers.
static double some_value(void) {
    double unit = random_u32(&numbers) * 0x1p-32 + random_u32(&numbers) * 0x1p-64;
    double value = ldexp(unit, (int)below(44) - 14);
    switch (below(5)) {
    case 0:
        value = (double)(float)value;
        break;
    case 1:
        value = floor(value);
        break;
    case 2:
        value = floor(value * 8) / 8;
        break;
    case 3:
        value = floor(value) + 1e-7 * unit;
        break;
    default:
        break;
    }
    return below(2) == 0 ? value : -value;
}

// What printf writes, without zeros at the end and without the sign of zero.
static void print_plainly(char *out, size_t size, double value, unsigned places) {
    (void)snprintf(out, size, "%.*f", (int)places, value);
    if (strchr(out, '.') != NULL) {
        size_t end = strlen(out);
        for (; out[end - 1] == '0'; end--) {
        }
        out[out[end - 1] == '.' ? end - 1 : end] = '\0';
    }
    if (strcmp(out, "-0") == 0) {
        strcpy(out, "0");
    }
}

// printf rounds the exact value, this library its product with a power of ten: they may differ
// where that is within rounding of half a unit.
static bool is_half(double value, unsigned places) {
    double scaled = fabs(value) * pow(10, places);
    return fabs(scaled - floor(scaled) - 0.5) <= scaled * 4e-16;
}

static void test_format(void **unused) {
    (void)unused;
    uint32_t compared = 0;
    for (int i = 0; i < 200000; i++) {
        double value = some_value();
        unsigned places = below(7); // values below 2^30: all digits are kept
        char wanted[64];
        char text[BSPI_DECIMAL_TEXT + 1];
        if (fabs(value) > 1e9 || is_half(value, places)) {
            continue;
        }
        if (value == floor(value)) {
            places = 0;
        }
        size_t size = bspi_format_places(text, value, places);
        assert_true(size <= BSPI_DECIMAL_TEXT);
        text[size] = '\0';
        print_plainly(wanted, sizeof wanted, value, places);
        assert_string_equal(text, wanted);
        assert_true(strtod(text, NULL) == bspi_round_places(value, places));
        compared++;
    }
    assert_true(compared > 150000);
}

// The definition: the first number of places that is near enough.
static unsigned places_by_trial(double value, double tolerance) {
    unsigned places = 0;
    while (places < BSPI_MOST_PLACES &&
           !(fabs(bspi_round_places(value, places) - value) <= tolerance)) {
        places++;
    }
    return places;
}

static void test_places(void **unused) {
    (void)unused;
    uint32_t seen[BSPI_MOST_PLACES + 1] = {0};
    for (int i = 0; i < 200000; i++) {
        double value = some_value();
        double tolerance = ldexp(1, -(int)below(48));
        if (below(4) == 0) { // exactly as far as a decimal is: the border of the rule
            tolerance = fabs(bspi_round_places(value, below(8)) - value);
        }
        unsigned places = bspi_places(value, tolerance);
        assert_int_equal(places, places_by_trial(value, tolerance));
        seen[places]++;
    }
    for (unsigned p = 0; p <= 10; p++) {
        assert_true(seen[p] != 0);
    }
}

static void test_borders(void **unused) {
    (void)unused;
    static const struct {
        double value;
        unsigned places;
        const char *text;
    } rows[] = {{0, 6, "0"},
                {-0.0, 6, "0"},
                {-4e-7, 6, "0"},
                {-6e-7, 6, "-0.000001"},
                {0.5, 0, "1"},
                {-0.5, 0, "-1"},
                {99.9999999, 6, "100"},
                {1e12, 3, "1000000000"},
                {-1e300, 12, "-1000000000"},
                {(double)NAN, 3, "0"},
                {1234567890.5, 1, "1000000000"},
                {999999999.5, 1, "999999999.5"},
                {0.000000000001, 12, "0.000000000001"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[BSPI_DECIMAL_TEXT + 1];
        text[bspi_format_places(text, rows[i].value, rows[i].places)] = '\0';
        assert_string_equal(text, rows[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
