// SPDX-License-Identifier: MIT
// The vertices of a displacement in space.
#ifndef BSPI_DISP_GRID_H
#define BSPI_DISP_GRID_H

#include "bspkit/map.h"

/// The most vertices of a displacement: 17 x 17.
#define BSPI_DISP_MOST 289u

/// Returns true if displacement `number` and `face`, which names it, have what a grid needs.
bool bspi_disp_is_sound(const bsp_map *map, uint32_t number, uint32_t face);
/// Sets the places of the vertices of a sound displacement, and those on its flat face: as many as
/// it has, row by row. False if an edge of the face is not there.
bool bspi_disp_grid(const bsp_map *map, uint32_t number, uint32_t face, float (*bases)[3],
                    float (*points)[3]); // displacement.c

/// Sets the place on the surface by coordinates 0..side - 1, along a row and across the rows; what
/// is beyond becomes the edge's. It lies on the two triangles of its cell.
void bspi_disp_at(const float (*points)[3], uint32_t side, float x, float y,
                  float out[3]); // displacement.c

#endif
