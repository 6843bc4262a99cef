// SPDX-License-Identifier: MIT
// Many traces at once through the hulls of Quake and GoldSrc, each with the result of
// bspi_trace_hull, to the bit. A trace alone waits half of its time for sides that the processor
// predicted wrongly. Here many are under way, and each is in the list of the step that it takes
// next: to a child, by the kind of the plane; across a plane, by the same; from a leaf to the last
// plane that it crossed. One kind of step is taken by all in its list, without a branch that
// depends on the trace: each is stored at the end of every list that it may go to, and the lengths
// say where it stays.
#include "query/hull_trace.h"

#include "query/index.h"
#include "query/simd.h"

#include <string.h>

#define LANES 96u         // traces under way
#define LEAST_MANY 32u    // fewer are traced one by one
#define MOST_STOPS 16u    // one stop is the end of the way. More: the trace is done alone
#define MOST_ROUNDS 4096u // of a trace, two nodes each. Twice as many: the same; for deep trees
#define AHEAD 8u // traces from one to that whose input and result are loaded at the same time

static_assert(LEAST_MANY > 0, "the first trace tells the hull of all");

// What a lane knows of its trace.
enum {
    BEGUN = 1, // it has left its first leaf
    ALL_SOLID = 2,
    START_SOLID = 4,
    ONE_ROUND = 8, // times the round that it began in
};

typedef struct lane {
    float start[4], end[4]; // of the present piece, as in bspi_hull_way
    float offset[3];
    uint32_t state;
    bspi_child root;
    bspi_child side; // that the present piece comes from
    uint32_t number; // of the trace
    uint32_t depth;  // of the stops
} lane;

// A plane that is crossed, and where. The part of the way after it is still to be visited.
typedef struct stop {
    float at[4];
    bspi_child side;
    uint32_t unused[3];
} stop;

// A child that a trace goes to, times 2^32, and the place of its lane in bytes.
typedef uint64_t entry;

typedef struct list {
    entry entries[LANES + 1]; // one more is stored, and does not count
    size_t count;
} list;

typedef struct wave {
    const bsp_trace_index *index;
    const bspi_hull *hull;
    const bsp_trace_input *inputs;
    bsp_trace_result *results;
    size_t count;  // of traces
    size_t next;   // the first that has no lane yet
    uint32_t now;  // ONE_ROUND times the rounds that were taken
    list level[2]; // at nodes with planes across an axis: now, and in the next round
    list odd;      // at leaves and at sloping planes
    list sloping;
    list across, across_sloping; // their pieces cross the plane
    list leaves;
    lane lanes[LANES];
    stop stops[LANES][MOST_STOPS];
} wave;

static inline entry entry_of(bspi_child at, uint32_t place) {
    return (entry)at << 32 | place;
}
static inline bspi_child child_in(entry e) {
    return (bspi_child)(e >> 32);
}
static inline lane *lane_in(wave *w, entry e) {
    return (lane *)(void *)((uint8_t *)w->lanes + (uint32_t)e);
}
static inline uint32_t number_in(entry e) {
    return (uint32_t)e / (uint32_t)sizeof(lane);
}

// Adds an entry that goes on from here.
static inline void add(entry e, list *restrict level, list *restrict odd) {
    uint32_t is_odd = (uint32_t)(e >> 63);
    level->entries[level->count] = e;
    level->count += is_odd ^ 1;
    odd->entries[odd->count] = e;
    odd->count += is_odd;
}

// --- the steps ----------------------------------------------------------------------------------

// To a child of a node whose plane is across an axis, or to those that cross it.
BSPI_APART void go_down(wave *w, const list *restrict from, list *restrict to) {
    const uint8_t *steps = (const uint8_t *)w->hull->steps;
    const uint8_t *lanes = (const uint8_t *)w->lanes;
    entry *odd = w->odd.entries;
    entry *across = w->across.entries;
    size_t num_to = to->count;
    size_t num_odd = w->odd.count;
    size_t num_across = 0;
    for (size_t i = 0; i < from->count; i++) {
        entry e = from->entries[i];
        uint32_t place = (uint32_t)e;
        bspi_child at = child_in(e);
        const bspi_step *step = (const bspi_step *)(const void *)(steps + (at & ~15u));
        const float *start = (const float *)(const void *)(lanes + place + (at & 12u));
        float dist = step->dist;
        uint32_t back = start[0] < dist;
        uint32_t crosses = back ^ (start[4] < dist); // the end of the piece
        bspi_child child = step->children[back];
        uint32_t is_odd = child >> 31 & ~crosses;
        across[num_across] = e;
        num_across += crosses;
        e = entry_of(child, place);
        to->entries[num_to] = e;
        num_to += (is_odd | crosses) ^ 1;
        odd[num_odd] = e;
        num_odd += is_odd;
    }
    to->count = num_to;
    w->odd.count = num_odd;
    w->across.count = num_across;
}

BSPI_APART void sort_odd(wave *w) {
    size_t num_leaves = 0;
    size_t num_sloping = 0;
    for (size_t i = 0; i < w->odd.count; i++) {
        entry e = w->odd.entries[i];
        size_t leaf = (size_t)(e >> 62 & 1);
        w->leaves.entries[num_leaves] = e;
        num_leaves += leaf;
        w->sloping.entries[num_sloping] = e;
        num_sloping += leaf ^ 1;
    }
    w->odd.count = 0;
    w->leaves.count = num_leaves;
    w->sloping.count = num_sloping;
}

// As go_down, at sloping planes.
BSPI_APART void go_down_sloping(wave *w, list *restrict to) {
    list *odd = &w->odd;
    size_t num_across = 0;
    for (size_t i = 0; i < w->sloping.count; i++) {
        entry e = w->sloping.entries[i];
        const lane *l = lane_in(w, e);
        const bspi_step *step = &w->hull->steps[bspi_node_of(child_in(e))];
        const bspi_slope *slope = &w->hull->slopes[step->slope];
        uint32_t back = bspi_slope_distance(slope, l->start) < 0;
        uint32_t crosses = back ^ (bspi_slope_distance(slope, l->end) < 0);
        bspi_child child = step->children[back];
        uint32_t is_odd = child >> 31 & ~crosses;
        w->across_sloping.entries[num_across] = e;
        num_across += crosses;
        e = entry_of(child, (uint32_t)e);
        to->entries[to->count] = e;
        to->count += (is_odd | crosses) ^ 1;
        odd->entries[odd->count] = e;
        odd->count += is_odd;
    }
    w->across_sloping.count = num_across;
}

// To the near side of a plane that the piece crosses. `sloping`: constant.
static inline void cross(wave *w, const list *from, list *restrict to, bool sloping) {
    const bspi_hull *hull = w->hull;
    for (size_t i = 0; i < from->count; i++) {
        entry e = from->entries[i];
        bspi_child at = child_in(e);
        lane *l = lane_in(w, e);
        const bspi_step *step = &hull->steps[bspi_node_of(at)];
        const bspi_slope *slope = sloping ? &hull->slopes[step->slope] : NULL;
        uint32_t axis = bspi_axis_of(at);
        float t1 = sloping ? bspi_slope_distance(slope, l->start) : l->start[axis] - step->dist;
        float t2 = sloping ? bspi_slope_distance(slope, l->end) : l->end[axis] - step->dist;
        uint32_t back = t1 < 0;
        float part = bspi_crossing(t1, t2, back);
        uint32_t depth = l->depth + 1;
        stop *s = &w->stops[number_in(e)][depth < MOST_STOPS ? depth : MOST_STOPS - 1];
        float middle[4];
        bspi_way_place(middle, l->start, l->end, part);
        memcpy(l->end, middle, sizeof l->end);
        memcpy(s->at, middle, sizeof s->at);
        s->side = at | back;
        l->depth = depth;
        add(entry_of(step->children[back], (uint32_t)e), to, &w->odd);
    }
}

BSPI_APART void cross_level(wave *w, list *restrict to) {
    cross(w, &w->across, to, false);
}
BSPI_APART void cross_sloping(wave *w, list *restrict to) {
    cross(w, &w->across_sloping, to, true);
}

// --- the ends -----------------------------------------------------------------------------------

// Gives a lane the next trace, and sets where it begins. Returns false if there is none. Traces
// that are not of the wave's hull or not of one model's own space are done here.
static bool begin(wave *w, uint32_t number, bspi_child *root) {
    lane *l = &w->lanes[number];
    while (w->next < w->count) {
        uint32_t n = (uint32_t)w->next++;
        const bsp_trace_input *input = &w->inputs[n];
        const bspi_placed here = {.model = input->model};
        bspi_hull_way way;
        BSPI_FETCH((const void *)((uintptr_t)input + AHEAD * sizeof *input));
        BSPI_FETCH((const void *)((uintptr_t)&w->results[n] + AHEAD * sizeof *w->results));
        if (bspi_input_is_finite(input) && bspi_enter_hull(w->index, input, &here, &way) &&
            way.hull == w->hull) {
            memcpy(l->start, way.start, sizeof l->start);
            memcpy(l->end, way.end, sizeof l->end);
            memcpy(l->offset, way.offset, sizeof l->offset);
            memcpy(w->stops[number][0].at, way.end, sizeof way.end);
            l->number = n;
            l->state = w->now;
            l->depth = 0;
            *root = l->root = way.root;
            return true;
        }
        bspi_trace_with(w->index, w->index->tracer, input, &w->results[n]);
    }
    return false;
}

// Sets the result of a trace whose last leaf is solid or not.
static void end(const wave *w, const lane *l, bool solid) {
    const bsp_trace_input *input = &w->inputs[l->number];
    bsp_trace_result *r = &w->results[l->number];
    const bspi_placed here = {.model = 0};
    bool begun = (l->state & BEGUN) != 0;
    bool hit = solid && begun && (l->state & ALL_SOLID) == 0;
    // The last leaf before a hit is not solid. See bspi_trace_hull for ends in solid.
    bool known = !hit || !bspi_is_in_solid(w->hull, l->root, l->side, l->start);
    if (!known || l->depth >= MOST_STOPS) {
        bspi_trace_with(w->index, w->index->tracer, input, r);
        return;
    }
    bspi_clear_result(input, r);
    r->all_solid = solid && !hit;
    r->start_solid = begun ? (l->state & START_SOLID) != 0 : solid;
    if (hit) {
        bspi_hit_side(w->index->map, w->hull, l->side, r);
        bspi_out_of_model(&here, r);
        r->fraction = l->start[3];
        memcpy(r->end, l->start, sizeof r->end);
    }
    bspi_leave_hull(input, &here, l->offset, r);
}

// From a leaf to the far side of the plane that was crossed last; or to the next trace.
BSPI_APART void leave(wave *w, list *restrict to) {
    for (size_t i = 0; i < w->leaves.count; i++) {
        entry e = w->leaves.entries[i];
        lane *l = lane_in(w, e);
        uint32_t solid = child_in(e) & 1; // see BSPI_SOLID_LEAF
        uint32_t ends = (solid & l->state) | (l->depth == 0) | (l->depth >= MOST_STOPS);
        bspi_child at;
        if (ends != 0) {
            end(w, l, solid != 0);
            if (!begin(w, number_in(e), &at)) {
                continue;
            }
        } else {
            const stop *s = &w->stops[number_in(e)][l->depth--];
            uint32_t solids = solid * (ALL_SOLID | START_SOLID);
            l->state = (l->state & ~(uint32_t)ALL_SOLID) | BEGUN | solids;
            memcpy(l->start, s[0].at, sizeof l->start);
            memcpy(l->end, s[-1].at, sizeof l->end);
            l->side = s->side;
            at = w->hull->steps[bspi_node_of(s->side)].children[~s->side & 1];
        }
        add(entry_of(at, (uint32_t)e), to, &w->odd);
    }
    w->leaves.count = 0;
}

// Returns where a trace goes on: one that takes too long to a leaf, where it ends.
static entry or_end(wave *w, entry e) {
    lane *l = lane_in(w, e);
    if (w->now - (l->state & ~(ONE_ROUND - 1u)) < MOST_ROUNDS * ONE_ROUND) {
        return e;
    }
    l->depth = MOST_STOPS;
    return entry_of(BSPI_OPEN_LEAF, (uint32_t)e);
}

static void end_old(wave *w, list *level) {
    size_t count = level->count;
    level->count = 0;
    for (size_t i = 0; i < w->odd.count; i++) {
        w->odd.entries[i] = or_end(w, w->odd.entries[i]);
    }
    for (size_t i = 0; i < count; i++) {
        add(or_end(w, level->entries[i]), level, &w->odd);
    }
}

static void run(wave *w) {
    unsigned now = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        bspi_child root;
        if (!begin(w, i, &root)) {
            break;
        }
        add(entry_of(root, i * (uint32_t)sizeof(lane)), &w->level[0], &w->odd);
    }
    while (w->level[now].count + w->odd.count > 0) {
        list *to = &w->level[1 - now];
        to->count = 0;
        go_down(w, &w->level[now], to);
        sort_odd(w);
        go_down_sloping(w, to);
        cross_level(w, to);
        cross_sloping(w, to);
        leave(w, to);
        now = 1 - now;
        w->now += ONE_ROUND;
        if (w->now % (MOST_ROUNDS * ONE_ROUND) == 0) {
            end_old(w, to);
        }
    }
}

bool bspi_trace_hulls(const bsp_trace_index *index, const bsp_trace_input *inputs,
                      bsp_trace_result *results, size_t count) {
    const bspi_placed world = {.model = 0};
    bspi_hull_way way;
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&index->heap; // may be used by several threads
    if (count < LEAST_MANY || !bspi_enter_hull(index, &inputs[0], &world, &way)) {
        return false;
    }
    wave *w = bspi_heap_alloc(heap, sizeof *w, NULL);
    if (w == NULL) {
        return false;
    }
    w->index = index;
    w->hull = way.hull;
    w->inputs = inputs;
    w->results = results;
    w->count = count;
    w->next = 0;
    w->now = 0;
    w->level[0].count = w->odd.count = 0;
    run(w);
    bspi_heap_free(heap, w, sizeof *w);
    return true;
}
