// SPDX-License-Identifier: MIT
// The tree of two that is folded into wide nodes.
#ifndef BSPI_BVH_H
#define BSPI_BVH_H

#include "query/collide.h"

typedef struct bspi_box {
    float low[3];
    float high[3];
} bspi_box;

/// A node of the tree of two. Children: [0] at left, [1] at left + 1; leaves have count 1.
typedef struct bspi_pair {
    bspi_box bounds;
    uint32_t left;  ///< or first piece while it is being split; leaves: the convex
    uint32_t count; ///< of pieces below
    uint32_t cuts;  ///< how many of them may be cut in two
    uint32_t depth;
    uint32_t contents;
} bspi_pair;

/// Half of a box's surface; 0 of one that is empty.
static inline double bspi_half_area(const bspi_box *b) {
    double size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)b->high[axis] - (double)b->low[axis];
        if (size[axis] < 0) {
            return 0;
        }
    }
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

/// Folds the pairs below the first into wide nodes of `b`, of a body that begins at `first_convex`.
bool bspi_fold(bspi_builder *b, const bspi_pair *pairs, uint32_t first_convex,
               uint32_t *root); // fold.c

#endif
