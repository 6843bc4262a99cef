// SPDX-License-Identifier: MIT
// The vertices of a displacement in space.
#ifndef BSPI_DISP_GRID_H
#define BSPI_DISP_GRID_H

#include "bspkit/map.h"

/// Powers that a displacement may have: it has 2^power + 1 vertices along a side.
#define BSPI_DISP_LEAST_POWER 1u
#define BSPI_DISP_MOST_POWER 4u
/// The most vertices along a side, and in all.
#define BSPI_DISP_MOST_SIDE ((1u << BSPI_DISP_MOST_POWER) + 1)
#define BSPI_DISP_MOST (BSPI_DISP_MOST_SIDE * BSPI_DISP_MOST_SIDE)

/// Returns the number of vertices along a side of a displacement of a power, and of rows.
static inline uint32_t bspi_disp_side(uint32_t power) {
    return (1u << power) + 1;
}

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
