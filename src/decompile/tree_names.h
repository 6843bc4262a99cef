// SPDX-License-Identifier: MIT
// Texture names of Quake and GoldSrc that mean contents.
#ifndef BSPI_DECOMPILE_TREE_NAMES_H
#define BSPI_DECOMPILE_TREE_NAMES_H

#include "bspkit/map.h"

/// The contents that the compilers give a brush with this texture.
int32_t bspi_contents_of_name(const bsp_map *map, bsp_text name);
/// A texture that makes a brush of these contents: one of the map's own if it has one, else the
/// usual name. Solid: the texture of sides that nobody sees.
bsp_text bspi_name_of_contents(const bsp_map *map, int32_t contents);
/// The usual name alone.
bsp_text bspi_usual_name(const bsp_map *map, int32_t contents);
/// What a brush of an entity has that is never drawn.
bsp_text bspi_trigger_name(const bsp_map *map);

#endif
