// SPDX-License-Identifier: MIT
// Every map of the corpus, when it is there: opened, dumped, checked, loaded, and encoded from its
// records to the same bytes, lump by lump and as a whole.
#include "support/battery.h"
#include "support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SKIPPED 77

typedef struct totals {
    uint32_t maps;
    uint32_t lumps;
    uint32_t refused;
    uint64_t dumped; // bytes of JSON
    uint64_t issues;
} totals;

static void dump_lumps(const char *path, const bsp_file *file, totals *t) {
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        bsp_error error = {0};
        bsp_json json;
        bsp_json_begin(&json, null_sink, &t->dumped);
        bool done = bsp_dump_json(file, n, &json, &error);
        if (!bsp_json_flush(&json) || !done) {
            fail_msg("%s: %s: %s", path, bsp_file_lump(file, n)->name, error.message);
        }
    }
}

static void check_file(const char *path, const bsp_file *file, totals *t) {
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    if (!bsp_check(file, issues, &error)) {
        fail_msg("%s: %s", path, error.message);
    }
    t->issues += bsp_issues_count(issues, BSP_NOTE);
    bsp_issues_free(issues);
}

static void load_file(const char *path, const bsp_file *file) {
    bsp_error error = {0};
    bsp_map *map = bsp_map_load(file, NULL, &error);
    if (map == NULL) {
        fail_msg("%s: %s", path, error.message);
        return;
    }
    bool opaque = map->branch->opaque;
    if (map->entities == NULL || map->entities->count == 0 || (!opaque && map->num_planes == 0)) {
        fail_msg("%s: an empty map", path);
    }
    bsp_map_free(map);
}

static void visit(const test_file *found, void *user) {
    totals *t = user;
    bsp_error error = {0};
    if (strncmp(found->path, "foreign/", 8) == 0) {
        assert_null(bsp_file_open_memory(found->bytes, NULL, &error));
        assert_int_equal(error.code, BSP_E_FORMAT);
        t->refused++;
        return;
    }
    bsp_file *file = battery_open(found->path, found->bytes);
    dump_lumps(found->path, file, t);
    check_file(found->path, file, t);
    t->lumps += battery_encode(found->path, file);
    load_file(found->path, file);
    bsp_file_close(file);
    t->maps++;
}

static void test_corpus(void **state) {
    (void)state;
    totals t = {0};
    uint32_t count = for_each_file(corpus_folder(), ".bsp", visit, &t);
    print_message("%u files: %u maps, %u lumps encoded byte for byte, %u refused, %llu bytes of "
                  "JSON, %llu issues\n",
                  count, t.maps, t.lumps, t.refused, (unsigned long long)t.dumped,
                  (unsigned long long)t.issues);
    assert_true(t.maps > 0);
}

int main(void) {
    if (corpus_folder() == NULL) {
        puts("SKIP: the map corpus is not there (set BSPKIT_CORPUS)");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
