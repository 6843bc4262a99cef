// SPDX-License-Identifier: MIT
// The branches of Respawn's games on files that have records in every table, whatever they would
// mean as a map: detection, bytes, checks, damage; and facts of their layouts that were derived by
// hand.
#include "support/battery.h"
#include "support/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RECORDS 5u
#define FLIPS 400u
#define VERSION_AT 4

typedef struct specimen {
    const bsp_branch *branch;
    bool big_endian;
    bsp_bytes bytes;
    char name[64];
} specimen;

typedef void specimen_test(const specimen *s);

static void run(specimen_test *test, const bsp_branch *branch, bool big) {
    specimen s = {branch, big, tables_file(branch, big, RECORDS), ""};
    snprintf(s.name, sizeof s.name, "%s%s", branch->name, big ? ", big-endian" : "");
    test(&s);
    free((void *)(uintptr_t)s.bytes.data);
}

// Titanfall was on a console.
static void for_each(specimen_test *test) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        if (branch->family == BSP_TITANFALL) {
            run(test, branch, false);
        }
    }
    run(test, bsp_branch_find("titanfall"), true);
}

// --- detection ----------------------------------------------------------------------------------

static void check_detected(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    const bsp_file_info *info = bsp_file_get_info(file);
    assert_string_equal(info->detection.branch->name, s->branch->name);
    assert_int_equal(info->detection.big_endian, s->big_endian);
    assert_int_equal(info->revision, 7);
    bsp_file_close(file);
}

static void test_detected(void **state) {
    (void)state;
    for_each(check_detected);
}

static void test_versions(void **state) {
    (void)state;
    static const struct {
        uint32_t version;
        const char *branch;
    } rows[] = {
        {29, "titanfall"},    {36, "titanfall2"},   {37, "titanfall2"},   {47, "apex"},
        {48, "apex"},         {49, "apex"},         {0x10031, "apex"},    {50, "apex_50"},
        {0x10032, "apex_50"}, {51, "apex_51"},      {0x10033, "apex_51"}, {52, "apex_52"},
        {0x10034, "apex_52"}, {0x10035, "apex_52"}, {0x20034, "apex_52"},
    };
    bsp_bytes bytes = tables_file(bsp_branch_find("apex"), false, 1);
    uint8_t *copy = (uint8_t *)(uintptr_t)bytes.data;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int b = 0; b < 4; b++) {
            copy[VERSION_AT + b] = (uint8_t)(rows[i].version >> 8 * b);
        }
        bsp_detection found;
        assert_true(bsp_detect(bytes, NULL, &found, NULL));
        assert_string_equal(found.branch->name, rows[i].branch);
    }
    free(copy);
}

// --- bytes and records --------------------------------------------------------------------------

static void check_encode(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    battery_encode(s->name, file);
    bsp_file_close(file);
}

static void test_encode(void **state) {
    (void)state;
    for_each(check_encode);
}

// Every table has its records, under the id that other tables name it by.
static void check_counts(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    uint32_t tables = 0;
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_directory_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        if (lump->kind == BSP_KIND_ARRAY) {
            uint32_t limit = lump->def->limit.max;
            assert_int_not_equal(lump->id, BSP_ID_NONE);
            assert_int_equal(bsp_file_find_id(file, lump->id), n);
            assert_int_equal(bsp_file_count(file, lump->id),
                             limit != 0 && limit < RECORDS ? limit : RECORDS);
            tables++;
        }
    }
    assert_true(tables >= 50);
    assert_int_equal(bsp_file_count(file, BSP_ID_STATIC_PROPS), RECORDS);
    bsp_file_close(file);
}

static void test_counts(void **state) {
    (void)state;
    for_each(check_counts);
}

static uint32_t problems(const bsp_file *file) {
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_non_null(issues);
    assert_true(bsp_check_records(file, issues, &error));
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind->severity >= BSP_WARNING) {
            print_message("%s: %s: %s\n", list[i].kind->id, list[i].place.lump, list[i].text);
            found++;
        }
    }
    bsp_issues_free(issues);
    return found;
}

static void check_clean(const specimen *s) {
    bsp_file *file = battery_open(s->name, s->bytes);
    assert_int_equal(problems(file), 0);
    bsp_file_close(file);
}

static void test_clean(void **state) {
    (void)state;
    for_each(check_clean);
}

// --- facts --------------------------------------------------------------------------------------

// Opens a file whose lump has its first record overwritten by these bytes.
static bsp_file *with_bytes(bsp_bytes bytes, const char *lump, const uint8_t *record, size_t size) {
    bsp_file *file = battery_open(lump, bytes);
    uint32_t n = bsp_file_find(file, bsp_text_of(lump));
    assert_int_not_equal(n, BSP_NONE);
    memcpy((uint8_t *)(uintptr_t)bytes.data + bsp_file_lump(file, n)->offset, record, size);
    return file;
}

static void expect_fields(const char *branch, const char *lump, const uint8_t *record, size_t size,
                          const int64_t *values, uint32_t count) {
    bsp_bytes bytes = tables_file(bsp_branch_find(branch), false, RECORDS);
    bsp_file *file = with_bytes(bytes, lump, record, size);
    bsp_parts parts;
    assert_true(bsp_file_parts(file, bsp_file_find(file, bsp_text_of(lump)), NULL, &parts, NULL));
    bsp_table table = bsp_parts_table(&parts, 0);
    assert_int_equal(table.layout->size, size);
    assert_int_equal(table.layout->num_fields, count);
    for (uint32_t f = 0; f < count; f++) {
        assert_int_equal(bsp_table_int(&table, 0, f, 0), values[f]);
    }
    bsp_parts_free(&parts);
    bsp_file_close(file);
    free((void *)(uintptr_t)bytes.data);
}

#define EXPECT(branch, lump, record, ...)                                                          \
    do {                                                                                           \
        const int64_t values[] = {__VA_ARGS__};                                                    \
        expect_fields(branch, lump, record, sizeof record, values,                                 \
                      sizeof values / sizeof *values);                                             \
    } while (0)

static void test_bits(void **state) {
    (void)state;
    static const uint8_t reference[2] = {0x07, 0x80}; // edge 0x4003, against its direction
    EXPECT("titanfall2", "PORTAL_EDGE_REFERENCES", reference, 1, 0x4003);
    static const uint8_t triangle[4] = {0x01, 0x08, 0x06, 0xAB}; // 1 | 2 << 10 | 3 << 17
    EXPECT("titanfall", "TRICOLL_TRIS", triangle, 1, 2, 3, 0xAB);
    static const uint8_t cell[8] = {2, 0, 3, 0, 5, 0, 0xFF, 0xFF};
    EXPECT("titanfall2", "CELLS", cell, 2, 3, 5, -1);
    static const uint8_t portal[12] = {1, 2, 4, 0, 8, 0, 9, 0, 10, 0, 0, 0};
    EXPECT("apex", "PORTALS", portal, 1, 2, 4, 0, 8, 9, 10);
    uint8_t box[32] = {0};
    memcpy(box + 12, (const uint8_t[4]){2, 0x34, 0x12, 0x40}, 4);
    memcpy(box + 28, (const uint8_t[4]){7, 0xCD, 0xAB, 0}, 4);
    EXPECT("apex_52", "CELL_AABB_NODES", box, 0, 2, 0x1234, 0x40, 0, 7, 0xABCD, 0);
    EXPECT("apex", "CSM_AABB_NODES", box, 0, 2, 0x1234, 0x40, 0, 7, 0xABCD);
    EXPECT("apex_50", "CSM_AABB_NODES", box, 0, 2, 0x401234, 0, 7, 0xABCD);
    EXPECT("titanfall", "CELL_AABB_NODES", box, 0, 2, 0x34, 0x4012, 0, 0xCD07, 0xAB);
}

// Four words of a box with four children: places in the high 24 bits, types and the mask below.
static void test_bvh(void **state) {
    (void)state;
    uint8_t node[64] = {0};
    node[0] = 0xFF;
    node[1] = 0x7F;
    static const uint8_t words[16] = {9, 1, 0, 0, 0, 2, 0, 0, 0x54, 3, 0, 0, 0x10, 4, 0, 1};
    memcpy(node + 48, words, sizeof words);
    EXPECT("apex", "BVH_NODES", node, 0x7FFF, 0, 0, 9, 1, 0, 2, 4, 5, 3, 0, 1, 0x10004);
}

static uint32_t record_size(const char *branch, const char *lump) {
    bsp_bytes bytes = tables_file(bsp_branch_find(branch), false, RECORDS);
    bsp_file *file = battery_open(branch, bytes);
    const bsp_lump *found = bsp_file_lump(file, bsp_file_find(file, bsp_text_of(lump)));
    uint32_t size = (uint32_t)found->size / RECORDS;
    bsp_file_close(file);
    free((void *)(uintptr_t)bytes.data);
    return size;
}

static void test_sizes(void **state) {
    (void)state;
    assert_int_equal(record_size("titanfall", "WORLD_LIGHTS"), 100);
    assert_int_equal(record_size("titanfall2", "WORLD_LIGHTS"), 112);
    assert_int_equal(record_size("apex_52", "WORLD_LIGHTS"), 112);
    assert_int_equal(record_size("titanfall", "LIGHTPROBE_REFERENCES"), 16);
    assert_int_equal(record_size("titanfall2", "LIGHTPROBE_REFERENCES"), 20);
    assert_int_equal(record_size("apex_50", "LIGHTPROBES"), 48);
    assert_int_equal(record_size("apex_51", "LIGHTPROBES"), 44);
    assert_int_equal(record_size("titanfall2", "LIGHTMAP_DATA_RTL_PAGE"), 126);
    assert_int_equal(record_size("apex", "WATER_BODIES"), 80);
}

// The versions of one lump in one game.
static void test_light_versions(void **state) {
    (void)state;
    const bsp_lump_def *def = bsp_branch_lump(bsp_branch_find("titanfall2"), 0x36);
    assert_int_equal(def->num_variants, 3);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t sizes[4] = {0, 100, 108, 112};
        assert_int_equal(def->variants[i].layout->size, sizes[def->variants[i].version]);
    }
}

// --- static props -------------------------------------------------------------------------------

static void expect_props(const char *branch, size_t size, uint32_t props, bool whole) {
    bsp_bytes bytes = tables_file(bsp_branch_find(branch), false, RECORDS);
    bsp_file *file = battery_open(branch, bytes);
    const bsp_lump *lump = bsp_file_lump(file, bsp_file_find(file, bsp_text_of("game:sprp")));
    uint8_t *entry = (uint8_t *)(uintptr_t)bytes.data + lump->offset - 4; // its size
    uint32_t stated = size == 0 ? (uint32_t)lump->size : (uint32_t)size;
    for (int b = 0; b < 4; b++) {
        entry[b] = (uint8_t)(stated >> 8 * b);
    }
    bsp_file_close(file);
    file = battery_open(branch, bytes);
    assert_int_equal(bsp_file_count(file, BSP_ID_STATIC_PROPS), props);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_parts parts;
    assert_true(
        bsp_file_parts(file, bsp_file_find(file, bsp_text_of("game:sprp")), issues, &parts, NULL));
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE) == 0, whole);
    bsp_parts_free(&parts);
    bsp_issues_free(issues);
    bsp_file_close(file);
    free((void *)(uintptr_t)bytes.data);
}

static void test_props(void **state) {
    (void)state;
    enum { MODELS = 4 + 128 * RECORDS };
    expect_props("titanfall", 0, RECORDS, true);
    expect_props("titanfall", MODELS + 4 + 2 * RECORDS + 12 + 84 * RECORDS, RECORDS, true);
    // The last list may be missing, or be there.
    expect_props("titanfall2", 0, RECORDS, true);
    expect_props("titanfall2", MODELS + 12 + 64 * RECORDS, RECORDS, true);
    expect_props("apex", MODELS + 12 + 64 * RECORDS, RECORDS, true);
    // Half of one.
    expect_props("titanfall2", MODELS + 12 + 64 * RECORDS + 4 + 32, RECORDS, false);
    expect_props("titanfall2", MODELS + 12 + 64 * 2 + 32, 2, false);
    expect_props("titanfall2", MODELS + 8, 0, false);
}

// --- damage -------------------------------------------------------------------------------------

static void check_truncated(const specimen *s) {
    battery_truncate(s->name, s->bytes);
}

static void test_truncated(void **state) {
    (void)state;
    run(check_truncated, bsp_branch_find("titanfall2"), false);
    run(check_truncated, bsp_branch_find("apex_52"), false);
}

static void check_flipped(const specimen *s) {
    battery_flip(s->name, s->bytes, FLIPS, UINT64_C(0xD1B54A32D192ED03));
}

static void test_flipped(void **state) {
    (void)state;
    for_each(check_flipped);
}

static void check_starved(const specimen *s) {
    battery_starve(s->name, s->bytes);
}

static void test_starved(void **state) {
    (void)state;
    run(check_starved, bsp_branch_find("titanfall2"), false);
    run(check_starved, bsp_branch_find("apex_51"), false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detected),  cmocka_unit_test(test_versions),
        cmocka_unit_test(test_encode),    cmocka_unit_test(test_counts),
        cmocka_unit_test(test_clean),     cmocka_unit_test(test_bits),
        cmocka_unit_test(test_bvh),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_props),     cmocka_unit_test(test_light_versions),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
