// SPDX-License-Identifier: MIT
// Few large convex volumes out of the cells of a tree.
//
// A cell grows by leaving planes out: what is behind a side, up to the other sides and the box,
// must be whole cells of the same contents that no volume has yet, which a walk down the tree
// proves; and no side may come to show faces of two kinds. Where a plane cannot just be left out,
// the planes of the cell behind it take its place: then the two are joined as if glued. So volumes
// do not overlap. They could be fewer if they did, but compilers cut brushes that overlap into many
// pieces: they take longer than with the cells themselves. Cells that lie in a volume are done. A
// cell that shows two kinds of faces on one side is cut between them first.
#ifndef BSPI_DECOMPILE_TREE_MERGE_H
#define BSPI_DECOMPILE_TREE_MERGE_H

#include "decompile/tree/faces.h"

#define BSPI_REGION_SIDES 64u

/// A convex volume: what is behind all its sides, and in the box.
typedef struct bspi_region {
    int32_t contents;
    uint32_t num_tags;
    uint32_t tags[BSPI_REGION_SIDES];
} bspi_region;

typedef struct bspi_merger {
    bspi_carver *carver;
    bspi_tree *tree;
    const bspi_tree_faces *faces; ///< NULL: faces do not matter
    bool apart;                   ///< each cell by itself
    bool overlaps;                ///< volumes may have cells, and parts of cells, that are done
    /// Which contents are wanted.
    bool (*wanted)(const struct bspi_merger *merger, int32_t contents);
    /// Receives a volume; carver->solid is that volume. False ends the work.
    bool (*emit)(void *user, const bspi_region *region);
    void *user;
    uint32_t lost; ///< cells that could not be cut out
} bspi_merger;

typedef struct bspi_ranked_cell {
    double volume;
    uint32_t cell;
} bspi_ranked_cell;

/// The cells that are not done, the largest first: `*count` of them, in a list with room for all,
/// which the caller frees from the carver's heap. NULL without memory.
bspi_ranked_cell *bspi_rank_cells(const bspi_tree *tree, bspi_carver *carver, uint32_t *count);

/// Turns all wanted cells of the tree into volumes. False without memory, or when emit said so.
bool bspi_merge(bspi_merger *merger);

/// Lets a region grow in contents of its own; carver->solid becomes the result. Exposed for clip
/// hulls, which start with some cells only.
void bspi_region_grow(bspi_merger *merger, bspi_region *region);
/// The region of a cell. False if it has too many sides.
bool bspi_region_of_cell(const bspi_tree *tree, uint32_t cell, bspi_region *region);
/// Marks the cells that lie in carver->solid, which is used up.
bool bspi_region_done(bspi_merger *merger, const bspi_region *region);

#endif
