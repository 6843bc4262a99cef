// SPDX-License-Identifier: MIT
// Materials of models whose surfaces name shaders, and .skin files that name others.
#ifndef BSPI_MODEL_QUAKE_SKIN_H
#define BSPI_MODEL_QUAKE_SKIN_H

#include "model/model.h"

/// Returns a name of a surface, or of its shader.
typedef bsp_text bspi_surface_name(const bsp_model_asset *model, uint32_t surface);

/// Sets the materials and the number of skins of a model with `surfaces` surfaces: material
/// skin * surfaces + surface. Skin 0 is that of NAME_default.skin or NAME_0.skin where there is
/// such a file, else what the model itself names; the others are those of the other NAME_*.skin of
/// the search path, by name.
bool bspi_skin_materials(bsp_model_asset *model, uint32_t surfaces, bspi_surface_name *surface_name,
                         bspi_surface_name *shader_name, bsp_error *error);

/// Returns true if a skin hides what has this material.
bool bspi_skin_hides(const bsp_model_material *material);

#endif
