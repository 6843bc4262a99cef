// SPDX-License-Identifier: MIT
// A map as a model. It is no row of the table of formats: its records are those of a map.
#ifndef BSPI_MODEL_BRUSH_H
#define BSPI_MODEL_BRUSH_H

#include "model/model.h"

extern const bspi_model_def bspi_model_brush;

#endif
