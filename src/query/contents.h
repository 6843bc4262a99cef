// SPDX-License-Identifier: MIT
// Contents at points of the world: those of whole cells of the leaves' grid, and the brushes of
// each leaf for the others.
#ifndef BSPI_CONTENTS_H
#define BSPI_CONTENTS_H

#include "query/inside.h"

#include <string.h>

#define BSPI_BOXES 8u        // boxes that are tested at once
#define BSPI_MIXED UINT8_MAX // the kind of a cell with several contents

/// Boxes around brushes of a leaf, in two cache lines. Unused ones are empty.
typedef struct bspi_boxes {
    int16_t low[3][BSPI_BOXES]; ///< ranks, see bspi_rank
    int16_t high[3][BSPI_BOXES];
    uint32_t brush[BSPI_BOXES];
} bspi_boxes;

typedef struct bspi_contents {
    const uint8_t *kinds; ///< of each cell: an index of values, or BSPI_MIXED
    int32_t values[BSPI_MIXED];
    uint32_t num_values;
    const int32_t *leaves; ///< contents of each leaf, without those of its brushes
    const uint32_t *runs;  ///< the first boxes of each leaf, and after the last
    const bspi_boxes *boxes;
    bspi_insides insides;
    float origin[3]; ///< of ranks
    float scale[3];
} bspi_contents;

/// Returns a coordinate along an axis as a small integer: see bspi_rank_of.
static inline int16_t bspi_rank(const bspi_contents *c, int axis, float x) {
    return bspi_rank_of(x, c->origin[axis], c->scale[axis]);
}

/// Finds the boxes that a box of ranks may touch: sets -1 for each, else 0. Returns false if there
/// are none.
static inline bool bspi_find_boxes(const bspi_boxes *boxes, const int16_t low[3],
                                   const int16_t high[3], int16_t in[BSPI_BOXES]) {
    uint64_t any[2];
    memset(in, 0xFF, BSPI_BOXES * sizeof *in);
    for (int axis = 0; axis < 3; axis++) {
        int16_t least = low[axis];
        int16_t most = high[axis];
        for (unsigned i = 0; i < BSPI_BOXES; i++) { // in vectors
            int16_t begins = boxes->low[axis][i] <= most ? -1 : 0;
            int16_t ends = boxes->high[axis][i] >= least ? -1 : 0;
            in[i] = (int16_t)(in[i] & begins & ends);
        }
    }
    memcpy(any, in, sizeof any);
    return (any[0] | any[1]) != 0;
}

#endif
