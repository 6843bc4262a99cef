// SPDX-License-Identifier: MIT
// The core floor: numbers as text (held against the C library), memory, issues, JSON, errors.
#include "bspkit/core.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/reader.h"
#include "core/text.h"
#include "core/text_table.h"
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

static void test_text(void **state) {
    (void)state;
    assert_true(bsp_text_equal(bsp_text_of(NULL), bsp_text_of("")));
    assert_false(bsp_text_equal(bsp_text_of("a"), bsp_text_of("A")));
    assert_true(bspi_text_equal_nocase(bsp_text_of("Faces"), bsp_text_of("fACES")));
    assert_false(bspi_text_equal_nocase(bsp_text_of("a\xC9"), bsp_text_of("a\xE9")));
    char text[24];
    size_t size = bspi_format_int(text, INT64_MIN);
    assert_int_equal(size, 20);
    assert_memory_equal(text, "-9223372036854775808", 20);
}

// --- memory -------------------------------------------------------------------------------------

static void test_arena(void **state) {
    (void)state;
    bspi_heap heap;
    bspi_arena arena;
    bspi_heap_init(&heap, NULL, 0);
    bspi_arena_init(&arena, &heap);
    uint8_t *last = NULL;
    for (size_t size = 1; size < 3000; size += 7) {
        uint8_t *memory = bspi_arena_zero(&arena, size, 3, NULL);
        assert_non_null(memory);
        assert_true((uintptr_t)memory % _Alignof(max_align_t) == 0);
        assert_ptr_not_equal(memory, last);
        memset(memory, 0xA5, size * 3);
        last = memory;
    }
    bsp_text abc = {"abcdef", 3};
    assert_string_equal(bspi_arena_text(&arena, abc, NULL), "abc");
    assert_non_null(bspi_arena_raw(&arena, 1, (size_t)3 << 20, NULL));
    bspi_arena_free(&arena);
    assert_int_equal(atomic_load(&heap.used), 0);
}

static void test_memory_limit(void **state) {
    (void)state;
    bspi_heap heap;
    bspi_arena arena;
    bsp_error error;
    bspi_heap_init(&heap, NULL, 10000);
    bspi_arena_init(&arena, &heap);
    void *memory = bspi_heap_alloc(&heap, 6000, &error);
    assert_non_null(memory);
    assert_null(bspi_heap_alloc(&heap, 6000, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_null(bspi_heap_alloc(&heap, SIZE_MAX, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bspi_heap_free(&heap, memory, 6000);
    assert_int_equal(atomic_load(&heap.used), 0);
    assert_null(bspi_arena_raw(&arena, SIZE_MAX / 2, 16, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_null(bspi_arena_zero(&arena, 20000, 1, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bspi_arena_free(&arena);
}

static void *no_memory(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)memory;
    (void)old_size;
    ++*(int *)user;
    return new_size == 0 ? NULL : NULL;
}

static void test_failing_allocator(void **state) {
    (void)state;
    int calls = 0;
    bsp_allocator allocator = {no_memory, &calls};
    bsp_error error;
    bspi_heap heap;
    bspi_heap_init(&heap, &allocator, 0);
    assert_null(bspi_heap_alloc(&heap, 16, &error));
    assert_int_equal(error.code, BSP_E_MEMORY);
    assert_int_equal(atomic_load(&heap.used), 0);
    assert_null(bsp_issues_new(&allocator, 0));
    assert_int_equal(calls, 2);
}

// --- issues -------------------------------------------------------------------------------------

static void test_issue_table(void **state) {
    (void)state;
    size_t count;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_true(kinds[i].summary[0] != '\0' && kinds[i].explanation[0] != '\0');
        assert_int_equal(strspn(kinds[i].id, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(kinds[i].id));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(kinds[i].id, kinds[j].id);
        }
    }
}

static void test_issues_are_capped(void **state) {
    (void)state;
    bsp_issues *issues = bsp_issues_new(NULL, 3);
    assert_non_null(issues);
    for (uint32_t i = 0; i < 1000; i++) {
        bspi_issue(issues, BSPI_ISSUE_INDEX_RANGE, bsp_place_at("FACES", i, "planenum", 0),
                   "number %u", i);
    }
    bspi_issue(issues, BSPI_ISSUE_TRAILING, bsp_place_none(), "%d bytes", 7);
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, 4);
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 1001);
    assert_int_equal(bsp_issues_count(issues, BSP_ERROR), 1000);
    assert_int_equal(bsp_issues_count_kind(issues, list[0].kind), 1000);
    assert_string_equal(list[0].kind->id, "index-out-of-range");
    assert_string_equal(list[2].text, "number 2");
    assert_int_equal(list[2].place.record, 2);
    assert_string_equal(list[3].text, "7 bytes");
    bsp_issues_free(issues);
    bsp_issues_free(NULL);
    bspi_issue(NULL, BSPI_ISSUE_TRAILING, bsp_place_none(), "nobody listens");
}

// --- JSON ---------------------------------------------------------------------------------------

typedef struct collected {
    char data[65536];
    size_t size;
    size_t room; // the sink fails behind it
} collected;

static bool collect(void *user, const char *data, size_t size) {
    collected *out = user;
    if (size > out->room - out->size) {
        return false;
    }
    memcpy(out->data + out->size, data, size);
    out->size += size;
    out->data[out->size] = '\0';
    return true;
}

static void check_json_text(const char *data, size_t size, const char *expected) {
    collected out = {.room = sizeof out.data - 1};
    bsp_json json;
    bsp_json_begin(&json, collect, &out);
    bsp_text text = {data, size};
    bsp_json_text(&json, text);
    assert_true(bsp_json_flush(&json));
    assert_string_equal(out.data, expected);
}

#define CHECK_TEXT(literal, expected) check_json_text(literal, sizeof(literal) - 1, expected)

static void test_json_escapes(void **state) {
    (void)state;
    CHECK_TEXT("", "\"\"");
    CHECK_TEXT("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    CHECK_TEXT("\n\t\r\0\x1b\x7f", "\"\\n\\t\\r\\u0000\\u001b\\u007f\"");
    CHECK_TEXT("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    CHECK_TEXT("\xE9", "\"\\u00e9\"");                                  // Latin-1
    CHECK_TEXT("\xC3", "\"\\u00c3\"");                                  // cut short
    CHECK_TEXT("\xC0\x80", "\"\\u00c0\\u0080\"");                       // overlong
    CHECK_TEXT("\xED\xA0\x80", "\"\\u00ed\\u00a0\\u0080\"");            // a surrogate
    CHECK_TEXT("\xF4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\""); // after U+10FFFF
}

static void write_nested(bsp_json *json) {
    bsp_json_object(json);
    bsp_json_key(json, "a");
    bsp_json_array(json);
    bsp_json_int(json, INT64_MIN);
    bsp_json_uint(json, UINT64_MAX);
    bsp_json_float(json, 0.25F);
    bsp_json_float(json, NAN);
    bsp_json_float(json, -0.0F);
    bsp_json_array(json);
    bsp_json_array_end(json);
    bsp_json_array_end(json);
    bsp_json_key(json, "b");
    bsp_json_object(json);
    bsp_json_object_end(json);
    bsp_json_key(json, "c");
    bsp_json_bool(json, true);
    bsp_json_key(json, "d");
    bsp_json_null(json);
    bsp_json_key(json, "e");
    bsp_bytes bytes = {(const uint8_t *)"\x00\xFFz", 3};
    bsp_json_hex(json, bytes);
    bsp_json_object_end(json);
}

static void test_json_nesting(void **state) {
    (void)state;
    collected out = {.room = sizeof out.data - 1};
    bsp_json json;
    bsp_json_begin(&json, collect, &out);
    write_nested(&json);
    assert_true(bsp_json_flush(&json));
    assert_string_equal(out.data, "{\"a\":[-9223372036854775808,18446744073709551615,0.25,\"NaN\","
                                  "-0.0,[]],\"b\":{},\"c\":true,\"d\":null,\"e\":\"00ff7a\"}");
}

// A long text passes the writer's buffer many times; a sink that is full stops it for good.
static void test_json_sink(void **state) {
    (void)state;
    static char text[40000];
    memset(text, 'x', sizeof text);
    bsp_text view = {text, sizeof text};
    collected out = {.room = sizeof out.data - 1};
    bsp_json json;
    bsp_json_begin(&json, collect, &out);
    bsp_json_text(&json, view);
    assert_true(bsp_json_flush(&json));
    assert_int_equal(out.size, sizeof text + 2);

    collected small = {.room = 10000};
    bsp_json_begin(&json, collect, &small);
    bsp_json_text(&json, view);
    assert_false(bsp_json_flush(&json));
    size_t before = small.size;
    bsp_json_string(&json, "more");
    assert_false(bsp_json_flush(&json));
    assert_int_equal(small.size, before);
}

// --- errors and reading -------------------------------------------------------------------------

static void test_errors(void **state) {
    (void)state;
    bsp_error error;
    bsp_place place = bsp_place_at("A_LUMP_WHOSE_NAME_IS_LONGER_THAN_31", 812, "texinfo", 0x1A3F0);
    assert_int_equal(strlen(place.lump), 31);
    assert_false(bsp_fail(&error, BSP_E_DAMAGED, &place, "%d of %d", 40960, 3121));
    assert_int_equal(error.code, BSP_E_DAMAGED);
    assert_string_equal(error.message, "40960 of 3121");
    assert_string_equal(error.place.field, "texinfo");
    assert_int_equal(error.place.record, 812);
    assert_true(error.place.offset == 0x1A3F0);
    assert_false(bsp_fail(&error, BSP_E_IO, NULL, "x"));
    assert_int_equal(error.place.record, BSP_NONE);
    assert_true(error.place.offset == UINT64_MAX && error.place.lump[0] == '\0');
    assert_false(bsp_fail(NULL, BSP_E_IO, NULL, "x"));
    assert_string_equal(bsp_code_name(BSP_E_RANGE), "range");
}

static void test_reader(void **state) {
    (void)state;
    static const uint8_t data[] = {1, 2, 3, 4, 5, 6};
    bsp_bytes bytes = {data, sizeof data};
    bspi_reader reader = bspi_reader_of(bytes, false);
    assert_int_equal(bspi_read_u32(&reader), 0x04030201);
    assert_int_equal(bspi_read_u32(&reader), 0); // two bytes are left
    assert_true(reader.failed);
    assert_int_equal(bspi_read_u16(&reader), 0); // sticky
    reader = bspi_reader_of(bytes, true);
    assert_int_equal(bspi_read_u16(&reader), 0x0102);
    bspi_seek(&reader, 7);
    assert_true(reader.failed);
    assert_int_equal(bspi_slice(bytes, 2, 4).size, 4);
    assert_int_equal(bspi_slice(bytes, 2, 5).size, 0);
    assert_int_equal(bspi_slice(bytes, UINT64_MAX, UINT64_MAX).size, 0);
}

// --- texts by hash ------------------------------------------------------------------------------

// Each text keeps its number while the table grows, the empty one too, and case counts.
static void test_text_table(void **state) {
    (void)state;
    static char names[3000][8];
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    bspi_text_table table = {.heap = &heap};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 3000; i++) {
            (void)snprintf(names[i], sizeof names[i], i % 2 == 0 ? "N%u" : "n%u", i / 2);
            names[i][0] = i == 0 ? '\0' : names[i][0];
            bspi_text_slot *slot = bspi_text_slot_of(&table, bsp_text_of(names[i]), NULL);
            assert_non_null(slot);
            assert_int_equal(slot->text.data == NULL, round == 0);
            if (round == 0) {
                *slot = (bspi_text_slot){bsp_text_of(names[i]), i};
                table.count++;
            }
            assert_int_equal(slot->value, i);
        }
    }
    assert_in_range(table.room, 6000, 8192);
    bspi_text_table_free(&table);
    assert_int_equal(heap.used, 0);
}

// Texts that differ in case alone are spread over a table whose texts differ by case: of the 1024
// spellings of ten letters few share a hash, while without case they have one.
static void test_hashes(void **state) {
    (void)state;
    enum { LETTERS = 10, SPELLINGS = 1 << LETTERS };
    static uint32_t hashes[SPELLINGS];
    uint32_t same = 0;
    for (uint32_t n = 0; n < SPELLINGS; n++) {
        char word[LETTERS + 1] = "abcdefghij";
        for (int i = 0; i < LETTERS; i++) {
            word[i] = (char)((n >> i & 1) != 0 ? word[i] - 'a' + 'A' : word[i]);
        }
        assert_int_equal(bspi_text_hash_nocase(bsp_text_of(word)),
                         bspi_text_hash(bsp_text_of("abcdefghij")));
        hashes[n] = bspi_text_hash(bsp_text_of(word));
        for (uint32_t i = 0; i < n; i++) {
            same += hashes[i] == hashes[n];
        }
    }
    assert_true(same < 4);
    assert_int_equal(bspi_text_hash(bsp_text_of("a")), 0xE40C292C); // as FNV's authors have it
}

static void test_ends(void **state) {
    (void)state;
    assert_true(bspi_text_ends_nocase(bsp_text_of("a.VMT"), ".vmt"));
    assert_true(bspi_text_ends_nocase(bsp_text_of(".vmt"), ".vmt"));
    assert_false(bspi_text_ends_nocase(bsp_text_of("vmt"), ".vmt"));
    assert_true(bspi_text_ends_nocase((bsp_text){NULL, 0}, ""));
    bsp_text text = bsp_text_of("wall_Depth");
    assert_false(bspi_text_cut_end(&text, "_dept"));
    assert_true(bspi_text_cut_end(&text, "_depth"));
    assert_true(bsp_text_equal(text, bsp_text_of("wall")));
    static const struct {
        const char *text, *left;
        int64_t number;
    } cases[] = {{"a_12", "a", 12}, {"a_-7", "a", -7}, {"_0", "", 0},
                 {"a12", NULL, 0},  {"a_", NULL, 0},   {"a_-", NULL, 0},
                 {"12", NULL, 0},   {"-12", NULL, 0},  {"a_99999999999999999999", NULL, 0},
                 {"", NULL, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t number = 0;
        text = bsp_text_of(cases[i].text);
        assert_int_equal(bspi_text_cut_number(&text, &number), cases[i].left != NULL);
        const char *left = cases[i].left != NULL ? cases[i].left : cases[i].text;
        assert_true(bsp_text_equal(text, bsp_text_of(left)));
        assert_true(cases[i].left == NULL || number == cases[i].number);
    }
}

static void test_fits(void **state) {
    (void)state;
    static const struct {
        const char *text, *pattern;
        bool fits;
    } cases[] = {{"Door", "door", true},  {"door1", "door", false}, {"door1", "DOOR*", true},
                 {"door", "door*", true}, {"doo", "door*", false},  {"", "*", true},
                 {"x", "", false},        {"d*r", "d*r", true},     {"dor", "d*r", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bsp_text text = bsp_text_of(cases[i].text);
        assert_int_equal(bspi_text_fits_nocase(text, bsp_text_of(cases[i].pattern)), cases[i].fits);
    }
    assert_true(bspi_text_fits_nocase((bsp_text){NULL, 0}, bsp_text_of("*")));
}

// Memory of which large and small pages were asked for keeps its bytes when it grows and shrinks.
static void test_large_pages(void **state) {
    (void)state;
    enum { MIB = 1 << 20 };
    static const size_t sizes[] = {9 * MIB, 23 * MIB, 40 * MIB, 6 * MIB, 1 * MIB};
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    uint8_t *memory = NULL;
    size_t size = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memory = bspi_heap_resize(&heap, memory, size, sizes[i], NULL);
        assert_non_null(memory);
        for (size_t at = 0; at < size && at < sizes[i]; at += 1000) {
            assert_int_equal(memory[at], (uint8_t)(at / 1000));
        }
        size = sizes[i];
        bspi_heap_spare(&heap, memory, size, size / 3);
        for (size_t at = 0; at < size; at += 1000) {
            memory[at] = (uint8_t)(at / 1000);
        }
    }
    bspi_heap_free(&heap, memory, size);
    assert_int_equal(atomic_load(&heap.used), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_pages),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_float_any_bits),
        cmocka_unit_test(test_float_map_values),
        cmocka_unit_test(test_float_powers),
        cmocka_unit_test(test_float_known),
        cmocka_unit_test(test_float_by_trying),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_parse_float),
        cmocka_unit_test(test_parse_float_rounding),
        cmocka_unit_test(test_parse_int),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_failing_allocator),
        cmocka_unit_test(test_issue_table),
        cmocka_unit_test(test_issues_are_capped),
        cmocka_unit_test(test_json_escapes),
        cmocka_unit_test(test_json_nesting),
        cmocka_unit_test(test_json_sink),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_reader),
        cmocka_unit_test(test_text_table),
        cmocka_unit_test(test_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
