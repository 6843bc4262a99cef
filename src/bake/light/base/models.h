// SPDX-License-Identifier: MIT
// The models of a map, and what keys of the entities that show them say of their light.
#ifndef BSPI_BAKE_MODELS_H
#define BSPI_BAKE_MODELS_H

#include "bake/light/base/work.h"

/// Finds `own->models` and of which of them each face is.
bool bspi_models_find(bspi_relight *own, bsp_error *error);

#endif
