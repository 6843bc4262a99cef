// SPDX-License-Identifier: MIT
// The parts of what is written: triangles of one shape and one material each.
#ifndef BSPI_EXPORT_PARTS_H
#define BSPI_EXPORT_PARTS_H

#include "export/bake.h"
#include "export/content.h"

/// Lists the parts of all shapes, and the different materials that they have. `places` are those of
/// the mesh's faces on baked images; NULL: none are baked. Returns false without memory.
bool bspi_parts_list(bspi_content *content, const bspi_bake_place *places, bsp_error *error);
/// Removes parts without triangles, and gives shapes their runs. Returns false without memory.
bool bspi_parts_index(bspi_content *content, bsp_error *error);

#endif
