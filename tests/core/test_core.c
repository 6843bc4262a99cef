// SPDX-License-Identifier: MIT
// The core floor: texts, memory, issues, JSON, errors.
#include "bspkit/core.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/reader.h"
#include "core/text.h"
#include "core/text_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- texts ---------------------------------------------------------------------------------------

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
