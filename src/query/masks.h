// SPDX-License-Identifier: MIT
// Contents that stop traces.
#ifndef BSPI_MASKS_H
#define BSPI_MASKS_H

#include "bspkit/formats.h"
#include "formats/quake_contents.h"
#include "formats/source_flags.h"

#define BSPI_SOLID_MASK 1u // CONTENTS_SOLID of all families with brushes
/// What stops the light of Source: MASK_OPAQUE of bspflags.h.
#define BSPI_OPAQUE ((uint32_t)(BSPI_SOURCE_SOLID | BSPI_SOURCE_OPAQUE | BSPI_SOURCE_MOVEABLE))

/// Is what a leaf holds solid, or in Quake and GoldSrc the sky?
static inline bool bspi_is_closed_in(const bsp_traits *traits, int32_t contents) {
    return traits->contents_numbers ? bspi_is_closed(contents)
                                    : ((uint32_t)contents & BSPI_SOLID_MASK) != 0;
}

#endif
