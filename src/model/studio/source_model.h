// SPDX-License-Identifier: MIT
// What a Source model keeps from opening to building.
#ifndef BSPI_MODEL_SOURCE_MODEL_H
#define BSPI_MODEL_SOURCE_MODEL_H

#include "model/studio/source_physics.h"

#define BSPI_SOURCE_TITANFALL 52 // version
#define BSPI_SOURCE_VERTEX 48    // bytes by which a model counts its first vertex

/// A .mdl with animations: the model itself, or one whose sequences it includes.
typedef struct bspi_source_moves {
    const bsp_model_file *mdl;
    const bsp_model_file *ani; ///< blocks of animations; NULL: none
} bspi_source_moves;

/// A sequence: where it is.
typedef struct bspi_source_sequence {
    uint32_t moves;  ///< number in bspi_source_model.moves
    uint32_t number; ///< in that file
    uint32_t hash;   ///< of its name
} bspi_source_sequence;

/// A material that a level of detail draws in place of another.
typedef struct bspi_source_replaced {
    uint32_t lod;
    uint32_t texture;  ///< of the .mdl
    uint32_t material; ///< of bsp_model_info.materials
} bspi_source_replaced;

typedef struct bspi_source_model {
    bspi_source_moves *moves; ///< the model itself first
    uint32_t num_moves;
    bspi_source_sequence *sequences; ///< of bsp_model_info.sequences
    const bsp_model_file *vertices;
    const bsp_model_file *strips;
    uint32_t *order; ///< of the vertices as fixups put them together; NULL: as they are stored
    uint32_t num_vertices;
    bspi_source_replaced *replaced;
    uint32_t num_replaced;
    bspi_source_physics physics; ///< without hulls where there is no .phy
} bspi_source_model;

#endif
