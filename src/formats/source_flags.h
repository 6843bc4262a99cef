// SPDX-License-Identifier: MIT
// Flags of Source's leaves and surfaces: bspflags.h of the Source SDK.
#ifndef BSPI_SOURCE_FLAGS_H
#define BSPI_SOURCE_FLAGS_H

/// Of a leaf.
enum {
    BSPI_LEAF_SKY = 1,    ///< it sees the sky
    BSPI_LEAF_RADIAL = 2, ///< a distance hides what is farther
    BSPI_LEAF_SKY_2D = 4, ///< it sees the sky, but for the part with models
};

/// Of a surface.
enum {
    BSPI_SURF_SKY_2D = 2, ///< with BSPI_SURF_SKY: the sky without models
    BSPI_SURF_SKY = 4,
};

#endif
