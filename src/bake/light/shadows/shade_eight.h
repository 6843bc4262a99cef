// SPDX-License-Identifier: MIT
// Eight lines at once down the tree of q3map2, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_SHADE_EIGHT_H
#define BSPI_BAKE_SHADE_EIGHT_H

#include "bake/light/shadows/shade_tree.h"

#define BSPI_SHADE_LANES 8u

/// How lines are looked along.
typedef struct bspi_shade_rules {
    float near;  ///< units from their beginning in which no triangle counts
    bool grid;   ///< patches do not count
    bool beyond; ///< see bspi_shade_walk; what is solid only ends a line
    bool bare;   ///< no triangle counts
    bool shares; ///< where they are stopped is wanted
} bspi_shade_rules;

/// Eight lines of which some are meant. They are looked along the faster the nearer they are to
/// each other.
typedef struct bspi_shade_eight {
    float from[3][BSPI_SHADE_LANES]; ///< all must be set
    float to[3][BSPI_SHADE_LANES];
    uint32_t lanes;                ///< bits of those that are meant
    uint32_t stopped;              ///< set: those that something stops
    uint32_t clear;                ///< and those that met the sky before
    uint32_t unknown;              ///< and those that are to be looked along one by one
    float share[BSPI_SHADE_LANES]; ///< of a line, where it is stopped; 1 of others
    uint64_t steps;                ///< nodes and triangles that were looked at are added
} bspi_shade_eight;

/// Finds what bspi_shade_walk and the triangles on the way do to each of the lines.
typedef void bspi_shade_eight_fn(const bspi_shade_tree *tree, const bspi_shade_rules *rules,
                                 bspi_shade_eight *eight);

bspi_shade_eight_fn bspi_shade_eight_base;        // shade_eight_base.c
bspi_shade_eight_fn bspi_shade_eight_avx2;        // where BSPI_MAKES_AVX2
bspi_shade_eight_fn *bspi_shade_eight_here(void); // the fastest one: shade_eight_avx2.c

#endif
