// SPDX-License-Identifier: MIT
// Many traces in one call. Traces that begin near each other and go the same way visit the same
// nodes and solids, so they are done one after the other while these are in the cache: the traces
// of a run are sorted by the octant of their direction and the place of their start along a
// space-filling curve (Morton's). Each result is that of its own trace, so neither the order nor
// the threads change any.
#include "query/simd.h"

#include "core/workers.h"
#include "query/hull_trace.h"
#include "query/index.h"

#include <assert.h>
#include <string.h>

#define LEAST_SORTED 32u // fewer are traced in the order given
// What is smaller is mostly in the cache: there sorting costs more than it brings.
#define LEAST_INDEX ((size_t)6 << 20)
#define NUMBER_BITS 16u // of a trace in its run
#define MOST_SORTED (1u << NUMBER_BITS)
#define THREAD_SHARE 4096u // least traces of a thread: about a millisecond

// Traces from one to that whose input and result are loaded at the same time. Many loaded at once,
// or twice as many in a run, wait for the addresses of their pages.
#define AHEAD 16u

#define AXIS_BITS 5u // of a start's place
#define OCTANT_BITS 3u
#define KEY_BITS (3 * AXIS_BITS + OCTANT_BITS)
#define DIGIT_BITS 9u // the key is sorted in two passes
#define DIGITS (1u << DIGIT_BITS)
#define SAMPLES 1024u // starts that tell where those of a run are

static_assert(KEY_BITS == 2 * DIGIT_BITS, "two passes sort a whole key");
static_assert(DIGIT_BITS + NUMBER_BITS <= 32, "the second digit and the number fit");
// Between the passes all is in the memory of the results, which are written after that.
static_assert(sizeof(uint32_t) <= sizeof(bsp_trace_result), "a number fits in a result");

// The box around the starts of a run, or most of them.
typedef struct region {
    float low[3];
    float scale[3]; // cells per unit
} region;

static region find_region(const bsp_trace_input *inputs, uint32_t count) {
    region r;
    float low[3] = {BSPI_FAR, BSPI_FAR, BSPI_FAR};
    float high[3] = {-BSPI_FAR, -BSPI_FAR, -BSPI_FAR};
    uint32_t step = count / SAMPLES + 1;
    for (uint32_t i = 0; i < count; i += step) {
        for (int axis = 0; axis < 3; axis++) { // NaN is neither
            float at = inputs[i].start[axis];
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        float first = low[axis] > -BSPI_FAR ? low[axis] : -BSPI_FAR;
        r.low[axis] = first;
        r.scale[axis] = high[axis] > first ? (float)(1u << AXIS_BITS) / (high[axis] - first) : 0;
    }
    return r;
}

// Spreads eight bits, so that each is followed by two zeros.
static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 8) & 0x00F00Fu;
    bits = (bits | bits << 4) & 0x0C30C3u;
    return (bits | bits << 2) & 0x249249u;
}

static uint32_t key_of(const region *r, const bsp_trace_input *input) {
    uint32_t key = 0;
    uint32_t octant = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float most = (float)((1u << AXIS_BITS) - 1);
        float at = (input->start[axis] - r->low[axis]) * r->scale[axis];
        at = at > 0 ? at : 0; // also for NaN
        at = at < most ? at : most;
        key |= spread((uint32_t)at) << axis;
        octant |= (input->end[axis] < input->start[axis] ? 1u : 0u) << axis;
    }
    return key << OCTANT_BITS | octant;
}

// Turns the counts of digits into the places of the first of each.
static void place_digits(uint32_t places[DIGITS]) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < DIGITS; i++) {
        uint32_t here = places[i];
        places[i] = next;
        next += here;
    }
}

// Fills `order` with the numbers of the inputs, sorted by their keys: by the low digit, then by the
// high one. `results` is scratch, accessed by copies, because its type is another.
static void sort_run(const bsp_trace_input *inputs, bsp_trace_result *results, uint32_t count,
                     uint32_t *order) {
    region r = find_region(inputs, count);
    uint32_t lows[DIGITS] = {0};
    uint32_t highs[DIGITS] = {0};
    uint8_t *sorted = (uint8_t *)results;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = key_of(&r, &inputs[i]);
        lows[order[i] % DIGITS]++;
        highs[order[i] / DIGITS]++;
    }
    place_digits(lows);
    place_digits(highs);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair = order[i] / DIGITS << NUMBER_BITS | i;
        memcpy(sorted + lows[order[i] % DIGITS]++ * sizeof pair, &pair, sizeof pair);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair;
        memcpy(&pair, sorted + i * sizeof pair, sizeof pair);
        order[highs[pair >> NUMBER_BITS]++] = pair % MOST_SORTED;
    }
}

// Loads the cache lines of an object.
BSPI_INLINE void fetch(const void *object, size_t size) {
    BSPI_FETCH(object);
    BSPI_FETCH((const uint8_t *)object + size - 1);
}

typedef struct batch {
    const bsp_trace_index *index;
    const bsp_trace_input *inputs;
    bsp_trace_result *results;
    size_t count;
    uint32_t runs;
    size_t least_index; // bytes of an index from which on traces are sorted
} batch;

static void trace_in_order(const batch *b, size_t first, const uint32_t *order, uint32_t count) {
    const bsp_trace_input *inputs = b->inputs + first;
    bsp_trace_result *results = b->results + first;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t soon = order[i + AHEAD < count ? i + AHEAD : count - 1];
        fetch(&inputs[soon], sizeof *inputs);
        fetch(&results[soon], sizeof *results);
        bspi_trace_with(b->index, b->index->tracer, &inputs[order[i]], &results[order[i]]);
    }
}

static bool trace_run(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    (void)worker;
    (void)error;
    const batch *b = user;
    size_t first = b->count / b->runs * item + b->count % b->runs * item / b->runs;
    size_t next = b->count / b->runs * (item + 1) + b->count % b->runs * (item + 1) / b->runs;
    uint32_t count = (uint32_t)(next - first);
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&b->index->heap; // may be used by several threads
    if (bspi_trace_hulls(b->index, b->inputs + first, b->results + first, count)) {
        return true;
    }
    bool sorted = count >= LEAST_SORTED && bsp_trace_index_size(b->index) >= b->least_index;
    uint32_t *order = sorted ? bspi_heap_alloc(heap, count * sizeof *order, NULL) : NULL;
    if (order != NULL) {
        sort_run(b->inputs + first, b->results + first, count, order);
        trace_in_order(b, first, order, count);
        bspi_heap_free(heap, order, count * sizeof *order);
        return true;
    }
    for (size_t i = first; i < next; i++) {
        bsp_trace(b->index, &b->inputs[i], &b->results[i]);
    }
    return true;
}

void bspi_trace_many(const bsp_trace_index *index, const bsp_trace_input *inputs,
                     bsp_trace_result *results, size_t count, size_t least_index) {
    assert(index != NULL);
    assert(inputs != NULL || count == 0);
    assert(results != NULL || count == 0);
    size_t most = count / THREAD_SHARE; // of threads
    uint32_t threads = most > 1 ? bspi_heap_threads(&index->heap) : 1;
    threads = threads < most ? threads : most > 1 ? (uint32_t)most : 1;
    // Runs of equal size; a number that 32 bits do not hold is done in parts.
    const size_t part = (size_t)1 << 30;
    for (size_t first = 0; first < count; first += part) {
        batch b = {.index = index,
                   .inputs = inputs + first,
                   .results = results + first,
                   .least_index = least_index};
        b.count = count - first < part ? count - first : part;
        b.runs = (uint32_t)((b.count + MOST_SORTED - 1) / MOST_SORTED);
        b.runs = b.runs < threads ? threads : b.runs;
        (void)bspi_workers_each(threads, b.runs, trace_run, &b, NULL);
    }
}

void bsp_trace_batch(const bsp_trace_index *index, const bsp_trace_input *inputs,
                     bsp_trace_result *results, size_t count) {
    assert(index != NULL && (count == 0 || (inputs != NULL && results != NULL)));
    bspi_trace_many(index, inputs, results, count, LEAST_INDEX);
}
