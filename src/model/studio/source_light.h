// SPDX-License-Identifier: MIT
// The light of a Source model's vertices.
#ifndef BSPI_MODEL_SOURCE_LIGHT_H
#define BSPI_MODEL_SOURCE_LIGHT_H

#include "model/model.h"

/// Reads a .vhv as bsp_model_vertex_light does.
bool bspi_source_light(const bsp_model_asset *model, const bsp_model_mesh *mesh,
                       const bsp_model_file *light, uint8_t (*colors)[4], bsp_error *error);

/// Returns how many vertices the model has light for, of all levels; 0: it has none to light.
uint32_t bspi_source_light_count(const bsp_model_asset *model);
/// Sets place and normal of one of them, as the file has them.
void bspi_source_light_vertex(const bsp_model_asset *model, uint32_t number, float point[3],
                              float normal[3]);
/// Writes a .vhv: `colors` has the RGB of each of these vertices. The caller frees `out` with
/// bsp_blob_free.
bool bspi_source_light_write(const bsp_model_asset *model, const uint8_t (*colors)[3],
                             bsp_blob *out, bsp_error *error);

#endif
