// SPDX-License-Identifier: MIT
// Keys of ericw-tools that have no effect here.
#ifndef BSPI_BAKE_UNHEEDED_H
#define BSPI_BAKE_UNHEEDED_H

#include "bake/light/base/work.h"

/// Lists those that entities of the map have, in `own->relight`.
bool bspi_unheeded_find(bspi_relight *own, bsp_error *error);

#endif
