// SPDX-License-Identifier: MIT
// What the material of a liquid says of the view within it.
#ifndef BSPI_ASSET_FIND_LIQUID_H
#define BSPI_ASSET_FIND_LIQUID_H

#include "bspkit/asset.h"

/// Fog within a liquid. All zero: none.
typedef struct bspi_liquid_fog {
    float color[3]; ///< as displayed, 0..1
    float start;    ///< Source: game units from the eye; it may be less than 0
    float end;      ///< the same, all is covered; greater than `start` and 0
    float density;  ///< GoldSrc: of a unit, for 1 - exp(-density * distance); 0: it is Source's
} bspi_liquid_fog;

/// Finds the fog within the liquid of a material of the map. Source: $fogenable, $fogcolor,
/// $fogstart and $fogend. GoldSrc, where the name begins with "!": colour 3 of the texture's
/// palette, and the red of colour 4 as density. `out` is zero where there is none. Returns false
/// without memory or over a limit.
bool bspi_liquid_fog_find(const bsp_textures *textures, uint32_t material, bspi_liquid_fog *out,
                          bsp_error *error);

#endif
