// SPDX-License-Identifier: MIT
// What textures of GoldSrc gave, out of the light that the map has: their compiler read it in a
// file beside the map.
#ifndef BSPI_BAKE_STORED_TEXLIGHTS_H
#define BSPI_BAKE_STORED_TEXLIGHTS_H

#include "bake/light/base/work.h"

/// Makes light as bsp_relight_build does, which calls these steps.
typedef bsp_relight *bspi_relight_make(const bsp_map *map, const bsp_file *file,
                                       const bsp_relight_options *options, bsp_error *error);

/// By the rules of hlrad, where neither options nor map say what textures give: sets their lines by
/// which the light of the map comes out best beside what its lamps give. Previews are made for it,
/// of the lamps and of each texture alone. The light of the map and whose rules to follow must be
/// known.
bool bspi_stored_texlights(bspi_relight *own, bspi_relight_make *make, bsp_error *error);

#endif
