// SPDX-License-Identifier: MIT
// The light of a Source model's vertices.
#ifndef BSPI_MODEL_SOURCE_LIGHT_H
#define BSPI_MODEL_SOURCE_LIGHT_H

#include "model/model.h"

/// Reads a .vhv as bsp_model_vertex_light does.
bool bspi_source_light(const bsp_model_asset *model, const bsp_model_mesh *mesh,
                       const bsp_model_file *light, uint8_t (*colors)[4], bsp_error *error);

#endif
