// SPDX-License-Identifier: MIT
// Traces in maps of Quake 2 and 3 by the index against the engine's own way down the tree, which
// the answers of the engines confirm (test_query_corpus): no number of a result may differ, but for
// which of several brushes that the engine would tell the same of. Samples, and the corpus where it
// is there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/index.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define FULL_TRACES 20000u // in each map
#define QUICK_STEP 10u     // make test does one in so many

typedef struct totals {
    unsigned maps, traces, hits, stuck, differ;
} totals;

// Finds nothing, and says that there was no room for what it found: the tree is asked about all.
static void find_nothing(const bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
                         bspi_hit *hit) {
    (void)index;
    (void)body;
    hit->dropped = 0;
    hit->stuck = ray->still ? 0 : hit->stuck;
}

static float unit(test_random *random) {
    return (float)(random_u32(random) >> 8) / 16777216.0f;
}

// Somewhere in the world; sometimes where brushes have their sides.
static void choose_start(test_random *random, const bsp_map *map, float start[3]) {
    uint32_t grid = random_u32(random) % 3;
    for (int i = 0; i < 3; i++) {
        float low = map->models[0].mins[i];
        start[i] = low + (map->models[0].maxs[i] - low) * unit(random);
        start[i] = grid == 0 ? (float)((int)start[i] / 8 * 8) : start[i];
    }
}

static void choose_trace(test_random *random, const bsp_map *map, unsigned n, bsp_trace_input *in) {
    static const float sizes[3] = {0, 16, 15.7f};
    static const uint32_t masks[4] = {1, 0x2000001, 0x10001, 0xFFFFFFFF};
    memset(in, 0, sizeof *in);
    for (int tries = 0; tries < 100; tries++) {
        choose_start(random, map, in->start);
        if (n % 4 == 0 || bsp_query_cluster(map, in->start) != BSP_NONE) {
            break;
        }
    }
    float size = sizes[random_u32(random) % 3];
    float reach = n % 3 == 0 ? 4096 : n % 3 == 1 ? 512 : 40;
    uint32_t axis = random_u32(random) % 6; // some move along an axis
    for (uint32_t i = 0; i < 3; i++) {
        bool moves = axis > 2 || axis == i;
        in->end[i] = in->start[i] + (moves ? (unit(random) - 0.5f) * reach : 0);
        in->mins[i] = i == 2 ? -1.5f * size : -size;
        in->maxs[i] = i == 2 && n % 2 == 0 ? 2 * size : size;
    }
    if (n % 64 == 0) {
        memcpy(in->end, in->start, sizeof in->end);
    }
    in->mask = masks[random_u32(random) % 4];
}

static bool differ(const bsp_trace_result *a, const bsp_trace_result *b) {
    return a->fraction != b->fraction || a->dist != b->dist || a->contents != b->contents ||
           a->surface_flags != b->surface_flags || a->start_solid != b->start_solid ||
           a->all_solid != b->all_solid || memcmp(a->end, b->end, sizeof a->end) != 0 ||
           memcmp(a->normal, b->normal, sizeof a->normal) != 0;
}

static void print_trace(const char *name, const bsp_trace_input *in, const bsp_trace_result *r) {
    print_message("%s: %.9g %.9g %.9g -> %.9g %.9g %.9g box %.9g %.9g mask %x: %.9g n %g %g %g %d "
                  "%d %x %x brush %d side %d face %d\n",
                  name, (double)in->start[0], (double)in->start[1], (double)in->start[2],
                  (double)in->end[0], (double)in->end[1], (double)in->end[2], (double)in->maxs[0],
                  (double)in->maxs[2], in->mask, (double)r->fraction, (double)r->normal[0],
                  (double)r->normal[1], (double)r->normal[2], r->start_solid, r->all_solid,
                  (unsigned)r->contents, r->surface_flags, (int)r->brush, (int)r->side,
                  (int)r->face);
}

static void check_trace(const each_map *m, const bsp_trace_index *index, const bsp_trace_input *in,
                        totals *t) {
    const bspi_tracer tree = {.walk = find_nothing,
                              .clip = bspi_tracer_plain.clip,
                              .find_lane = bspi_tracer_plain.find_lane};
    bsp_trace_result ours, theirs;
    bsp_trace(index, in, &ours);
    bspi_trace_with(index, &tree, in, &theirs);
    t->traces++;
    t->hits += theirs.fraction < 1;
    t->stuck += theirs.start_solid;
    if (differ(&ours, &theirs)) {
        t->differ++;
        if (t->differ < 20 || getenv("BSP_TEST_TRACES") != NULL) {
            print_trace(m->name, in, &ours);
            print_trace("  the tree", in, &theirs);
        }
    }
}

// Boxes that meet the planes of a brush far outside of it, at an edge without a bevel, and are
// stopped by another brush before they come to a leaf of it.
static void check_known(const each_map *m, const bsp_trace_index *index, totals *t) {
    static const float ways[][2][3] = {
        {{1665.09229f, 717.893555f, 220.215149f}, {1343.76074f, -1205.6825f, 543.598877f}},
        {{1719.37402f, -85.12146f, 276.044861f}, {1478.31812f, 1526.55737f, 220.874023f}},
        {{1647.39819f, 283.906738f, 96.9973145f}, {2142.9751f, 649.611084f, 530.421753f}}};
    for (size_t i = 0; strstr(m->name, "u2m1") != NULL && i < sizeof ways / sizeof *ways; i++) {
        bsp_trace_input in = {.mins = {-16, -16, -24}, .maxs = {16, 16, 32}, .mask = 1};
        memcpy(in.start, ways[i][0], sizeof in.start);
        memcpy(in.end, ways[i][1], sizeof in.end);
        check_trace(m, index, &in, t);
    }
}

static void check_map(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    totals *t = user;
    bool asks = map->branch->family == BSP_QUAKE2 || map->branch->family == BSP_QUAKE3;
    if (!asks || map->num_models == 0 || map->num_nodes == 0 || !each_map_has_bodies(m)) {
        return;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    assert_non_null(index);
    test_random random = {77};
    for (unsigned i = 0; i < test_effort(FULL_TRACES / test_step(QUICK_STEP)); i++) {
        bsp_trace_input in;
        choose_trace(&random, map, i, &in);
        check_trace(m, index, &in, t);
    }
    check_known(m, index, t);
    t->maps++;
    bsp_trace_index_free(index);
}

static void test_tree(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do(check_map, &t);
    print_message("%u maps (%u in the corpus): %u traces, %u hit, %u start in solid, %u differ\n",
                  t.maps, corpus, t.traces, t.hits, t.stuck, t.differ);
    assert_true(t.hits != 0 && t.stuck != 0);
    assert_int_equal(t.differ, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
