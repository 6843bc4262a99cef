// SPDX-License-Identifier: MIT
// Eight lines at once among faces that cast shadows, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_OCCLUDER_LANES_H
#define BSPI_BAKE_OCCLUDER_LANES_H

#include "bake/light/occluders.h"

#define BSPI_OCCLUDER_LANES 8u

/// Eight lines. All must be set.
typedef struct bspi_occluder_eight {
    float from[3][BSPI_OCCLUDER_LANES];
    float way[3][BSPI_OCCLUDER_LANES];
    float inverse[3][BSPI_OCCLUDER_LANES]; ///< of `way` (bspi_occluder_inverse)
    uint32_t open;                         ///< bits of lines that nothing has stopped
    uint32_t one; ///< and of those that meet glass or fences, which stop none here
} bspi_occluder_eight;

/// What is done with them; each is made twice, with the same results.
typedef struct bspi_occluder_lanes {
    /// Looks for what stops the open ones; `lines` has the face that stopped others.
    void (*walk)(bspi_occluder_lines *lines, bspi_occluder_eight *eight);
    /// Looks at one face, which is in a box.
    void (*test)(const struct bspi_occluders *all, uint32_t face, uint32_t box,
                 bspi_occluder_eight *eight);
} bspi_occluder_lanes;

extern const bspi_occluder_lanes bspi_occluder_lanes_base;        // occluder_lanes_base.c
extern const bspi_occluder_lanes *bspi_occluder_lanes_here(void); // the fastest one

#endif
