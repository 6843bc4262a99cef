// SPDX-License-Identifier: MIT
// Keys of ericw-tools and q3map2, and words of the latter's command line, that have no effect here.
#ifndef BSPI_BAKE_UNHEEDED_H
#define BSPI_BAKE_UNHEEDED_H

#include "bake/light/base/q3map2_told.h"

/// Lists those that entities of the map have, in `own->relight`. `told`: what q3map2 was told;
/// NULL: the map is none of its.
bool bspi_unheeded_find(bspi_relight *own, const bspi_q3map2_told *told, bsp_error *error);

#endif
