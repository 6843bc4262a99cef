// SPDX-License-Identifier: MIT
// The void beyond a sky that does not stop movers.
//
// Compilers fill what nothing reaches: hull 0 is solid there, though no brush is. The hulls of
// movers are not filled where they leak through the sky, since not every compiler makes skies solid
// in them: what is open in such a hull, grown by the mover's box, holds no brush. Without that void
// the compiler fills hull 0 again, and the hulls stay as they were.
#ifndef BSPI_DECOMPILE_TREE_VOID_H
#define BSPI_DECOMPILE_TREE_VOID_H

#include "decompile/tree/space.h"

/// What was found.
typedef struct bspi_void {
    bool open;       ///< a mover passes the sky
    bool unfinished; ///< trees share branches without end: some may be written as solid
} bspi_void;

/// Cuts the void out of the solid cells of `tree`, which is hull 0 of the world: its contents
/// become BSPI_TREE_VOID. False without memory.
bool bspi_find_void(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, bspi_void *found);

#endif
