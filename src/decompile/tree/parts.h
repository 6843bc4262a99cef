// SPDX-License-Identifier: MIT
// Builds a tree in parts, by several threads: a walk with the box ends at some of the nodes, and
// goes on from each of them in another thread. The tree is the same as that of bspi_tree_build.
#ifndef BSPI_DECOMPILE_TREE_PARTS_H
#define BSPI_DECOMPILE_TREE_PARTS_H

#include "decompile/tree/space.h"

typedef struct bspi_tree_piece bspi_tree_piece;

typedef struct bspi_tree_parts {
    bspi_tree *tree;
    bspi_heap *heap;
    bspi_tree_piece *pieces;
    size_t room;
    uint32_t count;
    uint32_t *order; ///< of those that the box reaches: the pieces in the order of the walk
    uint32_t num_parts;
    bspi_polyhedron_stack stack; ///< the solids with which the walks go on
} bspi_tree_parts;

/// Begins a tree, which is empty, and divides it into some parts. Returns false without memory.
/// Call bspi_tree_parts_end afterwards, even then.
bool bspi_tree_parts_begin(bspi_tree_parts *parts, bspi_tree *tree, bspi_carver *carver,
                           const bsp_map *map, uint32_t model, uint32_t hull);
/// Builds one of the num_parts parts, in any thread, with a carver of the same planes. Returns
/// false without memory.
bool bspi_tree_part_build(bspi_tree_parts *parts, uint32_t part, bspi_carver *carver);
/// Joins the parts, which are all built. Returns false without memory.
bool bspi_tree_parts_join(bspi_tree_parts *parts, bsp_error *error);
void bspi_tree_parts_end(bspi_tree_parts *parts);

#endif
