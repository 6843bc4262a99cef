// SPDX-License-Identifier: MIT
// The pose of a Source model.
#ifndef BSPI_MODEL_SOURCE_POSE_H
#define BSPI_MODEL_SOURCE_POSE_H

#include "model/build.h"

/// Returns the number of the animation that a sequence shows, or BSP_NONE.
uint32_t bspi_source_anim(const bsp_model_file *file, uint32_t sequence);

/// Sets the bones of the mesh in the pose that the builder asks for.
bool bspi_source_bones(bspi_model_builder *b);

#endif
