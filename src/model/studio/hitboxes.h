// SPDX-License-Identifier: MIT
// Hitboxes of studio models, which GoldSrc and Source write alike.
#ifndef BSPI_MODEL_STUDIO_HITBOXES_H
#define BSPI_MODEL_STUDIO_HITBOXES_H

#include "model/build.h"

/// Sets the hitboxes of the mesh, whose bones are set, from a table of the model's file with the
/// fields "bone", "group", "bbmin" and "bbmax". Returns false without memory.
bool bspi_studio_hitboxes(bspi_model_builder *b, uint32_t table);

#endif
