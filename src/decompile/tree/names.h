// SPDX-License-Identifier: MIT
// What Quake and GoldSrc call things: textures that mean contents, classes of entities.
#ifndef BSPI_DECOMPILE_TREE_NAMES_H
#define BSPI_DECOMPILE_TREE_NAMES_H

#include "bspkit/map.h"

/// Contents are the negative numbers from -1 down to less than this.
#define BSPI_TREE_CONTENTS 16

/// A texture whose name begins so makes its brush that; the first row that fits counts.
typedef struct bspi_tree_name {
    const char *start; ///< NULL: any other
    int32_t contents;
    const char *name; ///< what a brush gets when the map has no texture of the kind; may be NULL
} bspi_tree_name;

/// What differs between the games.
typedef struct bspi_tree_game {
    const bspi_tree_name *names; ///< the last has no start
    const char *trigger;         ///< texture of a brush of an entity that is never drawn
    const char *ghost;           ///< class of what lets everybody through
    const char *fence;           ///< class of what is seen through; NULL: it is part of the world
} bspi_tree_game;

/// The row of a map's game.
const bspi_tree_game *bspi_tree_game_of(const bsp_map *map);

/// The contents that the compilers give a brush with this texture.
int32_t bspi_contents_of_name(const bsp_map *map, bsp_text name);
/// The usual name of a texture that makes a brush of these contents. Solid: that of sides that
/// nobody sees.
bsp_text bspi_usual_name(const bsp_map *map, int32_t contents);
/// For each contents, its sign turned: a texture that makes a brush so. One of the map's own if it
/// has one, else the usual one.
void bspi_name_contents(const bsp_map *map, bsp_text names[BSPI_TREE_CONTENTS]);

#endif
