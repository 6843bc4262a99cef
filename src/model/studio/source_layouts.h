// SPDX-License-Identifier: MIT
// The records of Source's models and of their vertices and strips.
#ifndef BSPI_MODEL_SOURCE_LAYOUTS_H
#define BSPI_MODEL_SOURCE_LAYOUTS_H

#include "model/rows.h"

/// Rows of the .mdl.
enum {
    BSPI_SRC_BONES = 1,
    BSPI_SRC_ANIMS,
    BSPI_SRC_SEQUENCES,
    BSPI_SRC_TEXTURES,
    BSPI_SRC_FOLDERS,
    BSPI_SRC_SKINS,
    BSPI_SRC_PARTS,
    BSPI_SRC_MODELS,
    BSPI_SRC_MESHES,
    BSPI_SRC_ATTACHMENTS,
    BSPI_SRC_HITBOX_SETS,
    BSPI_SRC_HITBOXES,
    BSPI_SRC_INCLUDES,
    BSPI_SRC_BLOCKS,
    BSPI_SRC_ROWS = BSPI_SRC_BLOCKS,
};
extern const bsp_layout bspi_studiohdr_t;
extern const bspi_model_row bspi_source_rows[BSPI_SRC_ROWS];

/// Rows of the .vvd, and of the .vtx.
enum { BSPI_VVD_FIXUPS = 1, BSPI_VVD_VERTICES, BSPI_VVD_TANGENTS };
enum {
    BSPI_VTX_PARTS = 1,
    BSPI_VTX_MODELS,
    BSPI_VTX_LODS,
    BSPI_VTX_MESHES,
    BSPI_VTX_GROUPS,
    BSPI_VTX_VERTICES,
    BSPI_VTX_INDICES,
    BSPI_VTX_STRIPS,
    BSPI_VTX_LISTS,
    BSPI_VTX_REPLACED,
};
extern const bspi_model_def bspi_model_source_vvd, bspi_model_source_vtx,
    bspi_model_source_wide_vtx, bspi_model_source_ani;

#endif
