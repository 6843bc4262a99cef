// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE: light in space of Quake and Quake 2.
#ifndef BSPI_BAKE_LIGHT_OCTREE_H
#define BSPI_BAKE_LIGHT_OCTREE_H

#include "bake/light/work/work.h"

/// Makes the samples of the map's grid anew, where it has one; its tree stays.
bool bspi_octree_make(bspi_relight *own, bsp_error *error);

#endif
