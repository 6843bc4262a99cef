// SPDX-License-Identifier: MIT
// The way out of solid in Source, through more brushes than a short list holds. The engine tests
// each brush once: one that it met before it was out, and forgot because it was not out there yet,
// does not stop the trace when a later leaf lists it again. What should come out was worked out by
// hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/collide.h"
#include "query/index.h"
#include "support/alloc.h"
#include "support/room.h"

#include <string.h>

#define SIDES 6u

enum { INSIDE, STOPS, EARLIER, LEAVES, NUM_NAMED };

// Where each brush begins and ends along x; all others are as FAR.
static const float named[NUM_NAMED][2] = {
    [INSIDE] = {0, 100}, [STOPS] = {500, 600}, [EARLIER] = {250, 280}, [LEAVES] = {80, 300}};
static const float far_away[2] = {800, 900};

// The map: a node at x = 400 with a leaf on either side.
typedef struct long_way {
    room *room;
    uint32_t num_brushes;
    bsp_plane *planes;
    bsp_brush *brushes;
    bsp_brush_side *sides;
    uint32_t *listed;
} long_way;

static void add_brush(long_way *w, uint32_t number, const float along[2]) {
    bsp_brush *brush = &w->brushes[number];
    brush->contents = 1;
    brush->first_side = number * SIDES;
    brush->num_sides = SIDES;
    for (uint32_t i = 0; i < SIDES; i++) {
        bsp_plane *plane = &w->planes[number * SIDES + i];
        uint32_t axis = i % 3;
        plane->normal[axis] = i < 3 ? 1 : -1;
        plane->dist = axis != 0 ? 64 : i < 3 ? along[1] : -along[0];
        plane->type = i < 3 ? (int32_t)axis : (int32_t)axis + 3;
        w->sides[number * SIDES + i].plane = number * SIDES + i;
        w->sides[number * SIDES + i].texinfo = BSP_NONE;
    }
}

// Makes a map in which `fillers` brushes are far away. The near leaf lists: the brush at the start,
// those far away, the one that would stop the trace, one before it, and one by which the trace
// leaves all of that. The far leaf lists the one that would stop the trace once more.
static void make_way(long_way *w, uint32_t fillers) {
    w->room = room_build(bsp_branch_find("source_20"));
    bsp_map *map = &w->room->map;
    w->num_brushes = NUM_NAMED + fillers;
    w->planes = test_calloc((size_t)w->num_brushes * SIDES + 1, sizeof *w->planes);
    w->brushes = test_calloc(w->num_brushes, sizeof *w->brushes);
    w->sides = test_calloc((size_t)w->num_brushes * SIDES, sizeof *w->sides);
    w->listed = test_calloc((size_t)w->num_brushes + 1, sizeof *w->listed);
    for (uint32_t i = 0; i < w->num_brushes; i++) {
        add_brush(w, i, i < NUM_NAMED ? named[i] : far_away);
        w->listed[i] = i == 0 ? INSIDE : i <= fillers ? NUM_NAMED + i - 1 : i - fillers;
    }
    w->listed[w->num_brushes] = STOPS;
    bsp_plane *middle = &w->planes[w->num_brushes * SIDES];
    middle->normal[0] = 1;
    middle->dist = 400;
    w->room->nodes[0].plane = w->num_brushes * SIDES;
    for (int side = 0; side < 2; side++) { // the front is the far one
        bsp_leaf *leaf = &w->room->leaves[side];
        w->room->nodes[0].children[side] = -1 - side;
        leaf->first_brush = side == 0 ? w->num_brushes : 0;
        leaf->num_brushes = side == 0 ? 1 : w->num_brushes;
    }
    w->room->models[0].headnodes[0] = 0;
    map->planes = w->planes;
    map->brushes = w->brushes;
    map->brush_sides = w->sides;
    map->leaf_brushes = w->listed;
    map->num_planes = w->num_brushes * SIDES + 1;
    map->num_brushes = w->num_brushes;
    map->num_brush_sides = w->num_brushes * SIDES;
    map->num_leaf_brushes = w->num_brushes + 1;
    map->num_nodes = 1;
    map->num_leaves = 2;
    map->num_models = 1;
    map->num_displacements = 0;
}

static void free_way(long_way *w) {
    test_free(w->planes);
    test_free(w->brushes);
    test_free(w->sides);
    test_free(w->listed);
    room_free(w->room);
}

static void check_way(uint32_t fillers) {
    static const bspi_tracer *const tracers[] = {&bspi_tracer_plain, &bspi_tracer_base,
                                                 &bspi_tracer_avx2};
    long_way w;
    make_way(&w, fillers);
    bsp_trace_index *index = bsp_trace_index_new(&w.room->map, NULL, NULL);
    assert_non_null(index);
    for (size_t i = 0; i < sizeof tracers / sizeof *tracers - (bspi_has_avx2() ? 0 : 1); i++) {
        for (int box = 0; box < 2; box++) {
            bsp_trace_input in = {.start = {50, 0, 0}, .end = {1050, 0, 0}};
            bsp_trace_result r;
            for (int k = 0; k < 3 && box != 0; k++) {
                in.mins[k] = -4;
                in.maxs[k] = 4;
            }
            bspi_trace_with(index, tracers[i], &in, &r);
            assert_true(r.start_solid && !r.all_solid);
            assert_true(r.left_solid > 0.249f && r.left_solid < 0.26f);
            assert_true(r.fraction == 1);
        }
    }
    bsp_trace_index_free(index);
    free_way(&w);
}

static void test_long_way(void **state) {
    (void)state;
    check_way(0);
    check_way(500);
    check_way(600);
    check_way(3000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
