// SPDX-License-Identifier: MIT
// The binary tree that is collapsed into wide nodes.
#ifndef BSPI_BVH_H
#define BSPI_BVH_H

#include "query/collide.h"

typedef struct bspi_box {
    float low[3];
    float high[3];
} bspi_box;

/// A node of the binary tree. Children: [0] at left, [1] at left + 1; leaves have count 1.
typedef struct bspi_pair {
    bspi_box bounds;
    uint32_t left;  ///< the first child; the first piece while the pair is being split; in a leaf,
                    ///< the convex
    uint32_t count; ///< of pieces below
    uint32_t cuts;  ///< how many of the pieces may be cut in two
    uint32_t depth;
    uint32_t contents;
} bspi_pair;

/// Returns half of a box's surface; 0 for an empty box.
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

/// Collapses the pairs below the first, `count` with it, into wide nodes of `b`, for a body whose
/// grid is known. The pairs below a pair come after it.
bool bspi_fold(bspi_builder *b, const bspi_pair *pairs, uint32_t count,
               bspi_body *body); // bvh_collapse.c

#endif
