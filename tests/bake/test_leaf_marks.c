// SPDX-License-Identifier: MIT
// What leaves state of what they see, made of the rows that a map has: it is what the map states,
// in every leaf of every map. Maps of Source that no light compiler finished are left out: there
// all leaves but the first say that they see the sky, solid ones too.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/vis.h"
#include "support/each_map.h"

#include <stdlib.h>
#include <string.h>

#define STEP 4u // make test takes one map in so many

typedef struct totals {
    unsigned maps[2]; // of Quake, of Source
    unsigned leaves;
} totals;

static void set_bit(uint8_t *row, uint32_t bit) {
    row[bit / 8] |= (uint8_t)(1u << bit % 8);
}

// The rows of the map by the clusters of the portals.
static bsp_vis stored_rows(const bsp_map *map, const bsp_portals *portals) {
    bool leaves = map->traits->vis.leaves;
    uint32_t count = leaves ? portals->num_clusters : map->visibility.num_clusters;
    bsp_vis vis = {.num_clusters = count, .row_bytes = (count + 7) / 8};
    uint8_t *rows = calloc((size_t)count + 1, (size_t)vis.row_bytes + 1);
    uint8_t *row = malloc((size_t)map->visibility.row_bytes + 1);
    assert_true(rows != NULL && row != NULL);
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        uint32_t cluster = leaves ? portals->leaf_clusters[i] : map->leaves[i].cluster;
        if (cluster >= count) {
            continue;
        }
        bsp_map_visible(map, map->leaves[i].cluster, false, row);
        for (uint32_t k = 0; k < map->visibility.num_clusters; k++) {
            uint32_t other = !leaves                       ? k
                             : k + 1 < portals->num_leaves ? portals->leaf_clusters[k + 1]
                                                           : BSP_NONE;
            if ((row[k / 8] >> k % 8 & 1) != 0 && other < count) {
                set_bit(rows + (size_t)cluster * vis.row_bytes, other);
            }
        }
    }
    free(row);
    vis.rows = rows;
    return vis;
}

static bool is_finished(const each_map *m) {
    const bsp_map *map = m->map;
    bool all = true;
    if (strncmp(m->name, "lobby", 5) == 0 || strncmp(m->name, "garden", 6) == 0) {
        return false;
    }
    for (uint32_t i = 1; i < map->num_leaves; i++) {
        all = all && map->leaves[i].flags == 1;
    }
    return !all || map->num_leaves < 2;
}

static void check_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error;
    const bsp_vis_rules *rules = &m->map->traits->vis;
    bsp_portals *portals = NULL;
    if (!(rules->sounds || (rules->skies && is_finished(m))) || m->map->num_models == 0 ||
        m->map->num_nodes == 0 || (rules->sounds && m->map->visibility.num_clusters == 0)) {
        return;
    }
    bsp_portals none = {0};
    if (rules->leaves) {
        portals = bsp_portals_build(m->map, NULL, &error);
        assert_non_null(portals);
    }
    const bsp_portals *of = portals != NULL ? portals : &none;
    bsp_vis vis = stored_rows(m->map, of);
    bsp_vis_leaves *leaves = bsp_vis_leaves_build(&vis, of, m->map, NULL, &error);
    assert_non_null(leaves);
    assert_int_equal(leaves->count, m->map->num_leaves);
    if (leaves->equal != leaves->count) {
        print_message("%s: %u of %u leaves\n", m->name, leaves->equal, leaves->count);
    }
    assert_int_equal(leaves->equal, leaves->count);
    t->maps[rules->skies]++;
    t->leaves += leaves->count;
    bsp_vis_leaves_free(leaves);
    bsp_portals_free(portals);
    free((void *)(uintptr_t)vis.rows);
}

static void test_leaf_marks(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(STEP, check_map, &t);
    print_message("%u maps of Quake, %u of Source (%u in the corpus), %u leaves: all as stored\n",
                  t.maps[0], t.maps[1], corpus, t.leaves);
    assert_true(t.maps[0] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_leaf_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
