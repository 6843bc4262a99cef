// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE: light in space of Quake and Quake 2.
#ifndef BSPI_BAKE_LIGHT_OCTREE_H
#define BSPI_BAKE_LIGHT_OCTREE_H

#include "bake/light/work.h"

/// Returns the number of the lump, or BSP_NONE.
static inline uint32_t bspi_octree_lump(const bsp_file *file) {
    return bsp_file_find(file, bsp_text_of("bspx:LIGHTGRID_OCTREE"));
}

/// Makes the samples of the map's grid anew, where it has one; its tree stays.
bool bspi_octree_make(bspi_relight *own, bsp_error *error);

#endif
