// SPDX-License-Identifier: MIT
// The animations of a Source model: its own, and those of models that it includes.
#ifndef BSPI_MODEL_SOURCE_INCLUDES_H
#define BSPI_MODEL_SOURCE_INCLUDES_H

#include "model/studio/source_model.h"

/// Opens the files with animations, and sets info.sequences. A name that an earlier file has is
/// that of the earlier sequence, unless this only holds its place.
bool bspi_source_includes_open(bsp_model_asset *model, bspi_source_model *m, bsp_error *error);

#endif
