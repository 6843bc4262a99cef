// SPDX-License-Identifier: MIT
// Names in Quake and GoldSrc: textures that give contents, and classes of entities.
#ifndef BSPI_DECOMPILE_TREE_NAMES_H
#define BSPI_DECOMPILE_TREE_NAMES_H

#include "bspkit/map.h"

/// Contents are the negative numbers from -1 down to less than this.
#define BSPI_TREE_CONTENTS 16

/// A texture whose name begins so gives its brush these contents; the first row that fits is taken.
typedef struct bspi_tree_name {
    const char *start; ///< NULL: any other
    int32_t contents;
    const char
        *name; ///< texture for a brush when the map has none with these contents; may be NULL
} bspi_tree_name;

/// What differs between the games.
typedef struct bspi_tree_game {
    const bspi_tree_name *names; ///< the last has no start
    const char *trigger;         ///< texture of a brush of an entity that is never drawn
    const char *ghost;           ///< class of a non-solid entity
    const char *fence;           ///< class of an entity for fences; NULL: they stay in the world
} bspi_tree_game;

/// Returns the row of a map's game.
const bspi_tree_game *bspi_tree_game_of(const bsp_map *map);

/// Returns the contents that the compilers give a brush with this texture.
int32_t bspi_contents_of_name(const bsp_map *map, bsp_text name);
/// Returns the usual name of a texture that gives a brush these contents. For solid: that of sides
/// that are never seen.
bsp_text bspi_usual_name(const bsp_map *map, int32_t contents);
/// Fills, for each contents (negated), a texture that gives it: one of the map's own if there is
/// one, else the usual one.
void bspi_name_contents(const bsp_map *map, bsp_text names[BSPI_TREE_CONTENTS]);

#endif
