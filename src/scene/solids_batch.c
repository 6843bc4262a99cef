// SPDX-License-Identifier: MIT
// Many traces against world and props at once, on several threads.
#include "scene/solid.h"

#include "core/workers.h"

#include <assert.h>
#include <string.h>

#define ITEMS 256u // that a thread takes at a time

typedef struct run {
    const bsp_solids *solids;
    const bsp_trace_input *inputs;
    bsp_solids_result *results;
    bsp_trace_input look; // of lines of sight, without its ends
    const bsp_sight_line *lines;
    bool *seen;
    size_t count;
} run;

static bool trace_items(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const run *r = user;
    size_t first = (size_t)item * ITEMS;
    size_t end = r->count - first < ITEMS ? r->count : first + ITEMS;
    (void)worker;
    (void)error;
    for (size_t i = first; i < end && r->lines == NULL; i++) {
        bsp_solids_trace(r->solids, &r->inputs[i], &r->results[i]);
    }
    for (size_t i = first; i < end && r->lines != NULL; i++) {
        bsp_trace_input input = r->look;
        bsp_solids_result result;
        memcpy(input.start, r->lines[i].from, sizeof input.start);
        memcpy(input.end, r->lines[i].to, sizeof input.end);
        bsp_solids_trace(r->solids, &input, &result);
        r->seen[i] = result.trace.fraction == 1 && !result.trace.start_solid;
    }
    return true;
}

static void run_items(run whole) {
    const size_t part = (size_t)1 << 30; // items are counted in 32 bits
    size_t count = whole.count;
    uint32_t threads = count > 8 * ITEMS ? bspi_heap_threads(&whole.solids->heap) : 1;
    for (size_t first = 0; first < count; first += part) {
        run r = whole;
        r.inputs = whole.inputs == NULL ? NULL : whole.inputs + first;
        r.results = whole.results == NULL ? NULL : whole.results + first;
        r.lines = whole.lines == NULL ? NULL : whole.lines + first;
        r.seen = whole.seen == NULL ? NULL : whole.seen + first;
        r.count = count - first < part ? count - first : part;
        (void)bspi_workers_each(threads, (uint32_t)((r.count + ITEMS - 1) / ITEMS), trace_items, &r,
                                NULL);
    }
}

void bsp_solids_trace_batch(const bsp_solids *solids, const bsp_trace_input *inputs,
                            bsp_solids_result *results, size_t count) {
    assert(solids != NULL && (count == 0 || (inputs != NULL && results != NULL)));
    run_items((run){.solids = solids, .inputs = inputs, .results = results, .count = count});
}

void bsp_solids_sight_batch(const bsp_solids *solids, uint32_t mask, uint32_t model,
                            const bsp_sight_line *lines, bool *seen, size_t count) {
    assert(solids != NULL && (count == 0 || (lines != NULL && seen != NULL)));
    run r = {.solids = solids, .lines = lines, .seen = seen, .count = count};
    r.look.mask = mask != 0 ? mask : solids->sight_mask;
    r.look.model = model;
    r.look.sight = true;
    run_items(r);
}
