// SPDX-License-Identifier: MIT
// What can be reached in a tree without passing through solid.
#ifndef BSPI_DECOMPILE_TREE_FLOOD_H
#define BSPI_DECOMPILE_TREE_FLOOD_H

#include "decompile/tree/space.h"

typedef struct bspi_flood {
    const bspi_tree *tree;
    bspi_carver *carver;
    uint32_t *group;   ///< for each cell: another cell of its group that is nearer to the first
    uint8_t *known;    ///< for each cell: of a group's first: someone is in it
    uint32_t *largest; ///< for each cell: of a group's first: the largest cell; filled when settled
    size_t room;
    uint32_t next; ///< where the search for groups goes on
    bool open;     ///< the outside of the map is not solid: compilers fill nothing then
    bool entered;  ///< somebody is in the map: else compilers fill nothing
} bspi_flood;

/// Finds out which cells hang together. End it with bspi_flood_end, also when this fails.
bool bspi_flood_begin(bspi_flood *flood, const bspi_tree *tree, bspi_carver *carver);
void bspi_flood_end(bspi_flood *flood);
/// Somebody stands at a point.
void bspi_flood_enter(bspi_flood *flood, const double point[3]);
/// Looks closely at what nobody has reached yet: the last step. False without memory.
bool bspi_flood_settle(bspi_flood *flood);
/// The largest cell of a group that nobody has reached, which is reached from then on;
/// BSP_NONE: there is none, or the flood is unfinished.
uint32_t bspi_flood_unreached(bspi_flood *flood);

#endif
