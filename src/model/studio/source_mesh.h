// SPDX-License-Identifier: MIT
// The mesh of a Source model.
#ifndef BSPI_MODEL_SOURCE_MESH_H
#define BSPI_MODEL_SOURCE_MESH_H

#include "model/build.h"

#define BSPI_SOURCE_TRISTRIP 2 // flag of a strip; else it is a list

/// Builds a mesh, as .build of a model's format does.
bool bspi_source_build(bspi_model_builder *b);

#endif
