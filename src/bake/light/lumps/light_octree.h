// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE: light in space of Quake and Quake 2.
#ifndef BSPI_BAKE_LIGHT_OCTREE_H
#define BSPI_BAKE_LIGHT_OCTREE_H

#include "bake/light/base/work.h"

/// Makes a grid where the map has none, or another one, of cells that are so far apart as
/// `own->options->grid` says (octree_new.c).
bool bspi_octree_new(bspi_relight *own, bsp_error *error);

/// Makes the samples of the map's grid anew, where it has one; its tree stays.
bool bspi_octree_make(bspi_relight *own, bsp_error *error);

/// The same for LIGHTGRIDS (light_grids.c).
bool bspi_grids_make(bspi_relight *own, bsp_error *error);

#endif
