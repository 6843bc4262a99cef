// SPDX-License-Identifier: MIT
// How large faces are, and where their middle is.
#ifndef BSPI_BAKE_FACE_AREA_H
#define BSPI_BAKE_FACE_AREA_H

#include "bake/light/base/work.h"

/// Sets where a lamp stands that stands for a face: a unit off the mean of the corners that are no
/// mere points of an edge; and the normal. False for a face that has no area.
bool bspi_face_middle(const bspi_relight *own, uint32_t face, float point[3], float normal[3]);

/// Returns the area of a face in square units, 0 for one with very many corners.
float bspi_face_area(const bspi_relight *own, uint32_t face);

/// Returns the area of a flat polygon in square units.
float bspi_corners_area(const bsp_surface_corner *corners, uint32_t count);

#endif
