// SPDX-License-Identifier: MIT
// What textures of GoldSrc gave, out of the light that the map has: their compiler read it in a
// file beside the map.
#ifndef BSPI_BAKE_STORED_TEXLIGHTS_H
#define BSPI_BAKE_STORED_TEXLIGHTS_H

#include "bake/light/base/work.h"

/// Makes light as bsp_relight_build does, but estimates nothing.
typedef bsp_relight *bspi_relight_make(const bsp_map *map, const bsp_file *file,
                                       const bsp_relight_options *options, bsp_error *error);

/// Sets what textures give, by the rules of hlrad, as lines of a lights.rad: that by which the
/// light of the map comes out best beside what its lamps give. Previews are made of it, of the
/// lamps and of each texture alone. Empty where that is not asked for, or none gives any; the arena
/// owns it.
bool bspi_stored_texlights(bspi_relight *own, bspi_relight_make *make, bsp_text *out,
                           bsp_error *error);

#endif
