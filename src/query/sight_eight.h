// SPDX-License-Identifier: MIT
// Lines of sight through a hull of Quake or GoldSrc, eight at once, with AVX2 or with what the
// target has.
#ifndef BSPI_SIGHT_EIGHT_H
#define BSPI_SIGHT_EIGHT_H

#include "query/hull.h"

#define BSPI_SIGHT_LANES 8u

/// Lines of which some are meant.
typedef struct bspi_sight_eight {
    float from[3][BSPI_SIGHT_LANES];
    float to[3][BSPI_SIGHT_LANES];
    uint32_t lanes;   ///< bits of those that are meant
    uint32_t stopped; ///< set: those that solid stops
    uint32_t unknown; ///< set: those that a trace is to tell of
} bspi_sight_eight;

/// Looks along lines from a node, or a leaf, of a hull down. What it says is what bspi_trace_hull
/// finds.
typedef void bspi_sight_eight_fn(const bspi_hull *hull, bspi_child root, bspi_sight_eight *eight);

/// Sets as unknown those lines that may meet the sky before anything solid: bspi_sees_sky is false
/// for all others. Lines that cross a plane do so from the same side, or some become unknown.
bspi_sight_eight_fn bspi_sky_eight_base; // sky_lanes.h
bspi_sight_eight_fn bspi_sky_eight_avx2;
bspi_sight_eight_fn *bspi_sky_eight_here(void);

bspi_sight_eight_fn bspi_sight_eight_base;        // sight_eight_base.c
bspi_sight_eight_fn bspi_sight_eight_avx2;        // where BSPI_MAKES_AVX2
bspi_sight_eight_fn *bspi_sight_eight_here(void); // the fastest one: sight_eight_avx2.c

#endif
