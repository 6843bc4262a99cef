// SPDX-License-Identifier: MIT
// Merges the cells of a tree to few large convex volumes.
//
// A cell grows by dropping planes: what lies beyond a side, up to the other sides and the box, must
// be whole cells of the same contents that are in no volume yet, which a walk down the tree
// verifies; and no side may then show faces of two kinds. Where a plane cannot just be dropped, the
// planes of the cell beyond it replace it, which joins the two. So volumes do not overlap. They
// could be fewer if they did, but compilers cut overlapping brushes into many pieces, and take
// longer than with the cells themselves. Cells in a volume are done. A cell that shows two kinds of
// faces on one side is cut between them first.
#ifndef BSPI_DECOMPILE_TREE_MERGE_H
#define BSPI_DECOMPILE_TREE_MERGE_H

#include "decompile/tree/faces.h"

#define BSPI_REGION_SIDES 64u

/// A convex volume: the part of the box on the back side of all its planes.
typedef struct bspi_region {
    int32_t contents;
    uint32_t num_tags;
    uint32_t tags[BSPI_REGION_SIDES];
} bspi_region;

typedef struct bspi_merger {
    bspi_carver *carver;
    bspi_tree *tree;
    const bspi_tree_faces *faces; ///< NULL: faces are ignored
    bool apart;                   ///< cells are not merged
    bool overlaps;                ///< volumes may contain cells, and parts of cells, that are done
    /// Returns whether cells with these contents become volumes.
    bool (*wanted)(const struct bspi_merger *merger, int32_t contents);
    /// Receives a volume, which is carver->solid and stays it. Returning false ends the work.
    bool (*emit)(void *user, const bspi_region *region);
    void *user;
    uint32_t lost; ///< number of cells that could not be cut out
} bspi_merger;

typedef struct bspi_ranked_cell {
    double volume;
    uint32_t cell;
} bspi_ranked_cell;

/// Returns the cells that are not done, the largest first: `*count` of them, in a list with room
/// for all, which the caller frees from the carver's heap. NULL without memory.
bspi_ranked_cell *bspi_rank_cells(const bspi_tree *tree, bspi_carver *carver, uint32_t *count);

/// Turns all wanted cells of the tree into volumes. Returns false without memory, or when `emit`
/// returned false.
bool bspi_merge(bspi_merger *merger);

/// Grows a region within its contents; carver->solid becomes the result. Returns false if nothing
/// of it is left, or without memory. Public for clip hulls, which begin with some cells only.
bool bspi_region_grow(bspi_merger *merger, bspi_region *region);
/// Gives the region of a cell. Returns false if it has too many sides.
bool bspi_region_of_cell(const bspi_tree *tree, uint32_t cell, bspi_region *region);
/// Marks the cells that lie in carver->solid, which is overwritten, as done.
bool bspi_region_done(bspi_merger *merger, const bspi_region *region);

#endif
