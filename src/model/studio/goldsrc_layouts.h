// SPDX-License-Identifier: MIT
// The records of GoldSrc's models.
#ifndef BSPI_MODEL_GOLDSRC_LAYOUTS_H
#define BSPI_MODEL_GOLDSRC_LAYOUTS_H

#include "model/rows.h"

/// Rows of the .mdl.
enum {
    BSPI_MDL10_BONES = 1,
    BSPI_MDL10_CONTROLLERS,
    BSPI_MDL10_HITBOXES,
    BSPI_MDL10_SEQUENCES,
    BSPI_MDL10_EVENTS,
    BSPI_MDL10_PIVOTS,
    BSPI_MDL10_GROUPS,
    BSPI_MDL10_TEXTURES,
    BSPI_MDL10_SKINS,
    BSPI_MDL10_PARTS,
    BSPI_MDL10_MODELS,
    BSPI_MDL10_MESHES,
    BSPI_MDL10_VERTEX_BONES,
    BSPI_MDL10_VERTICES,
    BSPI_MDL10_NORMAL_BONES,
    BSPI_MDL10_NORMALS,
    BSPI_MDL10_ATTACHMENTS,
    BSPI_MDL10_TRANSITIONS,
    BSPI_MDL10_ROWS = BSPI_MDL10_TRANSITIONS,
};
extern const bsp_layout bspi_goldsrc_studiohdr_t;
extern const bspi_model_row bspi_goldsrc_rows[BSPI_MDL10_ROWS];

#endif
