// SPDX-License-Identifier: MIT
// Brushes whose sides stand far apart in the list of sides, with sides between them that have no
// plane: an index keeps the distance between them in 16 bits.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/alloc.h"
#include "support/random.h"
#include "support/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 65534u // that the last side of a brush may be after the first
#define TRACES 2000
#define REACH 400 // units from the middle of the room, and out of it

#define BRUSH 0u
#define SIDES 6u

// Moves the sides of a brush to the end of the list, the last of them `span` after the first, and
// puts sides without a plane in the middle of them. The caller frees the list.
static bsp_brush_side *spread_sides(room *r, uint32_t span) {
    bsp_brush *brush = &r->brushes[BRUSH];
    uint32_t old = r->map.num_brush_sides;
    bsp_brush_side *sides = calloc(old + span + 1, sizeof *sides);
    assert_non_null(sides);
    assert_int_equal(brush->num_sides, SIDES);
    memcpy(sides, r->map.brush_sides, old * sizeof *sides);
    for (uint32_t i = 0; i <= span; i++) {
        sides[old + i].plane = BSP_NONE;
    }
    for (uint32_t i = 0; i < SIDES; i++) {
        uint32_t place = i < SIDES / 2 ? i : span + 1 + i - SIDES;
        sides[old + place] = sides[brush->first_side + i];
    }
    brush->first_side = old;
    brush->num_sides = span + 1;
    r->map.brush_sides = sides;
    r->map.num_brush_sides = old + span + 1;
    return sides;
}

static bsp_trace_input any_trace(test_random *random) {
    bsp_trace_input in = {.model = BSP_TRACE_ALL};
    for (int i = 0; i < 3; i++) {
        in.start[i] = (float)random_below(random, 2 * REACH) - REACH;
        in.end[i] = (float)random_below(random, 2 * REACH) - REACH;
    }
    return in;
}

// Returns how many of the traces hit the brush. Both indices give the same results, but for the
// numbers of its sides, whose place among them is the same.
static uint32_t compare(const room *r, const bsp_trace_index *before, uint32_t first_before,
                        const bsp_trace_index *after, uint32_t span) {
    test_random random = {77};
    uint32_t hits = 0;
    for (int i = 0; i < TRACES; i++) {
        bsp_trace_input in = any_trace(&random);
        bsp_trace_result a, b;
        bsp_trace(before, &in, &a);
        bsp_trace(after, &in, &b);
        if (a.brush == BRUSH && a.side != BSP_NONE) {
            uint32_t side = a.side - first_before;
            hits++;
            assert_true(side < SIDES);
            a.side = r->brushes[BRUSH].first_side + side;
            a.side += side < SIDES / 2 ? 0 : span + 1 - SIDES;
        }
        assert_memory_equal(&a, &b, sizeof a);
    }
    return hits;
}

static void check(const char *branch, uint32_t span) {
    room *r = room_build(bsp_branch_find(branch));
    bsp_error error = {0};
    uint32_t first = r->brushes[BRUSH].first_side;
    uint32_t count = r->map.num_brush_sides;
    bsp_map map = r->map; // the index of the map as it was
    bsp_brush brushes[ROOM_BRUSHES];
    memcpy(brushes, r->brushes, sizeof brushes);
    map.brushes = brushes;
    bsp_trace_index *before = bsp_trace_index_new(&map, NULL, &error);
    assert_non_null(before);
    bsp_brush_side *sides = spread_sides(r, span);
    bsp_trace_index *after = bsp_trace_index_new(&r->map, NULL, &error);
    if (span <= FARTHEST) {
        assert_non_null(after);
        assert_true(compare(r, before, first, after, span) > TRACES / 50);
    } else {
        char text[256];
        snprintf(text, sizeof text,
                 "the planes of brush 0 are those of its sides %u to %u, and less than 65535 apart "
                 "are allowed",
                 count, count + span);
        assert_null(after);
        assert_int_equal(error.code, BSP_E_LIMIT);
        assert_string_equal(error.message, text);
        assert_string_equal(error.place.lump, "BRUSHES");
        assert_int_equal(error.place.record, BRUSH);
    }
    bsp_trace_index_free(after);
    bsp_trace_index_free(before);
    free(sides);
    room_free(r);
}

static void test_far_sides(void **state) {
    static const char *const branches[] = {"quake2", "quake3", "source_20", "rbsp"};
    static const uint32_t spans[] = {SIDES - 1, 1000, FARTHEST, FARTHEST + 1, 200000};
    (void)state;
    for (size_t b = 0; b < sizeof branches / sizeof *branches; b++) {
        for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
            check(branches[b], spans[i]);
        }
    }
}

// Whatever request is refused, blocks of memory are given back with their sizes.
static void test_memory(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, NULL);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_trace_index *index = NULL;
    for (uint64_t n = 1; index == NULL; n++) {
        test_meter meter = {.fail_at = n};
        const bsp_allocator allocator = meter_allocator(&meter);
        const bsp_trace_options options = {.allocator = &allocator};
        bsp_error error = {0};
        index = bsp_trace_index_new(map, &options, &error);
        assert_true(index != NULL ? meter.requests < n : error.code == BSP_E_MEMORY);
        bsp_trace_index_free(index);
        assert_false(meter.wrong);
        assert_true(meter.live == 0);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_sides),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
