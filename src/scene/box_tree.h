// SPDX-License-Identifier: MIT
// A tree of boxes, for traces: each node halves its boxes by their middles along the longest axis.
#ifndef BSPI_BOX_TREE_H
#define BSPI_BOX_TREE_H

#include "core/memory.h"

#define BSPI_BOX_LEVELS 64u // of a tree, at most: each node has half of the boxes of the one above

/// A node: a leaf with `count` items, or two nodes.
typedef struct bspi_box_node {
    float box[2][3];
    uint32_t first; ///< item, or the first of two nodes that follow each other
    uint32_t count; ///< of items; 0: not a leaf
} bspi_box_node;

typedef struct bspi_box_tree {
    const bspi_box_node *nodes; ///< the root first; empty: none
    uint32_t num_nodes;
    const uint32_t *items; ///< numbers of boxes, in the order of the leaves
} bspi_box_tree;

/// Builds the tree of `count` boxes in an arena. `boxes` are finite. Returns false without memory
/// or over a limit.
bool bspi_box_tree_build(bspi_box_tree *tree, const float (*boxes)[2][3], uint32_t count,
                         bspi_arena *arena, bspi_meter *meter);

/// A segment that looks for boxes, each enlarged by `reach`.
typedef struct bspi_box_ray {
    double start[3];
    double step[3];    ///< end - start
    double inverse[3]; ///< 1 / step; where that is 0, not looked at
    double reach[3];   ///< 0 or more
} bspi_box_ray;

/// How far the times of crossing may be wrong by rounding.
#define BSPI_BOX_SLACK 1e-9

/// Returns whether the part of the segment from 0 to `limit` may touch a box; it is certain only
/// that it does not. Sets `*from` to when it does at the earliest.
static inline bool bspi_box_touched(const float box[2][3], const bspi_box_ray *ray, double limit,
                                    double *from) {
    double first = 0;
    double last = limit;
    for (int axis = 0; axis < 3; axis++) {
        double low = (double)box[0][axis] - ray->reach[axis] - ray->start[axis];
        double high = (double)box[1][axis] + ray->reach[axis] - ray->start[axis];
        if (ray->step[axis] == 0) {
            if (low > 0 || high < 0) {
                return false;
            }
            continue;
        }
        double a = low * ray->inverse[axis];
        double b = high * ray->inverse[axis];
        double enter = a < b ? a : b;
        double leave = a < b ? b : a;
        first = enter > first ? enter : first;
        last = leave < last ? leave : last;
    }
    *from = first;
    return first <= last + BSPI_BOX_SLACK;
}

/// A node that a segment has still to look into.
typedef struct bspi_box_visit {
    uint32_t node;
    double from; ///< when the segment enters it at the earliest
} bspi_box_visit;

/// Puts the children of a node that the segment may touch on a stack with room for them, the nearer
/// one last.
static inline void bspi_box_enter(const bspi_box_node *nodes, uint32_t first,
                                  const bspi_box_ray *ray, double limit, bspi_box_visit *stack,
                                  uint32_t *depth) {
    double from[2] = {0, 0};
    bool touched[2];
    for (uint32_t i = 0; i < 2; i++) {
        const bspi_box_node *node = &nodes[first + i];
        touched[i] = bspi_box_touched((const float(*)[3])node->box, ray, limit, &from[i]);
    }
    uint32_t near = from[1] < from[0] ? 1 : 0;
    for (uint32_t turn = 0; turn < 2; turn++) {
        uint32_t child = turn == 0 ? 1 - near : near;
        if (touched[child]) {
            stack[(*depth)++] = (bspi_box_visit){first + child, from[child]};
        }
    }
}

#endif
