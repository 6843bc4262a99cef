// SPDX-License-Identifier: MIT
// Numbers of animations of studio models, which GoldSrc and Source write alike.
#ifndef BSPI_MODEL_STUDIO_RUNS_H
#define BSPI_MODEL_STUDIO_RUNS_H

#include "model/build.h"

/// Returns the number that a run of 16-bit numbers has for a frame; 0 where it leads beyond the
/// bytes. A run is of spans of `total` frames, of which the first `valid` have their own.
float bspi_studio_run(bspi_model_builder *b, bsp_bytes bytes, uint64_t at, uint32_t frame);

#endif
