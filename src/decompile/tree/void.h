// SPDX-License-Identifier: MIT
// The void beyond a sky that does not stop movers.
//
// Compilers fill what nothing reaches: hull 0 is solid there although no brush is. The hulls of
// movers are not filled where they leak through the sky, since not every compiler makes skies solid
// in them: the open space of such a hull, grown by the mover's box, contains no brush. Without that
// void in the document, the compiler fills hull 0 again, and the hulls stay as they were.
#ifndef BSPI_DECOMPILE_TREE_VOID_H
#define BSPI_DECOMPILE_TREE_VOID_H

#include "decompile/tree/space.h"

/// The result of the search.
typedef struct bspi_void {
    bool open[BSP_MAX_HULLS]; ///< movers of the hull pass the sky
    bool unfinished;          ///< the limit of work was reached: some void may be written as solid
    /// The trees of hulls that are built, before or by the search; the others are empty. They are
    /// freed by bspi_tree_free.
    bspi_tree hulls[BSP_MAX_HULLS];
    /// Forks of the carver for other threads; they may get its planes.
    bspi_carver *others;
    uint32_t num_others;
} bspi_void;

/// Finds out which hulls are open beyond the sky. `tree` is hull 0 of the world. Returns true if
/// any is.
bool bspi_void_look(const bspi_tree *tree, bspi_carver *carver, const bsp_map *map,
                    bspi_void *found);
/// Cuts the void of the hulls that are open out of the solid cells of `tree`: its contents become
/// BSPI_TREE_VOID. Returns false without memory.
/// Even then `found` is to be freed.
bool bspi_find_void(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, bspi_void *found);

#endif
