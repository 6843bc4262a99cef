// SPDX-License-Identifier: MIT
// Oddities of directories and records: each is one issue of the right kind, at the exact place, and
// what can be read is read.
#include "core/reader.h"
#include "support/battery.h"
#include "support/patch.h"
#include "support/room.h"
#include "support/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_place(const bsp_issue *issue, const char *lump, uint32_t record,
                         const char *field, uint64_t offset) {
    assert_string_equal(issue->place.lump, lump);
    assert_int_equal(issue->place.record, record);
    if (field == NULL) {
        assert_null(issue->place.field);
    } else {
        assert_non_null(issue->place.field);
        assert_string_equal(issue->place.field, field);
    }
    assert_int_equal(issue->place.offset, offset);
}

// --- where lumps lie ----------------------------------------------------------------------------

static void test_out_of_range(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_issue issue;
    uint64_t at = p.size - 8;
    patch_entry(&p, "POP", at, 100);
    patch_check(&p, "lump-out-of-range", &issue);
    assert_place(&issue, "POP", BSP_NONE, NULL, at);
    bsp_file *file = patch_open(&p, NULL);
    const bsp_lump *lump = bsp_file_lump(file, bsp_file_find(file, bsp_text_of("pop")));
    assert_int_equal(lump->size, 8);
    assert_int_equal(lump->stated_size, 100);
    bsp_bytes data;
    assert_true(bsp_file_data(file, 16, &data, NULL));
    assert_ptr_equal(data.data, p.data + at);
    bsp_file_close(file);

    patch_entry(&p, "POP", 0x7FFFFFFF, 0x7FFFFFFF);
    patch_check(&p, "lump-out-of-range", &issue);
    assert_place(&issue, "POP", BSP_NONE, NULL, 0x7FFFFFFF);
    file = patch_open(&p, NULL);
    assert_int_equal(bsp_file_lump(file, 16)->size, 0);
    battery_encode("a lump behind the end", file);
    bsp_file_close(file);
    patch_free(&p);
}

static void test_overlap(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_issue issue;
    uint64_t size;
    uint64_t planes = patch_lump_at(&p, "PLANES", &size);
    patch_entry(&p, "POP", planes + 20, 40);
    patch_check(&p, "lump-overlap", &issue);
    assert_place(&issue, "POP", BSP_NONE, NULL, planes + 20);
    assert_non_null(strstr(issue.text, "PLANES"));
    bsp_file *file = patch_open(&p, NULL);
    battery_encode("overlapping lumps", file);
    bsp_file_close(file);

    patch_entry(&p, "POP", 4, 40);
    patch_check(&p, "lump-overlap", &issue);
    assert_place(&issue, "POP", BSP_NONE, NULL, 4);
    assert_non_null(strstr(issue.text, "the directory"));
    patch_free(&p);
}

static void test_gap_and_trailing(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 32);
    bsp_issue issue;
    uint64_t end = p.size - 32;
    memcpy(p.data + end, "nobody's", 8);
    patch_entry(&p, "POP", end + 8, 4);
    patch_check(&p, "file-gap", &issue);
    assert_place(&issue, "", BSP_NONE, NULL, end);
    patch_check(&p, "file-trailing-bytes", &issue);
    assert_place(&issue, "", BSP_NONE, NULL, end + 12);
    bsp_file *file = patch_open(&p, NULL);
    battery_encode("a gap", file);
    bsp_file_close(file);
    patch_free(&p);
}

static void test_unaligned(void **state) {
    (void)state;
    patch p = patch_of("source_20", false, 32);
    bsp_issue issue;
    uint64_t end = p.size - 32;
    patch_entry(&p, "MAP_FLAGS", end + 1, 4);
    patch_check(&p, "lump-unaligned", &issue);
    assert_place(&issue, "MAP_FLAGS", BSP_NONE, NULL, end + 1);
    assert_int_equal(issue.kind->severity, BSP_NOTE);
    bsp_file *file = patch_open(&p, NULL);
    assert_int_equal(bsp_file_count(file, BSP_ID_MAP_FLAGS), 1);
    bsp_file_close(file);
    patch_free(&p);
}

static void test_odd_size(void **state) {
    (void)state;
    patch p = patch_of("quake", false, 0);
    bsp_issue issue;
    uint64_t size;
    uint64_t at = patch_lump_at(&p, "FACES", &size);
    assert_int_equal(size, 12 * 20);
    patch_entry(&p, "FACES", at, size - 1);
    patch_check(&p, "lump-odd-size", &issue);
    assert_place(&issue, "FACES", BSP_NONE, NULL, at + 11 * 20);
    bsp_file *file = patch_open(&p, NULL);
    assert_int_equal(bsp_file_count(file, BSP_ID_FACES), 11);
    battery_encode("an odd size", file);
    bsp_file_close(file);
    patch_free(&p);
}

static void test_cut_directory(void **state) {
    (void)state;
    patch p = patch_of("quake3", false, 0);
    size_t head = bsp_shape_size(bsp_branch_shape(p.branch));
    assert_int_equal(head, 8 + 17 * 8);
    for (size_t size = 0; size < head; size++) {
        bsp_bytes bytes = {p.data, size};
        bsp_error error = {0};
        assert_null(bsp_file_open_memory(bytes, NULL, &error));
        assert_int_equal(error.code, BSP_E_FORMAT);
        bsp_open_options options = {.branch = "quake3"};
        assert_null(bsp_file_open_memory(bytes, &options, &error));
        assert_int_equal(error.code, BSP_E_FORMAT);
    }
    patch_free(&p);
}

static void test_game_lump(void **state) {
    (void)state;
    patch p = patch_of("source_20", false, 0);
    bsp_issue issue;
    uint64_t size;
    uint64_t lump = patch_lump_at(&p, "GAME_LUMP", &size);
    bsp_file *file = patch_open(&p, NULL);
    uint32_t n = bsp_file_find(file, bsp_text_of("game:sprp"));
    assert_int_not_equal(n, BSP_NONE);
    assert_int_equal(bsp_file_lump(file, n)->place, BSP_IN_GAME_LUMP);
    bsp_file_close(file);
    p.data[lump + 4 + 12 + 3] = 0x7F; // the size of the first entry
    patch_check(&p, "game-lump-out-of-range", &issue);
    assert_string_equal(issue.place.lump, "game:sprp");
    patch_free(&p);
}

// --- finding ------------------------------------------------------------------------------------

static void test_find(void **state) {
    (void)state;
    patch p = patch_of("source_20", true, 0);
    bsp_file *file = patch_open(&p, NULL);
    assert_int_equal(bsp_file_find(file, bsp_text_of("planes")), 1);
    assert_int_equal(bsp_file_find(file, bsp_text_of("PLANES")), 1);
    assert_int_equal(bsp_file_find(file, bsp_text_of("1")), 1);
    assert_int_equal(bsp_file_find(file, bsp_text_of("0x1")), 1);
    assert_int_equal(bsp_file_find(file, bsp_text_of("64")), BSP_NONE);
    assert_int_equal(bsp_file_find(file, bsp_text_of("-1")), BSP_NONE);
    assert_int_equal(bsp_file_find(file, bsp_text_of("")), BSP_NONE);
    assert_int_equal(bsp_file_find_id(file, BSP_ID_PLANES), 1);
    assert_int_equal(bsp_file_find_id(file, BSP_ID_CLIPNODES), BSP_NONE);
    assert_int_equal(bsp_file_count(file, BSP_ID_STATIC_PROP_MODELS), 1);
    assert_int_equal(bsp_file_count(file, BSP_ID_CLIPNODES), 0);
    bsp_file_close(file);
    patch_free(&p);
}

static void test_unknown_branch(void **state) {
    (void)state;
    patch p = patch_of("quake", false, 0);
    bsp_bytes bytes = {p.data, p.size};
    bsp_open_options options = {.branch = "doom"};
    bsp_error error = {0};
    assert_null(bsp_file_open_memory(bytes, &options, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_string_equal(error.message, "no branch is named 'doom'");
    patch_free(&p);
}

static void test_memory_limit(void **state) {
    (void)state;
    patch p = patch_of("quake", false, 0);
    bsp_bytes bytes = {p.data, p.size};
    bsp_limits limits = {.memory = 64};
    bsp_open_options options = {.budget = bsp_budget_new(&limits, NULL)};
    bsp_error error = {0};
    assert_null(bsp_file_open_memory(bytes, &options, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(options.budget);
    patch_free(&p);
}

// --- what records say ---------------------------------------------------------------------------

typedef struct bad_value {
    const char *branch;
    const char *lump;
    uint32_t record;
    const char *field;
    uint32_t element;
    int64_t value;
    const char *kind;
    const char *text;
} bad_value;

static void test_bad_values(void **state) {
    (void)state;
    static const bad_value rows[] = {
        {"quake", "FACES", 3, "texinfo", 0, 999, "index-out-of-range",
         "999, but there are 3 texinfos"},
        {"quake2", "FACES", 0, "planenum", 0, 60000, "index-out-of-range",
         "60000, but there are 38 planes"},
        {"source_20", "EDGES", 2, "v", 1, 16, "index-out-of-range",
         "16, but there are 16 vertices"},
        {"quake", "NODES", 2, "children", 1, 500, "child-out-of-range",
         "500, but there are 14 nodes"},
        {"quake", "NODES", 2, "children", 0, -500, "child-out-of-range",
         "-500, but there are 14 nodes"},
        {"goldsrc", "CLIPNODES", 1, "children", 0, 400, "child-out-of-range",
         "400, but there are 36 clipnodes"},
        {"quake", "FACES", 11, "firstedge", 0, 46, "count-out-of-range",
         "46 and the next 4, but there are 48 surfedges"},
        {"quake3", "LEAFS", 1, "numLeafSurfaces", 0, 4000, "count-out-of-range",
         "0 and the next 4000, but there are 14 leaf faces"},
        {"quake2", "BRUSHSIDES", 5, "texinfo", 0, -2, "index-out-of-range",
         "-2, but there are 3 texinfos"},
        {"quake3", "SURFACES", 6, "patchWidth", 0, 4, "patch-bad-size",
         "4 x 3 control points, and 9 vertices"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bad_value *row = &rows[i];
        patch p = patch_of(row->branch, false, 0);
        bsp_issue issue;
        uint64_t at = patch_field(&p, row->lump, row->record, row->field, row->element, row->value);
        patch_check(&p, row->kind, &issue);
        assert_string_equal(issue.text, row->text);
        assert_string_equal(issue.place.lump, row->lump);
        assert_int_equal(issue.place.record, row->record);
        if (strstr(row->kind, "-out-of-range") != NULL && strncmp(row->kind, "count", 5) != 0) {
            assert_place(&issue, row->lump, row->record, row->field, at);
            bool several = strcmp(row->field, "children") == 0 || strcmp(row->field, "v") == 0;
            assert_int_equal(issue.place.element, several ? row->element : BSP_NONE);
        }
        patch_free(&p);
    }
}

// The hulls of a model are told apart: each bad headnode says which it is.
static void test_headnodes(void **state) {
    (void)state;
    patch p = patch_of("goldsrc", false, 0);
    for (uint32_t e = 0; e < 4; e++) {
        (void)patch_field(&p, "MODELS", 1, "headnode", e, 3000);
    }
    bsp_error error;
    bsp_bytes bytes = {p.data, p.size};
    bsp_file *file = bsp_file_open_memory(bytes, NULL, &error);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_true(bsp_check_records(file, issues, &error));
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    uint32_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].kind->id, "child-out-of-range") == 0) {
            char expected[32];
            char place[BSP_PLACE_TEXT];
            snprintf(expected, sizeof expected, "MODELS[1].headnode[%u]", seen++);
            assert_int_equal(bsp_format_place(place, &list[i].place), strlen(expected));
            assert_string_equal(place, expected);
        }
    }
    assert_int_equal(seen, 4);
    bsp_issues_free(issues);
    bsp_file_close(file);
    patch_free(&p);
}

static void test_not_finite(void **state) {
    (void)state;
    patch p = patch_of("source_20", true, 0);
    bsp_issue issue;
    uint64_t at = patch_lump_at(&p, "VERTEXES", NULL) + 5 * 12 + 8;
    memcpy(p.data + at, "\x7F\xC0\0\0", 4);
    patch_check(&p, "not-finite", &issue);
    assert_place(&issue, "VERTEXES", 5, "point", at);
    assert_int_equal(issue.place.element, 2);
    assert_string_equal(issue.text, "is no number");
    memcpy(p.data + at, "\xFF\x80\0\0", 4);
    patch_check(&p, "not-finite", &issue);
    assert_int_equal(issue.place.element, 2);
    assert_string_equal(issue.text, "is infinite");
    patch_free(&p);
}

static void test_entity_model(void **state) {
    (void)state;
    patch p = patch_of("quake3", false, 0);
    bsp_issue issue;
    uint64_t size;
    uint64_t at = patch_lump_at(&p, "ENTITIES", &size);
    for (uint64_t i = 0; i + 2 < size; i++) {
        if (memcmp(p.data + at + i, "*1", 2) == 0) {
            p.data[at + i + 1] = '7';
        }
    }
    patch_check(&p, "entity-bad-model", &issue);
    assert_string_equal(issue.place.lump, "ENTITIES");
    assert_int_equal(issue.place.record, 3);
    assert_string_equal(issue.text, "*7, but there are 2 models");
    patch_free(&p);
}

static void test_pak_crc(void **state) {
    (void)state;
    patch p = patch_of("source_21", false, 0);
    bsp_issue issue;
    uint64_t at = patch_lump_at(&p, "PAKFILE", NULL);
    p.data[at + 30 + 8] ^= 1; // behind the local head and the name
    patch_check(&p, "pak-bad-crc", &issue);
    assert_place(&issue, "PAKFILE", 0, NULL, at);
    patch_free(&p);
}

static void test_vis_row(void **state) {
    (void)state;
    patch p = patch_of("quake2", false, 0);
    bsp_issue issue;
    uint64_t size;
    uint64_t at = patch_lump_at(&p, "VISIBILITY", &size);
    p.data[at + size - 1] = 0; // the last row: a zero without its count
    patch_check(&p, "vis-bad-row", &issue);
    assert_string_equal(issue.place.lump, "VISIBILITY");
    assert_int_equal(issue.place.record, 2);
    assert_string_equal(issue.place.field, "phs");
    patch_free(&p);
}

static uint64_t count_of(const bsp_issues *issues, const char *kind, const char *words) {
    size_t count;
    uint64_t found = 0;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        found += strcmp(list[i].kind->id, kind) == 0 && strstr(list[i].text, words) != NULL;
    }
    return found;
}

// Rows of 16384 bytes for 131072 clusters would be four times what is unpacked for a check. Where
// all share one, it is unpacked once, and said to be bad of each.
static void test_vis_shared(void **state) {
    (void)state;
    enum { CLUSTERS = 131072, HEAD = 4 + 8 * CLUSTERS, ROWS = 2 * 16384 / 255 + 4 };
    patch p = patch_of("quake2", false, HEAD + ROWS);
    uint64_t at = p.size - (HEAD + ROWS);
    patch_entry(&p, "VISIBILITY", at, HEAD + ROWS);
    for (int apart = 0; apart < 2; apart++) {
        bspi_store32(p.data + at, CLUSTERS, false);
        for (uint32_t i = 0; i < 2 * CLUSTERS; i++) {
            uint32_t row = HEAD + (apart != 0 ? i % ROWS : 0);
            bspi_store32(p.data + at + 4 + 4 * (size_t)i, row, false);
        }
        for (uint32_t i = 0; i < ROWS; i++) { // runs of 255 zeros, and nothing behind the last
            p.data[at + HEAD + i] = i % 2 == 0 ? 0 : 0xFF;
        }
        bsp_issues *issues = bsp_issues_new(NULL, 4 * CLUSTERS);
        bsp_file *file = patch_open(&p, issues);
        assert_true(bsp_check(file, issues, NULL));
        assert_int_equal(count_of(issues, "limit-exceeded", "only the rows"), 0);
        assert_true(count_of(issues, "vis-bad-row", "") >= CLUSTERS); // the last run goes over
        bsp_file_close(file);
        bsp_issues_free(issues);
    }
    patch_free(&p);
}

// --- what does not exist ------------------------------------------------------------------------

static void test_no_such_lump(void **state) {
    (void)state;
    patch p = patch_of("source_20", false, 0);
    bsp_file *file = patch_open(&p, NULL);
    uint32_t count = bsp_file_get_info(file)->num_lumps;
    const uint32_t numbers[] = {bsp_file_find(file, bsp_text_of("none")), count, count + 1000};
    assert_int_equal(numbers[0], BSP_NONE);
    for (size_t i = 0; i < 3; i++) {
        bsp_bytes data = {p.data, 1};
        bsp_parts parts;
        bsp_json json = {0};
        uint8_t byte = 0;
        bsp_error error = {0};
        assert_false(bsp_file_data(file, numbers[i], &data, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_int_equal(data.size, 0);
        error.code = BSP_OK;
        assert_false(bsp_file_parts(file, numbers[i], NULL, &parts, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        bsp_parts_free(&parts);
        error.code = BSP_OK;
        assert_false(bsp_dump_json(file, numbers[i], &json, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        error.code = BSP_OK;
        assert_false(bsp_file_encode_lump(file, numbers[i], &byte, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        error.code = BSP_OK;
        assert_null(bsp_lump_entities(file, numbers[i], NULL, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_int_equal(bsp_file_stored(file, numbers[i]).size, 0);
        assert_string_equal(bsp_file_lump(file, numbers[i])->name, "");
    }
    bsp_file_close(file);
    patch_free(&p);
}

// Parts of a table, one after the other, are the whole of it; beyond its end there is nothing.
static void test_table_json(void **state) {
    (void)state;
    bsp_error error;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake3/lobby.bsp", NULL, &error);
    assert_non_null(file);
    const char *const lumps[] = {"BRUSHES", "LEAFSURFACES"}; // records with names and bare numbers
    for (size_t l = 0; l < 2; l++) {
        bsp_parts parts;
        uint32_t lump = bsp_file_find(file, bsp_text_of(lumps[l]));
        assert_true(bsp_file_parts(file, lump, NULL, &parts, &error));
        bsp_table table = bsp_parts_table(&parts, 0);
        assert_true(table.count > 20);
        test_sink whole = {0};
        test_sink joined = {0};
        bsp_json json;
        bsp_json_begin(&json, test_sink_take, &whole);
        assert_true(bsp_dump_json(file, lump, &json, &error) && bsp_json_flush(&json));
        for (uint32_t first = 0; first < table.count; first += 7) {
            test_sink part = {0};
            bsp_json_begin(&json, test_sink_take, &part);
            bsp_table_json(&table, first, first + 7 < table.count ? 7 : UINT32_MAX, &json);
            assert_true(bsp_json_flush(&json));
            assert_true(part.size > 2 && part.data[0] == '[' && part.data[part.size - 1] == ']');
            part.data[0] = first == 0 ? '[' : ',';
            test_sink_take(&joined, (const char *)part.data, part.size - 1);
            free(part.data);
        }
        test_sink_take(&joined, "]", 1);
        assert_int_equal(joined.size, whole.size);
        assert_memory_equal(joined.data, whole.data, whole.size);
        test_sink none = {0};
        bsp_json_begin(&json, test_sink_take, &none);
        bsp_table_json(&table, table.count, 5, &json);
        bsp_table_json(&table, BSP_NONE, BSP_NONE, &json);
        assert_true(bsp_json_flush(&json));
        assert_int_equal(none.size, 5);
        assert_memory_equal(none.data, "[],[]", 5);
        free(whole.data);
        free(joined.data);
        free(none.data);
        bsp_parts_free(&parts);
    }
    bsp_file_close(file);
}

static void test_find_part(void **state) {
    (void)state;
    const bsp_part tree[] = {
        {.kind = BSP_PART_GROUP, .end = 6},
        {.kind = BSP_PART_RECORD, .name = "head", .end = 2},
        {.kind = BSP_PART_LIST, .name = "header", .end = 6},
        {.kind = BSP_PART_GROUP, .end = 5},
        {.kind = BSP_PART_BYTES, .name = "a", .end = 5},
        {.kind = BSP_PART_TEXT, .end = 6},
    };
    const bsp_parts parts = {.parts = tree, .count = 6};
    static const struct {
        const char *path;
        uint32_t part;
    } cases[] = {
        {"", 0},
        {"head", 1},
        {"header", 2},
        {"header/0", 3},
        {"header/0/a", 4},
        {"header/1", 5},
        {"hea", BSP_NONE},
        {"Head", BSP_NONE},
        {"header/", BSP_NONE},
        {"header/2", BSP_NONE},
        {"header/0/b", BSP_NONE},
        {"head/0", BSP_NONE},
        {"/head", BSP_NONE},
        {"header/1/0", BSP_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(bsp_parts_find(&parts, bsp_text_of(cases[i].path)), cases[i].part);
    }
    const bsp_parts none = {0};
    assert_int_equal(bsp_parts_find(&none, bsp_text_of("")), BSP_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_range),     cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_gap_and_trailing), cmocka_unit_test(test_unaligned),
        cmocka_unit_test(test_odd_size),         cmocka_unit_test(test_cut_directory),
        cmocka_unit_test(test_game_lump),        cmocka_unit_test(test_find),
        cmocka_unit_test(test_unknown_branch),   cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_bad_values),       cmocka_unit_test(test_headnodes),
        cmocka_unit_test(test_not_finite),       cmocka_unit_test(test_entity_model),
        cmocka_unit_test(test_pak_crc),          cmocka_unit_test(test_vis_row),
        cmocka_unit_test(test_vis_shared),       cmocka_unit_test(test_no_such_lump),
        cmocka_unit_test(test_find_part),        cmocka_unit_test(test_table_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
