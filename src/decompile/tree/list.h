// SPDX-License-Identifier: MIT
// Brushes that the compiler kept: the BSPX lump BRUSHLIST.
#ifndef BSPI_DECOMPILE_TREE_LIST_H
#define BSPI_DECOMPILE_TREE_LIST_H

#include "decompile/tree/emit.h"

/// The brushes of a model.
typedef struct bspi_model_list {
    bsp_bytes bytes; ///< from the first brush on
    uint32_t brushes;
} bspi_model_list;

/// The place of the brushes of each model in the lump.
typedef struct bspi_brush_list {
    bspi_model_list *models; ///< one for each model of the map; NULL: there is no list
    bool *hints;             ///< for each brush of the last tested model
} bspi_brush_list;

/// Finds the list of a file (NULL: none) for a map. Returns false without memory.
bool bspi_brush_list_begin(bspi_brush_list *list, const bsp_file *file, const bsp_map *map,
                           bspi_arena *arena, bsp_error *error);
/// Returns true if the list has brushes of the model, and they belong to this tree: in most places
/// where they are solid, the tree is solid. Changes the carver's box. Also false without memory
/// (then the carver is starved).
bool bspi_brush_list_fits(bspi_brush_list *list, uint32_t model, bspi_carver *carver,
                          const bspi_tree *tree);
/// Writes the brushes of emitter->model, which the list fits. Those that cannot be built are
/// issues. Changes the carver's box. Returns false without memory.
bool bspi_brush_list_emit(const bspi_brush_list *list, bspi_tree_emitter *emitter);

#endif
