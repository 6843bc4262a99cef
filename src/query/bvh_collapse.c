// SPDX-License-Identifier: MIT
// Collapses a binary tree of boxes into one with eight children per node, which are as small as
// they can be: a trace in a large map waits for them. Bounds have 16 bits, contents a bit for each
// of seven classes: both say at least what is there.
#include "query/bvh.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The largest error of the walk's arithmetic, relative to the numbers of the grid: some units in
// the last place.
#define GRID_ROUNDING 1e-6

// --- classes of contents ------------------------------------------------------------------------

// The solid contents have a class of their own, and so have the five that most brushes have.
void bspi_choose_classes(bsp_trace_index *index) {
    const bsp_map *map = index->map;
    uint32_t counts[32] = {0};
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        for (uint32_t bit = 0; bit < 32; bit++) {
            counts[bit] += (uint32_t)map->brushes[i].contents >> bit & 1;
        }
    }
    memset(index->classes, 1u << (BSPI_NUM_CLASSES - 1), sizeof index->classes);
    for (uint32_t n = 0; n + 1 < BSPI_NUM_CLASSES; n++) {
        uint32_t best = 0; // BSPI_SOLID_MASK
        for (uint32_t bit = 1; bit < 32 && n != 0; bit++) {
            best = counts[bit] > counts[best] ? bit : best;
        }
        index->classes[best] = (uint8_t)(1u << n);
        counts[best] = 0;
    }
}

// --- nodes --------------------------------------------------------------------------------------

// Returns the step of the grid that a bound lies in, moved out by the rounding; the first and the
// last stand for everything beyond.
static uint16_t step_of(const bspi_body *body, int axis, float at, bool high) {
    double low = (double)body->grid[0][axis];
    double far = (double)body->grid[1][axis];
    double slack = (fabs(low) + fabs(far)) * 2 * GRID_ROUNDING;
    double steps = ((double)at + (high ? slack : -slack) - low) / (double)body->step[axis];
    steps = high ? ceil(steps) : floor(steps);
    steps = steps > 0 ? steps : 0;
    return (uint16_t)(steps < BSPI_GRID_STEPS ? steps : BSPI_GRID_STEPS);
}

// The least cost of what is below a pair, as at most n + 1 children of a node: the area of all
// nodes, since a trace visits a node as often as its area says (Ylitie et al., Efficient Incoherent
// Ray Traversal on GPUs Through Compressed Wide BVHs).
typedef struct plan {
    float cost[BSPI_LANES];
    uint8_t count[BSPI_LANES]; // of children that are used; 1: the pair is a child itself
    uint8_t left[BSPI_LANES];  // of them, so many are in the left half
} plan;

// Plans a pair whose halves are planned.
static void plan_halves(const bspi_pair *pair, const plan *left, const plan *right, plan *out) {
    for (uint32_t n = 1; n < BSPI_LANES; n++) {
        out->cost[n] = FLT_MAX;
        out->count[n] = (uint8_t)(n + 1);
        for (uint32_t k = 0; k < n; k++) {
            float cost = left->cost[k] + right->cost[n - 1 - k];
            if (cost < out->cost[n]) {
                out->cost[n] = cost;
                out->left[n] = (uint8_t)(k + 1);
            }
        }
    }
    out->cost[0] = out->cost[BSPI_LANES - 1] + (float)bspi_half_area(&pair->bounds);
    out->count[0] = 1;
    for (uint32_t n = 1; n < BSPI_LANES; n++) {
        if (out->cost[n - 1] < out->cost[n]) {
            out->cost[n] = out->cost[n - 1];
            out->count[n] = out->count[n - 1];
            out->left[n] = out->left[n - 1];
        }
    }
}

// Plans all pairs: those below a pair come after it.
static void plan_all(const bspi_pair *pairs, uint32_t count, plan *plans) {
    for (uint32_t i = count; i-- > 0;) {
        if (pairs[i].count > 1) {
            plan_halves(&pairs[i], &plans[pairs[i].left], &plans[pairs[i].left + 1], &plans[i]);
        } else {
            memset(&plans[i], 0, sizeof plans[i]);
            memset(plans[i].count, 1, sizeof plans[i].count);
        }
    }
}

// Lists the children of a node that stands for a pair.
static uint32_t pick_children(const bspi_pair *pairs, const plan *plans, uint32_t from,
                              uint32_t out[BSPI_LANES]) {
    uint32_t rooms[BSPI_LANES] = {BSPI_LANES};
    uint32_t count = 1;
    out[0] = from;
    for (uint32_t i = 0; i < count;) {
        const plan *p = &plans[out[i]];
        uint32_t used = p->count[rooms[i] - 1];
        if (used == 1) {
            i++;
            continue;
        }
        uint32_t left = p->left[rooms[i] - 1];
        out[count] = pairs[out[i]].left + 1;
        rooms[count++] = used - left;
        out[i] = pairs[out[i]].left;
        rooms[i] = left;
    }
    return count;
}

static void set_child(const bspi_builder *b, const bspi_body *body, const bspi_pair *p,
                      uint32_t lane, bspi_wide *node) {
    uint32_t classes = bspi_classes_of(b->index, p->contents);
    for (int axis = 0; axis < 3; axis++) {
        node->bounds[axis][lane] = step_of(body, axis, p->bounds.low[axis], false);
        node->bounds[axis + 3][lane] = step_of(body, axis, p->bounds.high[axis], true);
    }
    node->child[lane] = classes << BSPI_CLASSES_SHIFT;
    if (p->count == 1) {
        node->child[lane] |= BSPI_LEAF | (body->first_convex + p->left);
    } else {
        node->child[lane] |= (uint32_t)b->num_wide;
    }
}

// Collapses the pairs below the first into wide nodes. Nodes are processed in order; until then
// `child[0]` of a node holds the pair that it stands for.
static bool fold(bspi_builder *b, const bspi_pair *pairs, const plan *plans, bspi_body *body) {
    uint32_t next = (uint32_t)b->num_wide;
    body->root = next;
    if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + 1, &b->room_wide)) {
        return false;
    }
    b->wide[b->num_wide++].child[0] = 0;
    for (; next < b->num_wide; next++) {
        uint32_t children[BSPI_LANES];
        uint32_t count = pick_children(pairs, plans, b->wide[next].child[0], children);
        if (b->num_wide + count >= BSPI_CHILDREN) {
            return bsp_fail(b->error, BSP_E_LIMIT, NULL, "too many solids to trace against");
        }
        if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + count, &b->room_wide)) {
            return false;
        }
        bspi_wide *node = &b->wide[next];
        memset(node, 0, sizeof *node);
        for (uint32_t lane = 0; lane < count; lane++) {
            const bspi_pair *p = &pairs[children[lane]];
            set_child(b, body, p, lane, node);
            if (p->count != 1) {
                b->wide[b->num_wide++].child[0] = children[lane];
            }
        }
    }
    return true;
}

bool bspi_fold(bspi_builder *b, const bspi_pair *pairs, uint32_t count, bspi_body *body) {
    plan *plans = bspi_heap_alloc(b->heap, count * sizeof *plans, b->error);
    if (plans == NULL) {
        return false;
    }
    plan_all(pairs, count, plans);
    bool done = fold(b, pairs, plans, body);
    bspi_heap_free(b->heap, plans, count * sizeof *plans);
    return done;
}
