// SPDX-License-Identifier: MIT
// The parts of a tree that can be reached without passing through solid.
#ifndef BSPI_DECOMPILE_TREE_FLOOD_H
#define BSPI_DECOMPILE_TREE_FLOOD_H

#include "decompile/tree/space.h"

typedef struct bspi_flood {
    const bspi_tree *tree;
    bspi_carver *carver;
    uint32_t *group;   ///< for each cell: another cell of its group that is nearer to the first
    uint8_t *known;    ///< for the first cell of each group: an entity is in it
    uint32_t *largest; ///< for the first cell of each group: its largest cell; filled by settle
    size_t room;
    uint32_t next; ///< where the search for groups continues
    bool open;     ///< the outside of the map is not solid, so compilers fill nothing
    bool entered;  ///< an entity is in the map; without one compilers fill nothing
} bspi_flood;

/// Finds which cells are connected. Call bspi_flood_end afterwards, even if this fails.
bool bspi_flood_begin(bspi_flood *flood, const bspi_tree *tree, bspi_carver *carver);
void bspi_flood_end(bspi_flood *flood);
/// Marks the group at a point as reached by an entity.
void bspi_flood_enter(bspi_flood *flood, const double point[3]);
/// Searches unreached cells more closely; the last step. Returns false without memory.
bool bspi_flood_settle(bspi_flood *flood);
/// Returns the largest cell of an unreached group, which then counts as reached; BSP_NONE: there is
/// none, or the flood is unfinished.
uint32_t bspi_flood_unreached(bspi_flood *flood);

#endif
