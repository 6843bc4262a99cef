// SPDX-License-Identifier: MIT
// Every map of the samples and the corpus: decompiled, printed in the dialect of its game, read
// again by the strict reader, and every brush a closed convex solid.
#include "bspkit/decompile.h"
#include "support/each_map.h"
#include "support/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct totals {
    unsigned maps;
    unsigned refused; // no branch whose brushes are known
    uint32_t brushes;
    uint32_t sides;
    uint32_t lost;
    uint32_t unsound; // no closed convex solids
    uint32_t patches;
    uint32_t displacements;
    uint32_t entities;
} totals;

// Says every brush that is none before the map fails.
static void check_solids(const each_map *m, const bsp_mapdoc *source, totals *t) {
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(NULL, 4);
    assert_non_null(issues);
    if (!bsp_mapdoc_check(source, NULL, issues, NULL, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        print_message("%s: brush %u: %s\n", m->name, list[i].place.record, list[i].text);
    }
    t->unsound += (uint32_t)bsp_issues_count(issues, BSP_NOTE);
    bsp_issues_free(issues);
}

static void compare(const each_map *m, const bsp_mapdoc *written, const bsp_mapdoc *read) {
    if (written->num_entities != read->num_entities || written->num_brushes != read->num_brushes ||
        written->num_sides != read->num_sides || written->num_patches != read->num_patches ||
        written->num_disps != read->num_disps) {
        fail_msg("%s: what was read is not what was written", m->name);
    }
}

static void decompile(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error = {0};
    bsp_decompile_report report;
    bsp_decompile_options options = {.file = m->file};
    bsp_mapdoc *source = bsp_decompile(m->map, &options, &report, &error);
    if (source == NULL) {
        if (error.code != BSP_E_UNSUPPORTED) {
            fail_msg("%s: %s", m->name, error.message);
        }
        t->refused++;
        return;
    }
    test_sink printed = {0};
    if (!bsp_mapdoc_write(source, m->map->traits->dialect, NULL, test_sink_take, &printed, NULL,
                          &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    bsp_mapdoc *read = bsp_mapdoc_read((bsp_text){printed.data, printed.size}, NULL, &error);
    if (read == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    compare(m, source, read);
    check_solids(m, read, t);
    t->maps++;
    t->brushes += report.brushes_out;
    t->sides += report.sides;
    t->lost += report.brushes_lost;
    t->patches += report.patches;
    t->displacements += report.displacements;
    t->entities += source->num_entities;
    bsp_mapdoc_free(read);
    bsp_mapdoc_free(source);
    free(printed.data);
}

static void test_every_map(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do(decompile, &t);
    print_message("%u maps (%u of the corpus; %u more refused): %u brushes, %u lost, %u sides, %u "
                  "patches, %u displacements, %u entities\n",
                  t.maps, corpus, t.refused, t.brushes, t.lost, t.sides, t.patches, t.displacements,
                  t.entities);
    assert_int_equal(t.unsound, 0);
    assert_true(t.maps > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
