// SPDX-License-Identifier: MIT
// Edits of whole lists of entities: which are meant, what becomes of them, and what is counted.
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "support/alloc.h"
#include "support/each_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define T(literal) ((bsp_text){literal, sizeof(literal) - 1})

static const char text[] = "{\n\"classname\" \"worldspawn\"\n}\n"
                           "{\n\"classname\" \"light\"\n\"light\" \"300\"\n}\n"
                           "{\n\"classname\" \"light\"\n\"light\" \"200\"\n}\n\0";

static bsp_entities *parse(bsp_text from) {
    bsp_entities *entities = bsp_entities_parse(from, NULL, NULL, NULL);
    assert_non_null(entities);
    return entities;
}

static void expect_text(const bsp_entity_edit *edit, bsp_text wanted) {
    bsp_text got = edit->entities->text;
    if (!bsp_text_equal(got, wanted)) {
        fail_msg("got:\n%.*s\nwanted:\n%.*s", (int)got.size, got.data, (int)wanted.size,
                 wanted.data);
    }
}

static void expect_counts(const bsp_entity_edit *edit, uint32_t selected, uint32_t changed,
                          uint32_t removed, uint32_t added) {
    assert_int_equal(edit->num_selected, selected);
    assert_int_equal(edit->num_changed, changed);
    assert_int_equal(edit->num_removed, removed);
    assert_int_equal(edit->num_added, added);
}

static void test_patterns(void **state) {
    (void)state;
    const struct {
        bsp_text text;
        bsp_text pattern;
        bool matches;
    } rows[] = {
        {T("light_spot"), T("light*"), true},
        {T("LIGHT"), T("light*"), true},
        {T("alight"), T("light*"), false},
        {T("abc"), T("a?c"), true},
        {T("abbc"), T("a?c"), false},
        {T("ababac"), T("*abac"), true},
        {T(""), T("*"), true},
        {T(""), T(""), true},
        {T("a"), T(""), false},
        {T("aXbXc"), T("a*b*c**"), true},
        {T("*3"), T("\\*3"), true},
        {T("13"), T("\\*3"), false},
        {T("a?c"), T("a\\?c"), true},
        {T("abc"), T("a\\?c"), false},
        {T("models\\a.mdl"), T("models\\a*"), true}, // the backslash of a path
        {T("a\\b"), T("a\\\\b"), true},
        {T("a\\"), T("a\\"), true},
        {T("x*yz*"), T("*\\*"), true},
        {T("x*yz"), T("*\\*"), false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(bsp_text_matches(rows[i].text, rows[i].pattern), rows[i].matches);
    }
}

static void test_filter(void **state) {
    (void)state;
    bsp_entities *all = parse(T(text));
    const char *const terms[] = {"class*=LIGHT", "light=2??"};
    bsp_where *one = bsp_where_new(terms, 1, NULL, NULL, NULL);
    bsp_where *two = bsp_where_new(terms, 2, NULL, NULL, NULL);
    const uint32_t indices[] = {0, 2};
    const bsp_entity_filter none = {0};
    const bsp_entity_filter by_pair = {.where = one};
    const bsp_entity_filter by_pairs = {.where = two};
    const bsp_entity_filter by_index = {.indices = indices, .num_indices = 2};
    const bsp_entity_filter both = {one, indices, 2};
    const bool wanted[5][3] = {{true, true, true},
                               {false, true, true},
                               {false, false, true},
                               {true, false, true},
                               {false, false, true}};
    const bsp_entity_filter *const filters[5] = {&none, &by_pair, &by_pairs, &by_index, &both};
    for (int f = 0; f < 5; f++) {
        for (uint32_t i = 0; i < 3; i++) {
            bool matches;
            assert_true(bsp_entity_filter_matches(filters[f], &all->list[i], i, &matches, NULL));
            assert_int_equal(matches, wanted[f][i]);
        }
    }
    bsp_where_free(one);
    bsp_where_free(two);
    bsp_entities_free(all);
}

static void test_edit(void **state) {
    (void)state;
    bsp_entities *all = parse(T(text));
    const char *const term = "classname=light";
    bsp_where *lights = bsp_where_new(&term, 1, NULL, NULL, NULL);
    const bsp_entity_filter filter = {.where = lights};
    const bsp_entity_change changes[] = {
        {.action = BSP_ENTITY_SET, .entity = 77, .key = T("light"), .value = T("200")},
        {.action = BSP_ENTITY_ADD, .value = T("{\n\"a\" \"b\"\n}\n{\n}\n")},
    };
    bsp_entity_edit *edit = bsp_entities_edit(all, &filter, changes, 2, NULL, NULL);
    assert_non_null(edit);
    bsp_entities_free(all); // the edit stands alone
    expect_text(edit, T("{\n\"classname\" \"worldspawn\"\n}\n"
                        "{\n\"classname\" \"light\"\n\"light\" \"200\"\n}\n"
                        "{\n\"classname\" \"light\"\n\"light\" \"200\"\n}\n"
                        "{\n\"a\" \"b\"\n}\n{\n}\n\0"));
    expect_counts(edit, 2, 1, 0, 2); // one had that value before
    const uint32_t before_of[] = {0, 1, 2, BSP_NONE, BSP_NONE};
    assert_int_equal(edit->entities->count, 5);
    assert_memory_equal(edit->before_of, before_of, sizeof before_of);
    // An edit of the edit, and nothing at all.
    const uint32_t second = 1;
    const bsp_entity_filter one = {.indices = &second, .num_indices = 1};
    const bsp_entity_change remove = {.action = BSP_ENTITY_REMOVE};
    bsp_entity_edit *next = bsp_entities_edit(edit->entities, &one, &remove, 1, NULL, NULL);
    assert_non_null(next);
    expect_counts(next, 1, 0, 1, 0);
    const uint32_t left[] = {0, 2, 3, 4};
    assert_int_equal(next->entities->count, 4);
    assert_memory_equal(next->before_of, left, sizeof left);
    bsp_entity_edit *same = bsp_entities_edit(next->entities, NULL, NULL, 0, NULL, NULL);
    assert_non_null(same);
    expect_text(same, next->entities->text);
    expect_counts(same, 4, 0, 0, 0);
    bsp_entity_edit_free(same);
    bsp_entity_edit_free(next);
    bsp_entity_edit_free(edit);
    bsp_entity_edit_free(NULL);
    bsp_where_free(lights);
}

static void test_refused(void **state) {
    (void)state;
    const bsp_entity_change bad[] = {
        {.action = BSP_ENTITY_SET, .key = T("a"), .value = T("\"")},
        {.action = BSP_ENTITY_RENAME, .key = T("classname"), .value = T("\n")},
        {.action = BSP_ENTITY_ADD, .value = T("no entity")},
    };
    bsp_entities *all = parse(T(text));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bsp_error error = {0};
        assert_null(bsp_entities_edit(all, NULL, &bad[i], 1, NULL, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
    }
    bsp_entities_free(all);
}

static void test_import(void **state) {
    (void)state;
    bsp_entities *all = parse(T(text));
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_entity_edit *edit =
        bsp_entities_import(all, T("{\"a\" \"b\"}\n\0\0\0"), NULL, issues, NULL);
    assert_non_null(edit);
    expect_text(edit, T("{\"a\" \"b\"}\n\0")); // one NUL, as the old one had
    expect_counts(edit, 0, 0, 3, 1);
    assert_null(edit->before_of);
    bsp_entity_edit_free(edit);
    edit = bsp_entities_import(all, (bsp_text){NULL, 0}, NULL, NULL, NULL);
    assert_non_null(edit);
    assert_int_equal(edit->entities->count, 0);
    bsp_entity_edit_free(edit);
    bsp_issues_free(issues);
    bsp_entities_free(all);
}

// A budget that pays for the file pays for the edit of its entities too.
static void test_budget(void **state) {
    (void)state;
    const bsp_limits limits = {.work = 3000000};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bsp_open_options options = {.budget = budget};
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", &options, NULL);
    bsp_entities *all = bsp_file_entities(file, NULL, NULL);
    assert_non_null(all);
    const bsp_entity_change change = {.action = BSP_ENTITY_SET, .key = T("a"), .value = T("b")};
    bsp_error error = {0};
    bsp_entity_edit *edit = bsp_entities_edit(all, NULL, &change, 1, NULL, &error);
    assert_non_null(edit);
    bsp_budget_stop(budget);
    assert_null(bsp_entities_edit(all, NULL, &change, 1, NULL, &error));
    assert_int_equal(error.code, BSP_E_CANCELLED);
    assert_null(bsp_entities_edit(edit->entities, NULL, &change, 1, NULL, &error));
    assert_int_equal(error.code, BSP_E_CANCELLED);
    assert_null(bsp_entities_stripper(all, T("filter:\n{\n\"a\" \"b\"\n}\n"), NULL, &error));
    assert_int_equal(error.code, BSP_E_CANCELLED);
    bsp_entity_edit_free(edit);
    bsp_entities_free(all);
    bsp_file_close(file);
    bsp_budget_free(budget);
}

static bsp_entity_edit *work(int which, const bsp_entities *all, const bsp_allocator *allocator,
                             bsp_error *error) {
    const bsp_entity_change changes[] = {
        {.action = BSP_ENTITY_SET, .key = T("a"), .value = T("b")},
        {.action = BSP_ENTITY_ADD, .value = T("{\n}\n")},
    };
    const bsp_text config =
        T("filter:\n{\n\"light\" \"300\"\n}\nadd:\n{\n\"a\" \"b\"\n}\nmodify:\n{\nmatch:\n{\n"
          "\"a\" \"b\"\n}\ninsert:\n{\n\"c\" \"d\"\n}\n}\n");
    return which == 0   ? bsp_entities_edit(all, NULL, changes, 2, allocator, error)
           : which == 1 ? bsp_entities_import(all, T("{\n}\n"), allocator, NULL, error)
                        : bsp_entities_stripper(all, config, allocator, error);
}

static void test_starved(void **state) {
    (void)state;
    bsp_entities *all = parse(T(text));
    for (int which = 0; which < 3; which++) {
        bsp_entity_edit *edit = NULL;
        for (uint64_t n = 1; edit == NULL; n++) {
            test_meter meter = {.fail_at = n};
            bsp_allocator allocator = meter_allocator(&meter);
            bsp_error error = {0};
            edit = work(which, all, &allocator, &error);
            assert_true(edit != NULL ? n > 3 : error.code == BSP_E_MEMORY);
            bsp_entity_edit_free(edit);
            assert_int_equal(meter.live, 0);
            assert_false(meter.wrong);
        }
    }
    bsp_entities_free(all);
}

// Into a map and out again: the lump stays packed if it was.
static void one_map(const each_map *m, void *user) {
    unsigned *tried = user;
    uint32_t n = bsp_file_find_id(m->file, BSP_ID_ENTITIES);
    bsp_entities *all = n == BSP_NONE ? NULL : bsp_lump_entities(m->file, n, NULL, NULL);
    if (all == NULL || all->count == 0) {
        bsp_entities_free(all);
        return;
    }
    const uint32_t world = 0;
    const bsp_entity_filter filter = {.indices = &world, .num_indices = 1};
    const bsp_entity_change set = {.action = BSP_ENTITY_SET, .key = T("zz"), .value = T("1")};
    bsp_entity_edit *edit = bsp_entities_edit(all, &filter, &set, 1, NULL, NULL);
    assert_non_null(edit);
    bsp_text wanted = edit->entities->text;
    bsp_blob packed;
    bsp_blob blob;
    bsp_lump_change change;
    bsp_error error = {0};
    assert_true(bsp_lump_change_make(m->file, n,
                                     (bsp_bytes){(const uint8_t *)wanted.data, wanted.size}, NULL,
                                     &packed, &change, &error));
    if (!bsp_file_rewrite(m->file, &change, 1, NULL, &blob, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    bsp_open_options options = {.branch = bsp_file_get_info(m->file)->detection.branch->name};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, &options, &error);
    assert_non_null(file);
    assert_int_equal(bsp_file_lump(file, n)->compressed, bsp_file_lump(m->file, n)->compressed);
    bsp_entities *now = bsp_lump_entities(file, n, NULL, NULL);
    assert_non_null(now);
    assert_true(bsp_text_equal(now->text, wanted));
    bsp_entities_free(now);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&packed);
    bsp_entity_edit_free(edit);
    bsp_entities_free(all);
    ++*tried;
}

static void test_lump(void **state) {
    (void)state;
    unsigned tried = 0;
    (void)each_map_do_some(100, one_map, &tried);
    assert_true(tried > 10);
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    bsp_blob packed;
    bsp_lump_change change;
    bsp_error error = {0};
    assert_false(
        bsp_lump_change_make(file, 9999, (bsp_bytes){NULL, 0}, NULL, &packed, &change, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_filter),
        cmocka_unit_test(test_edit),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_import),   cmocka_unit_test(test_budget),
        cmocka_unit_test(test_starved),  cmocka_unit_test(test_lump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
