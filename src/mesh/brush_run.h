// SPDX-License-Identifier: MIT
// The hulls of some brushes of many.
#ifndef BSPI_MESH_BRUSH_RUN_H
#define BSPI_MESH_BRUSH_RUN_H

#include "bspkit/mesh.h"

/// Does the same as bsp_brush_mesh_build, but for `hulls`: these are of the brushes from
/// options->first_brush on only.
bsp_brush_mesh *bspi_brush_mesh_run(const bsp_map *map, const bsp_brush_mesh_options *options,
                                    bsp_error *error);

#endif
