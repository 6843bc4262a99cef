// SPDX-License-Identifier: MIT
// Quake 3: what is around a place on the side of its normal: corners (-dirty), and the light that
// comes from everywhere where it is open (_floodlight).
#ifndef BSPI_BAKE_DRAWN_AROUND_H
#define BSPI_BAKE_DRAWN_AROUND_H

#include "bake/light/gather/gather.h"

/// Sets the axes that the compiler turns directions by: along the ground, and up (drawn_dirt.c).
void bspi_drawn_axes(const float normal[3], float right[3], float up[3]);

/// Returns how open it is around a place, 0 to 1: the mean of how far lines go, of `reach` units.
/// `sky`: as it is done for cells of the light grid, whose lines go on through
/// what is solid. Adds what was looked at to `steps` (drawn_flood.c).
float bspi_drawn_flooded(const bspi_relight *own, const float point[3], const float normal[3],
                         float reach, bool sky, uint64_t *steps);
/// Adds the light of _floodlight to the sums of style 0, and that of the shader of the face.
bool bspi_drawn_flood_add(bspi_gather *g, bsp_error *error);

#endif
