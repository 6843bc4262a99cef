// SPDX-License-Identifier: MIT
// Merges the cells of a tree by several threads, with the result of one.
//
// Volumes depend on the cells that are in earlier ones. So a cell is merged ahead of its turn
// without marking others, and what was seen of cells that were in no volume yet is noted. When its
// turn comes, and none of them is in a volume now, the result is that of one thread, and its marks
// are set. Else the cell is merged again.
#ifndef BSPI_DECOMPILE_TREE_AHEAD_H
#define BSPI_DECOMPILE_TREE_AHEAD_H

#include "core/workers.h"
#include "decompile/tree/merge.h"

typedef struct bspi_ahead_slot bspi_ahead_slot;

typedef struct bspi_ahead {
    bspi_merger *merger;
    bspi_ranked_cell *list;
    uint32_t count;
    bspi_region *pile; ///< scratch of cells that are merged again
    bspi_ahead_slot *slots;
    uint32_t num_slots;
    bool began;
    bspi_pipe pipe;
} bspi_ahead;

/// Begins to merge the wanted cells of a tree, at most `slots` ahead of their turn. Memory that
/// lasts is the arena's. Returns false without memory. Call bspi_ahead_end afterwards, even then.
bool bspi_ahead_begin(bspi_ahead *ahead, bspi_merger *merger, uint32_t slots, bspi_arena *arena);
/// Merges all cells, and emits volumes as bspi_merge does: in one thread, and once. Returns false
/// as that does.
bool bspi_ahead_merge(bspi_ahead *ahead);
/// Helps with it, in any other thread, until no cell is left or it failed.
void bspi_ahead_help(bspi_ahead *ahead);
void bspi_ahead_end(bspi_ahead *ahead);

#endif
