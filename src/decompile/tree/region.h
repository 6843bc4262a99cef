// SPDX-License-Identifier: MIT
// Convex volumes that grow from a cell of a tree.
//
// A region grows by dropping planes: what lies beyond a side, up to the other sides and the box,
// must be whole cells of the same contents that are in no volume yet, which a walk down the tree
// verifies; and no side may then show faces of two kinds. Where a plane cannot just be dropped, the
// planes of the cell beyond it replace it, which joins the two.
#ifndef BSPI_DECOMPILE_TREE_REGION_H
#define BSPI_DECOMPILE_TREE_REGION_H

#include "decompile/tree/faces.h"

#define BSPI_REGION_SIDES 64u
#define BSPI_SLIVER 0.05 ///< cubic units: a smaller part of a cell is rounding

/// A convex volume: the part of the box on the back side of all its planes.
typedef struct bspi_region {
    int32_t contents;
    uint32_t num_tags;
    uint32_t tags[BSPI_REGION_SIDES];
} bspi_region;

typedef struct bspi_cell_list {
    uint32_t *cells;
    uint32_t count;
    size_t room;
} bspi_cell_list;

/// What a merger saw and marked that works ahead of its turn: the marks of cells stay as they are
/// until it is known that nothing was missed.
typedef struct bspi_merge_marks {
    uint32_t *stamps;    ///< for each cell: `stamp` once it was seen, one more once it was marked
    uint32_t stamp;      ///< higher than all earlier ones by two
    bspi_cell_list open; ///< cells that were seen not to be done
    bspi_cell_list done; ///< cells that were marked
} bspi_merge_marks;

typedef struct bspi_merger {
    bspi_carver *carver;
    bspi_tree *tree;
    const bspi_tree_faces *faces; ///< NULL: faces are ignored
    bool apart;                   ///< cells are not merged
    bool overlaps;                ///< volumes may contain cells, and parts of cells, that are done
    bspi_merge_marks *marks;      ///< NULL: cells are marked at once
    /// Returns whether cells with these contents become volumes.
    bool (*wanted)(const struct bspi_merger *merger, int32_t contents);
    /// Receives a volume, which is carver->solid and stays it. Returning false ends the work.
    bool (*emit)(void *user, const bspi_carver *carver, const bspi_region *region);
    void *user;
    uint32_t lost; ///< number of cells that could not be cut out
} bspi_merger;

/// Returns whether a cell is in a volume.
bool bspi_merger_is_done(const bspi_merger *merger, uint32_t cell);
/// Marks it as such. Returns false without memory.
bool bspi_merger_set_done(const bspi_merger *merger, uint32_t cell);

/// Gives the region of a cell. Returns false if it has too many sides.
bool bspi_region_of_cell(const bspi_tree *tree, uint32_t cell, bspi_region *region);
/// Sets carver->solid to the region. Returns false if nothing is left.
bool bspi_region_carve(bspi_carver *carver, const bspi_region *region);
/// Grows a region within its contents; carver->solid becomes the result. Returns false if nothing
/// of it is left, or without memory. Clip hulls begin with some cells only.
bool bspi_region_grow(bspi_merger *merger, bspi_region *region);
/// Marks the cells that lie in carver->solid, which is overwritten, as done.
bool bspi_region_done(bspi_merger *merger, const bspi_region *region);
/// Returns a side of carver->solid that shows faces of two kinds, or BSP_NONE.
uint32_t bspi_region_mixed_side(const bspi_merger *merger, bspi_tree_side *side);

/// A region that grows. Trials without one of its sides begin with the same cuts as the region, so
/// the solid is saved before each.
typedef struct bspi_trial {
    bspi_merger *merger;
    const bspi_region *region;
    int32_t around;                      ///< node or cell below which samples near the region are
    bool intact;                         ///< the carver's solid is the region
    size_t saved[BSPI_REGION_SIDES + 1]; ///< end on the carver's stack: before the cut by each tag,
                                         ///< and after all
} bspi_trial;

/// Sets carver->solid to the region. Returns false if nothing is left, or without memory.
bool bspi_trial_begin(bspi_trial *trial, bspi_merger *merger, const bspi_region *region);
/// Grows the region of a trial that has begun. Returns as bspi_region_grow does. What both leave on
/// the stack is the caller's to take away.
bool bspi_trial_grow(bspi_trial *trial, bspi_region *region);

#endif
