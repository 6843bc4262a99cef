// SPDX-License-Identifier: MIT
// Whether a changed file is worse: on the samples, against what bsp_check and bsp_file_checksum say
// of both files.
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "support/each_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST 64

typedef struct found {
    const bsp_issue_kind *kinds[MOST];
    uint64_t before[MOST];
    uint64_t after[MOST];
    char first[160];
    uint32_t count;
} found;

static void take(void *user, const bsp_new_issue *issue) {
    found *f = user;
    assert_true(f->count < MOST);
    assert_true(issue->kind->severity >= BSP_WARNING && issue->after > issue->before);
    if (f->count == 0) {
        (void)snprintf(f->first, sizeof f->first, "%s",
                       issue->first == NULL ? "" : issue->first->text);
    }
    f->kinds[f->count] = issue->kind;
    f->before[f->count] = issue->before;
    f->after[f->count++] = issue->after;
}

static bsp_issues *issues_of(bsp_bytes bytes, const char *branch) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_open_options options = {.branch = branch, .issues = issues};
    bsp_file *file = bsp_file_open_memory(bytes, &options, NULL);
    assert_non_null(file);
    assert_true(bsp_check(file, issues, NULL));
    bsp_file_close(file);
    return issues;
}

// The same by counting each kind in both files.
static void expect_counted(const found *f, bsp_bytes old, bsp_bytes new, const char *branch) {
    size_t count;
    uint32_t at = 0;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    bsp_issues *before = issues_of(old, branch);
    bsp_issues *after = issues_of(new, branch);
    for (size_t i = 0; i < count; i++) {
        uint64_t a = bsp_issues_count_kind(before, &kinds[i]);
        uint64_t b = bsp_issues_count_kind(after, &kinds[i]);
        if (kinds[i].severity >= BSP_WARNING && b > a) {
            assert_true(at < f->count);
            assert_ptr_equal(f->kinds[at], &kinds[i]);
            assert_int_equal(f->before[at], a);
            assert_int_equal(f->after[at], b);
            at++;
        }
    }
    assert_int_equal(at, f->count);
    bsp_issues_free(before);
    bsp_issues_free(after);
}

// The map with one key of its world set.
static bsp_plan *plan_with(const bsp_file *file, const char *key, const char *value, bool apart,
                           bsp_entity_edit **edit, bsp_blob *packed, bsp_lump_change *change) {
    uint32_t n = bsp_file_find_id(file, BSP_ID_ENTITIES);
    bsp_entities *all = n == BSP_NONE ? NULL : bsp_lump_entities(file, n, NULL, NULL);
    *packed = (bsp_blob){0};
    *edit = NULL;
    if (all == NULL || all->count < 2 || bsp_file_lump(file, n)->external != BSP_NONE) {
        bsp_entities_free(all);
        return NULL;
    }
    const uint32_t second = 1;
    const bsp_entity_filter filter = {.indices = &second, .num_indices = 1};
    const bsp_entity_change set = {
        .action = BSP_ENTITY_SET, .key = bsp_text_of(key), .value = bsp_text_of(value)};
    *edit = bsp_entities_edit(all, &filter, &set, 1, NULL, NULL);
    bsp_entities_free(all);
    bsp_text text = (*edit)->entities->text;
    assert_true(bsp_lump_change_make(file, n, (bsp_bytes){(const uint8_t *)text.data, text.size},
                                     NULL, packed, change, NULL));
    change->apart = apart;
    return bsp_file_plan(file, change, 1, NULL, NULL);
}

typedef struct tally {
    unsigned tried;
    unsigned worse;
    unsigned kept;
    unsigned changed;
} tally;

static void check_one(const each_map *m, const char *key, const char *value, tally *t) {
    bsp_entity_edit *edit;
    bsp_blob packed;
    bsp_lump_change change;
    bsp_plan *plan = plan_with(m->file, key, value, true, &edit, &packed, &change);
    if (plan == NULL) {
        bsp_entity_edit_free(edit);
        bsp_blob_free(&packed);
        return;
    }
    const bsp_file_info *info = bsp_file_get_info(m->file);
    found f = {.count = 0};
    bsp_plan_report report;
    bsp_error error = {0};
    if (!bsp_plan_check(plan, m->file, take, &f, NULL, &report, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    assert_int_equal(report.num_new_issues, f.count);
    assert_ptr_equal(report.branch, info->detection.branch);
    bsp_blob made;
    assert_true(bsp_plan_make(plan, NULL, &made, NULL));
    expect_counted(&f, info->bytes, (bsp_bytes){made.data, made.size},
                   info->detection.branch->name);
    bsp_open_options options = {.branch = info->detection.branch->name};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){made.data, made.size}, &options, NULL);
    uint32_t sums[2] = {0, 0};
    bool known = bsp_file_checksum(m->file, &sums[0]) && bsp_file_checksum(file, &sums[1]);
    assert_int_equal(report.checksum_changes, known && sums[0] != sums[1]);
    assert_int_equal(report.checksum_before, report.checksum_changes ? sums[0] : 0);
    assert_int_equal(report.checksum_after, report.checksum_changes ? sums[1] : 0);
    t->tried++;
    t->worse += f.count != 0 && f.first[0] != '\0' ? 1 : 0;
    t->kept += known && !report.checksum_changes ? 1 : 0;
    t->changed += report.checksum_changes ? 1 : 0;
    bsp_file_close(file);
    bsp_blob_free(&made);
    bsp_plan_free(plan);
    bsp_entity_edit_free(edit);
    bsp_blob_free(&packed);
}

static void one_map(const each_map *m, void *user) {
    tally *t = user;
    check_one(m, "zz", "1", &t[0]);
    check_one(m, "model", "*99999", &t[1]);
}

static void test_samples(void **state) {
    (void)state;
    tally t[2] = {{0}, {0}};
    (void)each_map_do_some(1000, one_map, t);
    assert_true(t[0].tried > 10);
    assert_int_equal(t[0].worse, 0);
    assert_true(t[0].kept > 3 && t[0].changed > 3); // Quake keeps it, Quake 2 and 3 do not
    assert_true(t[1].worse > 5);                    // a model that is not there
}

static void test_lists(void **state) {
    (void)state;
    bsp_issues *none = bsp_issues_new(NULL, 0);
    assert_int_equal(bsp_issues_compare(none, none, BSP_NOTE, NULL, NULL), 0);
    bsp_issues_free(none);
}

// Maps of two games never meet.
static void test_others(void **state) {
    (void)state;
    bsp_file *a = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    bsp_file *b = bsp_file_open(BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL, NULL);
    uint32_t sums[2] = {1, 2};
    assert_false(bsp_file_checksum_changes(a, b, &sums[0], &sums[1]));
    assert_false(bsp_file_checksum_changes(a, a, NULL, NULL));
    assert_int_equal(sums[0], 1);
    bsp_file_close(a);
    bsp_file_close(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
