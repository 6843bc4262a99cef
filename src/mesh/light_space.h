// SPDX-License-Identifier: MIT
// Light in space, as the file has it.
#ifndef BSPI_LIGHT_SPACE_H
#define BSPI_LIGHT_SPACE_H

#include "bspkit/mesh.h"

/// As bsp_light_grid_sample, but on the file's own scale: a byte of 255 is 1.
bool bspi_light_grid_stored(const bsp_map *map, const bsp_light_grid *grid, const float point[3],
                            bsp_point_light *out);

#endif
