// SPDX-License-Identifier: MIT
// Light in space.
#ifndef BSPI_LIGHT_SPACE_H
#define BSPI_LIGHT_SPACE_H

#include "bspkit/mesh.h"

/// Samples as bsp_light_grid_sample does, but not limited to 1: a byte of 255 is `gain`.
bool bspi_light_grid_at(const bsp_map *map, const bsp_light_grid *grid, const float point[3],
                        float gain, bsp_point_light *out);

#endif
