// SPDX-License-Identifier: MIT
// Portals and visibility out of compiled maps: a line that goes from leaf to leaf through open
// space never joins clusters that do not see each other; the result is symmetric, within the base,
// and the same at any number of threads and of parts; maps that were compiled without a full run
// have the base to the bit; a map that gets its rows anew has them. Samples, and the corpus where
// it is there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "bspkit/vis.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES 20000u       // of each map
#define STEP 12u           // make test takes one map in so many
#define MOST_LEAVES 512u   // on a line
#define MOST_PORTALS 2500u // larger maps are left to make test-all
#define MOST_THOROUGH 4000u

typedef struct totals {
    unsigned maps, lines, free_lines, hidden, fast, same_threads;
} totals;

// --- lines --------------------------------------------------------------------------------------

// The leaves on a line, in order.
typedef struct walk {
    const bsp_map *map;
    uint8_t *row; // scratch
    uint32_t leaves[MOST_LEAVES];
    uint32_t count;
} walk;

static double away(const bsp_plane *plane, const double p[3]) {
    return plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2] -
           (double)plane->dist;
}

static void walk_tree(walk *w, int32_t child, const double a[3], const double b[3]) {
    while (child >= 0) {
        const bsp_node *node = &w->map->nodes[child];
        const bsp_plane *plane = &w->map->planes[node->plane];
        double from = away(plane, a);
        double to = away(plane, b);
        if ((from >= 0) == (to >= 0)) {
            child = node->children[from < 0];
            continue;
        }
        double part = from / (from - to);
        double middle[3];
        for (int i = 0; i < 3; i++) {
            middle[i] = a[i] + part * (b[i] - a[i]);
        }
        walk_tree(w, node->children[from < 0], a, middle);
        walk_tree(w, node->children[from >= 0], middle, b);
        return;
    }
    if (w->count < MOST_LEAVES) {
        w->leaves[w->count++] = (uint32_t)(-1 - child);
    }
}

// What a leaf is to visibility, as bsp_sight_pair says.
static int32_t kind_of(const bsp_map *map, uint32_t leaf) {
    const bsp_vis_rules *rules = &map->traits->vis;
    uint32_t contents = (uint32_t)map->leaves[leaf].contents;
    if (map->traits->contents_numbers) {
        return map->leaves[leaf].contents;
    }
    return (contents & rules->through) != 0 ? 0 : (int32_t)(contents & rules->visible);
}

static bool passes(const bsp_portals *portals, int32_t a, int32_t b) {
    for (uint32_t i = 0; i < portals->num_pairs; i++) {
        const bsp_sight_pair *pair = &portals->pairs[i];
        if (pair->contents[0] == (a < b ? a : b) && pair->contents[1] == (a < b ? b : a)) {
            return pair->passes;
        }
    }
    return false;
}

// Between leaves of other kinds an opening counts if the rows of the map show that it is one.
static bool joined(const walk *w, const bsp_portals *portals, uint32_t a, uint32_t b) {
    uint32_t from = w->map->leaves[a].cluster;
    uint32_t to = w->map->leaves[b].cluster;
    bsp_map_visible(w->map, from, false, w->row);
    return !portals->learned || kind_of(w->map, a) == kind_of(w->map, b) || from == to ||
           bsp_query_row_sees(w->map, w->row, to);
}

static bool is_free(const walk *w, const bsp_portals *portals) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (portals->leaf_clusters[w->leaves[i]] == BSP_NONE) {
            return false;
        }
        if (i > 0 && w->leaves[i] != w->leaves[i - 1] &&
            (!passes(portals, kind_of(w->map, w->leaves[i - 1]), kind_of(w->map, w->leaves[i])) ||
             !joined(w, portals, w->leaves[i - 1], w->leaves[i]))) {
            return false;
        }
    }
    return w->count < MOST_LEAVES;
}

static bool sees(const bsp_vis *vis, uint32_t from, uint32_t to) {
    return (vis->rows[(size_t)from * vis->row_bytes + to / 8] >> to % 8 & 1) != 0;
}

static double unit(test_random *random) {
    return (double)(random_u32(random) >> 8) / 16777216.0;
}

static bool choose(test_random *random, const bsp_map *map, const bsp_portals *portals,
                   double out[3]) {
    for (int tries = 0; tries < 200; tries++) {
        float point[3];
        for (int i = 0; i < 3; i++) {
            float low = map->models[0].mins[i];
            point[i] = low + (map->models[0].maxs[i] - low) * (float)unit(random);
            out[i] = (double)point[i];
        }
        uint32_t leaf = bsp_query_leaf(map, point);
        if (leaf != BSP_NONE && portals->leaf_clusters[leaf] != BSP_NONE) {
            return true;
        }
    }
    return false;
}

static void check_lines(const each_map *m, const bsp_portals *portals, const bsp_vis *vis,
                        totals *t) {
    test_random random = {4711};
    uint8_t *row = malloc((size_t)m->map->visibility.row_bytes + 1);
    for (unsigned n = 0; n < test_effort(LINES); n++) {
        double a[3];
        double b[3];
        walk w = {.map = m->map, .row = row};
        if (!choose(&random, m->map, portals, a) || !choose(&random, m->map, portals, b)) {
            break;
        }
        if (n % 2 == 0) { // near ones are free more often
            for (int i = 0; i < 3; i++) {
                b[i] = a[i] + (b[i] - a[i]) / 8;
            }
        }
        walk_tree(&w, m->map->models[0].headnodes[0], a, b);
        t->lines++;
        if (!is_free(&w, portals)) {
            continue;
        }
        t->free_lines++;
        uint32_t from = portals->leaf_clusters[w.leaves[0]];
        uint32_t to = portals->leaf_clusters[w.leaves[w.count - 1]];
        if (!sees(vis, from, to) || !sees(vis, to, from)) {
            print_message("%s: %u to %u: %.17g %.17g %.17g, %.17g %.17g %.17g\n", m->name, from, to,
                          a[0], a[1], a[2], b[0], b[1], b[2]);
            t->hidden++;
        }
    }
    free(row);
}

// --- maps ---------------------------------------------------------------------------------------

static bsp_vis *make(const bsp_portals *portals, bool base, uint32_t threads) {
    bsp_error error;
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    assert_non_null(budget);
    bsp_budget_set_threads(budget, threads);
    bsp_vis_options options = {.base = base, .budget = budget};
    bsp_vis *vis = bsp_vis_build(portals, &options, &error);
    if (vis == NULL) {
        print_message("%s\n", error.message);
    }
    assert_non_null(vis);
    // The budget must outlive what uses it: the copy needs none.
    size_t size = (size_t)vis->num_clusters * vis->row_bytes;
    bsp_vis *copy = malloc(sizeof *copy);
    uint8_t *rows = malloc(size + 1);
    assert_true(copy != NULL && rows != NULL);
    memcpy(rows, vis->rows, size);
    *copy = *vis;
    copy->rows = rows;
    copy->owner = NULL;
    bsp_vis_free(vis);
    bsp_budget_free(budget);
    return copy;
}

static void drop(bsp_vis *vis) {
    free((uint8_t *)(uintptr_t)vis->rows);
    free(vis);
}

static void check_rows(const bsp_vis *vis, const bsp_vis *base) {
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < vis->num_clusters; i++) {
        assert_true(sees(vis, i, i));
        for (uint32_t k = 0; k < vis->num_clusters; k++) {
            pairs += sees(vis, i, k);
            assert_int_equal(sees(vis, i, k), sees(vis, k, i));
            assert_true(!sees(vis, i, k) || sees(base, i, k));
        }
    }
    assert_int_equal(pairs, vis->pairs);
}

// Writes the map with the rows, and reads them back.
static void check_written(const each_map *m, const bsp_portals *portals, const bsp_vis *vis) {
    bsp_error error;
    bsp_blob blob;
    bsp_vis_changes *changes = bsp_vis_lumps(vis, portals, m->map, m->file, NULL, &error);
    assert_non_null(changes);
    assert_true(
        bsp_file_rewrite(m->file, changes->changes, changes->num_changes, NULL, &blob, &error));
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_non_null(file);
    const bsp_map_options load = {.parts = BSP_LOAD_TREE | BSP_LOAD_BRUSHES};
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_non_null(map);
    bsp_vis_difference difference;
    uint8_t *row = malloc((size_t)map->visibility.row_bytes + 1);
    bsp_vis_compare(vis, portals, map, NULL, NULL, row, &difference);
    assert_int_equal(difference.stored_only, 0);
    assert_int_equal(difference.new_only, 0);
    assert_int_equal(difference.num_clusters, map->visibility.num_clusters);
    free(row);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_vis_changes_free(changes);
}

#define PARTS 3u

// Parts that know nothing of each other merge to the same rows; without one of them, and with one
// that is damaged, nothing is made.
static void check_parts(const bsp_portals *portals, const bsp_vis *vis, unsigned seed) {
    bsp_blob blobs[PARTS];
    bsp_bytes parts[PARTS];
    bsp_error error;
    test_random random = {seed + 1};
    for (uint32_t i = 0; i < PARTS; i++) {
        assert_true(bsp_vis_part_make(portals, NULL, i + 1, PARTS, &blobs[i], &error));
        parts[PARTS - 1 - i] = (bsp_bytes){blobs[i].data, blobs[i].size};
    }
    bsp_vis *merged = bsp_vis_merge(portals, NULL, parts, PARTS, &error);
    assert_non_null(merged);
    assert_memory_equal(vis->rows, merged->rows, (size_t)vis->num_clusters * vis->row_bytes);
    bsp_vis_free(merged);
    assert_null(bsp_vis_merge(portals, NULL, parts, PARTS - 1, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_string_equal(error.message, "part 1 of 3 is missing");
    assert_null(bsp_vis_build(portals, &(bsp_vis_options){.distance = -8}, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_null(bsp_vis_build(portals, &(bsp_vis_options){.distance = (double)NAN}, &error));
    assert_string_equal(error.message, "a distance is 0 or more, not nan");
    for (int i = 0; i < 100; i++) {
        uint8_t *byte = (uint8_t *)blobs[1].data + random_u32(&random) % blobs[1].size;
        uint8_t old = *byte;
        bsp_vis_part part;
        *byte ^= (uint8_t)(1u << i % 8);
        assert_false(bsp_vis_part_read((bsp_bytes){blobs[1].data, blobs[1].size}, portals, 0, &part,
                                       &error));
        assert_true(error.code == BSP_E_DAMAGED || error.code == BSP_E_FORMAT);
        *byte = old;
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        bsp_blob_free(&blobs[i]);
    }
}

static bool is_fast(const each_map *m, const bsp_portals *portals, const bsp_vis *base) {
    bsp_vis_difference difference;
    uint8_t *row = malloc((size_t)m->map->visibility.row_bytes + 1);
    bsp_vis_compare(base, portals, m->map, NULL, NULL, row, &difference);
    free(row);
    return difference.stored_only == 0 && difference.new_only == 0 && difference.num_clusters > 100;
}

static void check_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error;
    if (m->map->num_models == 0 || m->map->num_nodes == 0 ||
        bsp_file_find_id(m->file, BSP_ID_VISIBILITY) == BSP_NONE) {
        return;
    }
    bsp_portals *portals = bsp_portals_build(m->map, NULL, &error);
    assert_non_null(portals);
    uint32_t most = test_is_thorough() ? MOST_THOROUGH : MOST_PORTALS / (TEST_SANITIZED ? 8 : 1);
    bool known = strstr(m->name, "e1m2@e291c4b2") != NULL;
    if ((portals->count <= most || known) && portals->num_clusters > 1) {
        bsp_vis *base = make(portals, true, 2);
        t->fast += is_fast(m, portals, base);
        assert_true(!known || is_fast(m, portals, base)); // sheet bake, 2.6
        bsp_vis *vis = known ? NULL : make(portals, false, 1);
        if (vis != NULL) {
            check_rows(vis, base);
            check_lines(m, portals, vis, t);
            check_written(m, portals, vis);
            if (portals->count <= most / 4) {
                check_parts(portals, vis, t->maps);
            }
            bsp_vis *again = make(portals, false, (const uint32_t[]){2, 7, 16}[t->maps % 3]);
            assert_memory_equal(vis->rows, again->rows, (size_t)vis->num_clusters * vis->row_bytes);
            drop(again);
            drop(vis);
            t->maps++;
        }
        drop(base);
    }
    bsp_portals_free(portals);
}

static void test_vis(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(STEP, check_map, &t);
    print_message("%u maps (%u in the corpus): %u lines, %u of them free, %u hidden; %u have the "
                  "base\n",
                  t.maps, corpus, t.lines, t.free_lines, t.hidden, t.fast);
    assert_true(t.free_lines > 1000);
    assert_int_equal(t.hidden, 0);
}

// --- a leaf thinner than the epsilon ------------------------------------------------------------

#define OPENINGS 4u

// A rectangle: its middle, half of its two sides (their product looks at the first cluster), and
// the clusters that it joins.
typedef struct opening {
    double middle[3], a[3], b[3];
    uint32_t clusters[2];
} opening;

static void put_opening(const opening *o, uint32_t number, bsp_portal *portal,
                        double (*points)[3]) {
    static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double length = 0;
    *portal = (bsp_portal){
        .clusters = {o->clusters[0], o->clusters[1]}, .first_point = 4 * number, .num_points = 4};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        portal->normal[i] = o->a[j] * o->b[k] - o->a[k] * o->b[j];
        length += portal->normal[i] * portal->normal[i];
        for (int c = 0; c < 4; c++) {
            points[4 * number + (uint32_t)c][i] =
                o->middle[i] + corners[c][0] * o->a[i] + corners[c][1] * o->b[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        portal->normal[i] /= sqrt(length);
        portal->dist += portal->normal[i] * o->middle[i];
    }
}

// From cluster 0 one looks through 1, a leaf 0.05 units thick, into 2, and from there aside into 3,
// whose opening begins at the edge of that of 2. Cluster 4 lies beside 1, before cluster 0 too: the
// two have openings on one plane, and do not see each other.
static void test_thin(void **state) {
    (void)state;
    static const opening openings[OPENINGS] = {
        {{0, 0, 0}, {0, 0, 64}, {0, 64, 0}, {0, 1}},
        {{0.05, 0, 0}, {0, 0, 64}, {0, 64, 0}, {1, 2}},
        {{32.05, 64, 0}, {32, 0, 0}, {0, 0, 64}, {2, 3}},
        {{0, 164, 0}, {0, 0, 64}, {0, 64, 0}, {0, 4}},
    };
    bsp_portal list[OPENINGS];
    double points[4 * OPENINGS][3];
    for (uint32_t i = 0; i < OPENINGS; i++) {
        put_opening(&openings[i], i, &list[i], points);
    }
    const bsp_portals portals = {.list = list,
                                 .count = OPENINGS,
                                 .points = (const double(*)[3])points,
                                 .num_points = 4 * OPENINGS,
                                 .num_clusters = 5};
    for (int base = 1; base >= 0; base--) {
        bsp_vis *vis = make(&portals, base != 0, 1);
        for (uint32_t i = 0; i < 5; i++) {
            for (uint32_t k = 0; k < 5; k++) {
                bool apart = (i == 4 && k > 0 && k < 4) || (k == 4 && i > 0 && i < 4);
                assert_int_equal(sees(vis, i, k), !apart);
            }
        }
        drop(vis);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vis), cmocka_unit_test(test_thin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
