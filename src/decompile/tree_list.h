// SPDX-License-Identifier: MIT
// Brushes that the compiler kept: the BSPX lump BRUSHLIST.
#ifndef BSPI_DECOMPILE_TREE_LIST_H
#define BSPI_DECOMPILE_TREE_LIST_H

#include "decompile/tree_emit.h"

/// Where the brushes of the models are in the lump.
typedef struct bspi_brush_list {
    bsp_bytes bytes; ///< empty: there is none
} bspi_brush_list;

/// Finds the list of a file (NULL: none).
bspi_brush_list bspi_brush_list_of(const bsp_file *file);
/// True if the list has brushes of the model, and they are those of this tree: where most solid
/// ones are, the tree is not empty. The carver's box is another afterwards.
bool bspi_brush_list_fits(const bspi_brush_list *list, uint32_t model, bspi_carver *carver,
                          const bspi_tree *tree);
/// Makes the brushes of emitter->model, whose tree that is. Those that cannot be built are issues.
/// The carver's box is another afterwards. False without memory.
bool bspi_brush_list_emit(const bspi_brush_list *list, const bspi_tree *tree,
                          bspi_tree_emitter *emitter);

#endif
