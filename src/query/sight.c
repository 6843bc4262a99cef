// SPDX-License-Identifier: MIT
// Lines of sight: traces of no width by the mask that a game's own code uses for them.
#include "core/workers.h"
#include "query/hull_trace.h"
#include "query/sight_eight.h"

#include <string.h>

#define LINES 256u // that a thread takes at a time

typedef struct sight_run {
    const bsp_trace_index *index;
    bsp_trace_input input; // without its ends
    const bsp_sight_line *list;
    bool *seen;
    size_t count;
} sight_run;

// --- eight at once ------------------------------------------------------------------------------

// Finds the hull that lines go through. Returns false where traces are to tell.
static bool enter(const sight_run *l, bspi_hull_way *way) {
    const bspi_placed here = {.model = l->input.model};
    if (!bspi_enter_hull(l->index, &l->input, &here, way)) {
        return false;
    }
    assert(way->offset[0] == 0 && way->offset[1] == 0 && way->offset[2] == 0); // hull 0 has no size
    return true;
}

// Looks along up to eight lines. Returns bits of those that are to be traced.
static uint32_t look_eight(const sight_run *l, const bspi_hull_way *way, size_t first,
                           uint32_t count) {
    bspi_sight_eight eight;
    for (uint32_t n = 0; n < BSPI_SIGHT_LANES; n++) {
        const bsp_sight_line *line = &l->list[first + (n < count ? n : count - 1)];
        for (int i = 0; i < 3; i++) {
            eight.from[i][n] = line->from[i];
            eight.to[i][n] = line->to[i];
        }
    }
    eight.lanes = (1u << count) - 1;
    bspi_sight_eight_here()(way->hull, way->root, &eight);
    for (uint32_t n = 0; n < count; n++) {
        l->seen[first + n] = (eight.stopped >> n & 1) == 0;
    }
    return eight.unknown;
}

// --- all ----------------------------------------------------------------------------------------

static void trace_one(const sight_run *l, bsp_trace_input *input, size_t i) {
    bsp_trace_result result;
    memcpy(input->start, l->list[i].from, sizeof input->start);
    memcpy(input->end, l->list[i].to, sizeof input->end);
    bsp_trace(l->index, input, &result);
    l->seen[i] = result.fraction == 1 && !result.start_solid;
}

static bool look_along(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const sight_run *l = user;
    bsp_trace_input input = l->input;
    size_t first = (size_t)item * LINES;
    size_t end = l->count - first < LINES ? l->count : first + LINES;
    (void)worker;
    (void)error;
    bspi_hull_way way;
    bool hulls = enter(l, &way);
    for (size_t i = first; i < end; i += BSPI_SIGHT_LANES) {
        uint32_t count = end - i < BSPI_SIGHT_LANES ? (uint32_t)(end - i) : BSPI_SIGHT_LANES;
        uint32_t traced = hulls ? look_eight(l, &way, i, count) : (1u << count) - 1;
        for (uint32_t n = 0; n < count; n++) {
            if ((traced >> n & 1) != 0) {
                trace_one(l, &input, i + n);
            }
        }
    }
    return true;
}

uint32_t bsp_sight_mask(const bsp_branch *branch) {
    assert(branch != NULL);
    return bsp_branch_traits(branch)->sight_mask;
}

void bsp_sight_batch(const bsp_trace_index *index, uint32_t mask, uint32_t model,
                     const bsp_sight_line *lines, bool *seen, size_t count) {
    assert(index != NULL);
    assert(lines != NULL || count == 0);
    assert(seen != NULL || count == 0);
    const size_t part = (size_t)1 << 30; // items are counted in 32 bits
    uint32_t threads = count > 8 * LINES ? bspi_heap_threads(&index->heap) : 1;
    for (size_t first = 0; first < count; first += part) {
        sight_run l = {.index = index, .list = lines + first, .seen = seen + first};
        l.count = count - first < part ? count - first : part;
        l.input.mask = mask != 0 ? mask : index->map->traits->sight_mask;
        l.input.model = model;
        l.input.sight = true;
        uint32_t items = (uint32_t)((l.count + LINES - 1) / LINES);
        (void)bspi_workers_each(threads, items, look_along, &l, NULL);
    }
}
