// SPDX-License-Identifier: MIT
// Faces that are lit as if they were round.
#ifndef BSPI_BAKE_SMOOTH_H
#define BSPI_BAKE_SMOOTH_H

#include "bake/light/base/work.h"

/// Finds the faces that are round, and the normals at their corners (smooth.c).
bool bspi_smooth_find(bspi_relight *own, bsp_error *error);
/// Sets the normals of corners that the map has (FACENORMALS), by where those of each face begin;
/// `found`: there are some (smooth_stored.c).
bool bspi_smooth_stored(bspi_relight *own, const uint32_t *starts, float (*out)[3], bool *found,
                        bsp_error *error);
/// Is a face lit as if it were round?
bool bspi_smooth_is(const bspi_relight *own, uint32_t face);
/// Returns the face that goes on round beyond the edge which begins at a corner, or BSP_NONE.
uint32_t bspi_smooth_across(const bspi_relight *own, uint32_t face, uint32_t corner);
/// Do two faces have the edge from one corner of each in common, and not just its ends? Those in
/// and out of a liquid have not.
bool bspi_smooth_shares(const bsp_map *map, uint32_t face, uint32_t corner, uint32_t other,
                        uint32_t at);
/// Sets the normal at a point of a round face that has these corners; ericw: it may be shorter than
/// a unit.
void bspi_smooth_normal(const bspi_relight *own, uint32_t face, const bsp_surface_corner *corners,
                        uint32_t count, const float point[3], float out[3]);

#endif
