// SPDX-License-Identifier: MIT
// Numbers as text and back, held against the C library: floats of any bits, powers, whole numbers,
// and texts that are none.
#include "bspkit/core.h"
#include "core/text.h"
#include "support/effort.h"
#include "support/floats.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Floats that are tried: all of them in make test-all.
static unsigned patterns(void) {
    return test_effort(3000000 / test_step(5));
}

// --- floats -------------------------------------------------------------------------------------

static unsigned significant_digits(const char *text) {
    unsigned count = 0;
    unsigned zeros = 0; // trailing so far
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        } else if (*text == '0' && count != 0) {
            zeros++;
        }
    }
    return count;
}

static unsigned shortest_digits(float value) {
    char text[64];
    for (int digits = 1; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, (double)value);
        if (strtof(text, NULL) == value) {
            return (unsigned)digits;
        }
    }
    return 9;
}

static void check_float(float value, bool shortest) {
    char text[BSP_FLOAT_TEXT];
    float back = 0;
    size_t size = bsp_format_float(text, value);
    if (size != strlen(text) || bits_of(strtof(text, NULL)) != bits_of(value)) {
        fail_msg("%a is written as %s", (double)value, text);
    }
    if (!bsp_parse_float(bsp_text_of(text), &back) || bits_of(back) != bits_of(value)) {
        fail_msg("%s is read as %a, not %a", text, (double)back, (double)value);
    }
    bool whole = fabsf(value) < 1e9F && floorf(value) == value; // written exactly
    if (shortest && !whole && significant_digits(text) > shortest_digits(value)) {
        fail_msg("%s has more than %u digits", text, shortest_digits(value));
    }
}

static void test_float_any_bits(void **state) {
    (void)state;
    test_random random = {0x9E3779B97F4A7C15};
    for (uint32_t i = 0; i < patterns(); i++) {
        float value = float_of(random_u32(&random));
        if (isfinite(value)) {
            check_float(value, i % 4 == 0);
        }
    }
}

// What maps are full of: coordinates on a grid, and parts of unit vectors.
static void test_float_map_values(void **state) {
    (void)state;
    test_random random = {42};
    for (uint32_t i = 0; i < patterns() / 4; i++) {
        float grid = (float)((int32_t)(random_u32(&random) % 524288) - 262144);
        float unit = (float)(int32_t)random_u32(&random) / 2147483648.0F;
        check_float(grid / 8, true);
        check_float(grid / 1000, true);
        check_float(unit, true);
    }
}

// Below a power of two floats lie twice as close as above.
static void test_float_powers(void **state) {
    (void)state;
    for (int exponent = -149; exponent < 128; exponent++) {
        float value = ldexpf(1, exponent);
        check_float(value, true);
        check_float(nextafterf(value, 0), true);
        check_float(nextafterf(value, INFINITY), true);
    }
}

// The text by trying: from 1e-5 to 1e9 decimals of ever more places (whole numbers as they are),
// the nearest of which must lie within 0.4999999 units of the float's last place (half of that
// below a power of two); where eleven places are not enough, and for all other floats, ever more
// digits as printf rounds them, until they read back.
static void float_by_trying(char text[64], float value) {
    int exponent;
    double wide = fabs((double)value);
    bool is_power = frexp(wide, &exponent) == 0.5;
    double above = ldexp(0.4999999, exponent - 24);
    for (int places = 0; wide >= 1e-5F && wide < 1e9 && places < 12; places++) {
        double nearest = floor(wide * pow(10, places) + 0.5) / pow(10, places);
        double error = nearest - wide;
        if (nearest != 0 && error < above && error > (is_power ? -above / 2 : -above)) {
            snprintf(text, 64, "%.*f", places, value < 0 ? -nearest : nearest);
            return;
        }
    }
    for (int digits = 1; digits < 10; digits++) {
        snprintf(text, 64, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            return;
        }
    }
}

static void expect_as_by_trying(float value) {
    char text[BSP_FLOAT_TEXT];
    char wanted[64];
    if (isfinite(value)) {
        bsp_format_float(text, value);
        float_by_trying(wanted, value);
        if (strcmp(text, wanted) != 0) {
            fail_msg("%a is written as %s, not %s", (double)value, text, wanted);
        }
    }
}

static void test_float_by_trying(void **state) {
    (void)state;
    test_random random = {7};
    for (uint32_t i = 0; i < patterns() / 8; i++) {
        uint32_t bits = random_u32(&random);
        float unit = (float)(int32_t)bits / 2147483648.0F;
        expect_as_by_trying(float_of(bits));
        expect_as_by_trying(unit);
        expect_as_by_trying(unit * 1e-4F); // where places give way to digits
        expect_as_by_trying(unit * 1e5F);
        expect_as_by_trying((float)(int32_t)(bits % 100000) / 100);
    }
    for (int exponent = -149; exponent < 128; exponent++) {
        float value = ldexpf(1, exponent);
        expect_as_by_trying(value);
        expect_as_by_trying(nextafterf(value, 0));
        expect_as_by_trying(-nextafterf(value, INFINITY));
    }
}

static void test_integers(void **state) {
    (void)state;
    test_random random = {8};
    for (uint32_t i = 0; i < patterns() / 8; i++) {
        uint64_t number = (uint64_t)random_u32(&random) << 32 | random_u32(&random);
        number >>= i % 64;
        number = i < 40 ? UINT64_MAX - i : i < 80 ? UINT32_MAX + UINT64_C(60) - i : number;
        char text[21] = {0};
        char wanted[24];
        text[bspi_format_uint(text, number)] = '\0';
        snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)number);
        assert_string_equal(text, wanted);
        text[bspi_format_int(text, (int64_t)number)] = '\0';
        snprintf(wanted, sizeof wanted, "%lld", (long long)number);
        assert_string_equal(text, wanted);
    }
}

static void test_float_known(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } rows[] = {
        {0.0F, "0"},
        {-0.0F, "-0"},
        {1.0F, "1"},
        {-64.0F, "-64"},
        {0.1F, "0.1"},
        {0.5F, "0.5"},
        {100.0F, "100"},
        {16777216.0F, "16777216"},
        {0.70710677F, "0.70710677"},
        {3.4028235e38F, "3.4028235e+38"},
        {1e-45F, "1e-45"},
        {-0.00390625F, "-0.00390625"},
        {123456789.0F, "123456792"},  // whole numbers are exact
        {0x1p-96F, "1.26217745e-29"}, // 1.2621774e-29, the nearest, reads as another float
        {0x1p90F, "1.23794004e+27"},
        {12345.678e-9F, "1.2345678e-05"}, // eleven places are not enough
        {0.00012345678F, "0.00012345678"},
        {0.3F, "0.3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[BSP_FLOAT_TEXT];
        bsp_format_float(text, rows[i].value);
        assert_string_equal(text, rows[i].text);
    }
    char text[BSP_FLOAT_TEXT];
    assert_int_equal(bsp_format_float(text, NAN), 3);
    assert_string_equal(text, "nan");
    assert_int_equal(bsp_format_float(text, -INFINITY), 4);
    assert_string_equal(text, "-inf");
}

static void test_parse_float(void **state) {
    (void)state;
    static const struct {
        const char *text;
        float value;
    } good[] = {
        {"1", 1},
        {" -2.5\t", -2.5F},
        {"+.5", 0.5F},
        {"5.", 5},
        {"1e3", 1000},
        {"1E-2", 0.01F},
        {"123456789012345678901234567890", 123456789012345678901234567890.0F},
        {"0.000000000000000000000000000000000000000000001", 1e-45F},
        {"1e99", INFINITY},
        {"1e-99", 0},
    };
    static const char *const bad[] = {"",    " ",    "-",   ".",   "e5",  "1e",    "1e+",
                                      "1,5", "0x10", "1 2", "nan", "inf", "1.2.3", "--1"};
    float value = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(bsp_parse_float(bsp_text_of(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (bsp_parse_float(bsp_text_of(bad[i]), &value)) {
            fail_msg("'%s' is read as a number", bad[i]);
        }
    }
}

// A decimal near the middle between two floats rounds as strtof has it, for numbers that maps hold.
static void test_parse_float_rounding(void **state) {
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 200000; i++) {
        float value = float_of(random_u32(&random));
        float next = nextafterf(value, INFINITY);
        if (!(fabsf(value) > 1e-9F && fabsf(value) < 1e9F)) {
            continue;
        }
        char text[64];
        float back = 0;
        snprintf(text, sizeof text, "%.15g", ((double)value + (double)next) / 2);
        assert_true(bsp_parse_float(bsp_text_of(text), &back));
        if (bits_of(back) != bits_of(strtof(text, NULL))) {
            fail_msg("%s is read as %a", text, (double)back);
        }
    }
}

static void test_parse_int(void **state) {
    (void)state;
    int64_t value = 0;
    assert_true(bsp_parse_int(bsp_text_of(" -42 "), &value));
    assert_int_equal(value, -42);
    assert_true(bsp_parse_int(bsp_text_of("0xFf"), &value));
    assert_int_equal(value, 255);
    assert_true(bsp_parse_int(bsp_text_of("9223372036854775807"), &value));
    assert_true(value == INT64_MAX);
    assert_false(bsp_parse_int(bsp_text_of("9223372036854775808"), &value));
    static const char *const bad[] = {"", "-", "0x", "12a", "1.5", "0xG", "+ 1", "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(bsp_parse_int(bsp_text_of(bad[i]), &value));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float_any_bits),  cmocka_unit_test(test_float_map_values),
        cmocka_unit_test(test_float_powers),    cmocka_unit_test(test_float_known),
        cmocka_unit_test(test_float_by_trying), cmocka_unit_test(test_integers),
        cmocka_unit_test(test_parse_float),     cmocka_unit_test(test_parse_float_rounding),
        cmocka_unit_test(test_parse_int),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
