// SPDX-License-Identifier: MIT
// The pose of a Source model.
#ifndef BSPI_MODEL_SOURCE_POSE_H
#define BSPI_MODEL_SOURCE_POSE_H

#include "model/build.h"

/// Returns the text that starts at a byte of a file; empty where it leads nowhere or does not end
/// within 1,024 bytes.
bsp_text bspi_source_text(const bsp_model_file *file, int64_t at);

/// Returns the number of the animation that a sequence shows, or BSP_NONE.
uint32_t bspi_source_anim(const bsp_model_file *file, uint32_t sequence);

/// Sets the bones of the mesh in the pose that the builder asks for.
bool bspi_source_bones(bspi_model_builder *b);

#endif
