// SPDX-License-Identifier: MIT
// Eight lines at once among faces that cast shadows, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_OCCLUDER_LANES_H
#define BSPI_BAKE_OCCLUDER_LANES_H

#include "bake/light/shadows/occluders.h"

#define BSPI_OCCLUDER_LANES 8u
#define BSPI_OCCLUDER_GROUP 32u // eights of lines that are looked at together

/// Eight lines. All must be set.
typedef struct bspi_occluder_eight {
    float from[3][BSPI_OCCLUDER_LANES];
    float way[3][BSPI_OCCLUDER_LANES];
    float inverse[3][BSPI_OCCLUDER_LANES]; ///< of `way` (bspi_occluder_inverse)
    uint32_t open;                         ///< bits of lines that nothing has stopped
    uint32_t one; ///< and of those that meet glass or fences, which stop none here
} bspi_occluder_eight;

/// Eight places that are looked around from, with axes of their own. All must be set.
typedef struct bspi_occluder_places {
    float from[3][BSPI_OCCLUDER_LANES];
    float side[3][BSPI_OCCLUDER_LANES];
    float up[3][BSPI_OCCLUDER_LANES];
    float normal[3][BSPI_OCCLUDER_LANES];
} bspi_occluder_places;

/// Eights of lines that begin or end at about one place, those beside each other near each other.
typedef struct bspi_occluder_bundle {
    uint32_t count;
    float to[BSPI_OCCLUDER_GROUP][3][BSPI_OCCLUDER_LANES]; ///< their ends
    bspi_occluder_eight eights[BSPI_OCCLUDER_GROUP];
} bspi_occluder_bundle;

/// Closes the lines that something stops; of those left, `one` says which meet glass or fences.
void bspi_occluders_bundle(bspi_occluder_lines *lines,
                           bspi_occluder_bundle *bundle); // occluder_beam.c

/// What is done with them; each is made twice, with the same results.
typedef struct bspi_occluder_lanes {
    /// Looks for what stops the open ones; `lines` has the face that stopped others.
    void (*walk)(bspi_occluder_lines *lines, bspi_occluder_eight *eight);
    /// Looks at one face, which is in a box.
    void (*test)(const struct bspi_occluders *all, uint32_t face, uint32_t box,
                 bspi_occluder_eight *eight);
    /// Sets lines from places, in the directions `way`, to so many units before a point.
    void (*aim)(const float from[3][BSPI_OCCLUDER_LANES], const float way[3][BSPI_OCCLUDER_LANES],
                const float at[3], float before, bspi_occluder_eight *eight,
                float to[3][BSPI_OCCLUDER_LANES]);
    /// Looks `reach` units in directions by the axes of the places. Sets the sums of the parts of
    /// that up to the first face, glass not counted and fences as whole; the sky is as far as none.
    void (*around)(bspi_occluder_lines *lines, const bspi_occluder_places *places,
                   const float (*directions)[3], uint32_t count, float reach,
                   float free[BSPI_OCCLUDER_LANES]);
} bspi_occluder_lanes;

extern const bspi_occluder_lanes bspi_occluder_lanes_base;        // occluder_lanes_base.c
extern const bspi_occluder_lanes *bspi_occluder_lanes_here(void); // the fastest one

#endif
