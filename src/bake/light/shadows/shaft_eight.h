// SPDX-License-Identifier: MIT
// Which lines stay in one kind of contents, for eight at once, with AVX2 or with what the target
// has.
#ifndef BSPI_BAKE_SHAFT_EIGHT_H
#define BSPI_BAKE_SHAFT_EIGHT_H

#include "bake/light/shadows/shafts.h"

#define BSPI_SHAFT_LANES 8u

/// Lines of which some are meant.
typedef struct bspi_shaft_lines {
    float from[3][BSPI_SHAFT_LANES];
    float to[3][BSPI_SHAFT_LANES];
    uint32_t lanes;   ///< bits of those that are meant
    uint32_t changes; ///< set: those that do not stay
} bspi_shaft_lines;

/// The same as bspi_shaft_stays of each. Returns false where that is to tell of all of them.
typedef bool bspi_shaft_eight_fn(const bspi_shafts *shafts, bspi_shaft_lines *lines);

bspi_shaft_eight_fn bspi_shaft_eight_base;        // shaft_eight_base.c
bspi_shaft_eight_fn bspi_shaft_eight_avx2;        // where BSPI_MAKES_AVX2
bspi_shaft_eight_fn *bspi_shaft_eight_here(void); // the fastest one: shaft_eight_avx2.c

#endif
