// SPDX-License-Identifier: MIT
// Collapses a binary tree of boxes into one with eight children per node, which are as small as
// they can be: a trace in a large map waits for them. Bounds have 16 bits, contents a bit for each
// of seven classes: both say at least what is there.
#include "query/bvh.h"

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

// Replaces the largest child by its two children until there are eight, or only leaves.
static uint32_t pick_children(const bspi_pair *pairs, uint32_t from, uint32_t out[BSPI_LANES]) {
    uint32_t count = 1;
    out[0] = from;
    while (count < BSPI_LANES) {
        uint32_t largest = BSP_NONE;
        double area = -1;
        for (uint32_t i = 0; i < count; i++) {
            double a = bspi_half_area(&pairs[out[i]].bounds);
            if (pairs[out[i]].count > 1 && a > area) {
                largest = i;
                area = a;
            }
        }
        if (largest == BSP_NONE) {
            break;
        }
        uint32_t left = pairs[out[largest]].left;
        out[largest] = left;
        out[count++] = left + 1;
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
bool bspi_fold(bspi_builder *b, const bspi_pair *pairs, bspi_body *body) {
    uint32_t next = (uint32_t)b->num_wide;
    body->root = next;
    if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + 1, &b->room_wide)) {
        return false;
    }
    b->wide[b->num_wide++].child[0] = 0;
    for (; next < b->num_wide; next++) {
        uint32_t children[BSPI_LANES];
        uint32_t count = pick_children(pairs, b->wide[next].child[0], children);
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
