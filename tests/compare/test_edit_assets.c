// SPDX-License-Identifier: MIT
// The tables of assets hang together, and lists of assets are sorted, without doubles, for any map.
#include "bspkit/compare.h"
#include "compare/assets/tables.h"
#include "support/each_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// A kind that no family of a row can look for would be forgotten without a word.
static void test_tables(void **state) {
    (void)state;
    size_t count;
    const bspi_asset_key *keys = bspi_asset_keys(&count);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t family = BSP_QUAKE; family <= BSP_SOURCE; family++) {
            bool asked = (keys[i].families & BSPI_IN(family)) != 0;
            if (asked && bspi_asset_form_of((bsp_family)family, keys[i].form) == NULL) {
                fail_msg("%s: form %d has no folder in family %u", keys[i].key, (int)keys[i].form,
                         (unsigned)family);
            }
        }
    }
}

typedef struct totals {
    unsigned files;
    unsigned assets;
    unsigned found;
    unsigned unused;
} totals;

static void list_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error = {0};
    bsp_asset_list *assets = bsp_assets_find(m->map, NULL, NULL, &error);
    if (assets == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    for (uint32_t i = 0; i < assets->count; i++) {
        const bsp_asset_use *use = &assets->list[i];
        assert_true(use->name.size != 0);
        assert_true(use->found == use->in_pak); // there is nothing else to look into
        if (i != 0 && use->kind == use[-1].kind && bsp_text_equal(use->name, use[-1].name)) {
            fail_msg("%s: %.*s twice", m->name, (int)use->name.size, use->name.data);
        }
        assert_true(i == 0 || use[-1].kind <= use->kind);
        t->found += use->found ? 1 : 0;
    }
    t->files++;
    t->assets += assets->count;
    t->unused += assets->num_unused;
    bsp_assets_free(assets);
}

static void test_every_map(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do(list_map, &t);
    print_message(
        "%u files (%u of the corpus): %u assets, %u of them in the maps; %u files in maps "
        "unused\n",
        t.files, corpus, t.assets, t.found, t.unused);
    assert_true(t.found > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_every_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
