// SPDX-License-Identifier: MIT
// The table of model formats.
#ifndef BSPI_MODEL_FORMATS_H
#define BSPI_MODEL_FORMATS_H

#include "model/model.h"

/// Finds the row that reads these bytes. NULL with BSP_E_FORMAT, BSP_E_UNSUPPORTED or
/// BSP_E_DAMAGED.
const bspi_model_def *bspi_model_find(bsp_bytes bytes, bsp_error *error);

// The rows, each in the file of its format.
extern const bspi_model_def bspi_model_md2, bspi_model_md3, bspi_model_quake_mdl,
    bspi_model_quake_mdl16, bspi_model_hexen2_mdl, bspi_model_sprite1, bspi_model_sprite2,
    bspi_model_sprite32, bspi_model_sp2, bspi_model_book, bspi_model_iqm1, bspi_model_iqm2,
    bspi_model_fm, bspi_model_mdx, bspi_model_dkm1, bspi_model_dkm2, bspi_model_glm, bspi_model_gla,
    bspi_model_mdr, bspi_model_goldsrc_mdl, bspi_model_goldsrc_group, bspi_model_source_mdl,
    bspi_model_source_ani, bspi_model_source_vvd, bspi_model_source_vtx, bspi_model_source_wide_vtx,
    bspi_model_source_phy, bspi_model_source_vhv;

#endif
