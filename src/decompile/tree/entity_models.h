// SPDX-License-Identifier: MIT
// The brushes of the models of entities.
//
// They are found while the world is made, by other threads, and written after it, in their order.
// A model whose result could depend on others is made when its turn comes: one that shares faces
// or, with others, too many nodes.
#ifndef BSPI_DECOMPILE_TREE_ENTITY_MODELS_H
#define BSPI_DECOMPILE_TREE_ENTITY_MODELS_H

#include "decompile/tree/model.h"

#define BSPI_MODEL_SEATS 2u ///< threads that find them

typedef struct bspi_found_model bspi_found_model;

/// Zeros but for the maker: all are made when they are written.
typedef struct bspi_entity_models {
    bspi_maker *maker;
    bspi_found_model *found; ///< for each model, the world too, or NULL
    bspi_maker seats[BSPI_MODEL_SEATS];
    bsp_error errors[BSPI_MODEL_SEATS];
    uint32_t num_seats;
    uint32_t end;     ///< models from here on are not found ahead
    atomic_uint next; ///< model that no seat has taken
} bspi_entity_models;

/// Prepares to find models ahead; without memory, or where there are none, none is.
void bspi_entity_models_begin(bspi_entity_models *models);
/// Finds models until none is left; each seat has one thread.
void bspi_entity_models_find(bspi_entity_models *models, uint32_t seat);
/// Writes the brushes of all models. Returns false without memory.
bool bspi_entity_models_write(bspi_entity_models *models);
void bspi_entity_models_end(bspi_entity_models *models);

#endif
