// SPDX-License-Identifier: MIT
// Merges the cells of a tree to few large convex volumes, which do not overlap. They could be fewer
// if they did, but compilers cut overlapping brushes into many pieces, and take longer than with
// the cells themselves. Cells in a volume are done. A cell that shows two kinds of faces on one
// side is cut between them first.
//
// The largest cells come first. Others may be merged ahead of their turn by other threads: what
// such a thread saw of cells that were not done yet is compared when the turn comes, and where a
// volume took one of them since, the cell is merged again.
#ifndef BSPI_DECOMPILE_TREE_MERGE_H
#define BSPI_DECOMPILE_TREE_MERGE_H

#include "decompile/tree/region.h"

typedef struct bspi_ranked_cell {
    double volume;
    uint32_t cell;
} bspi_ranked_cell;

/// Returns the cells that are not done, the largest first: `*count` of them, in a list with room
/// for all, which the caller frees from the carver's heap. NULL without memory.
bspi_ranked_cell *bspi_rank_cells(const bspi_tree *tree, bspi_carver *carver, uint32_t *count);

/// Marks the cells that are not wanted as done, and returns the others in the same way.
bspi_ranked_cell *bspi_rank_wanted(const bspi_merger *merger, uint32_t *count);

/// Turns all wanted cells of the tree into volumes. Returns false without memory, or when `emit`
/// returned false.
bool bspi_merge(bspi_merger *merger);

/// Turns one wanted cell into volumes; `pile` is scratch. Returns false without memory, or when
/// `emit` returned false.
bool bspi_merge_cell(bspi_merger *merger, uint32_t cell, bspi_region *pile);
#define BSPI_MERGE_PILE 64u ///< regions of that scratch

#endif
