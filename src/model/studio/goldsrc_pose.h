// SPDX-License-Identifier: MIT
// The pose of a GoldSrc model.
#ifndef BSPI_MODEL_GOLDSRC_POSE_H
#define BSPI_MODEL_GOLDSRC_POSE_H

#include "model/build.h"

/// Sets the bones of the mesh in the pose that the builder asks for.
bool bspi_goldsrc_bones(bspi_model_builder *b);

/// Sets the attachments of the mesh, whose bones are set.
bool bspi_goldsrc_attachments(bspi_model_builder *b);

#endif
