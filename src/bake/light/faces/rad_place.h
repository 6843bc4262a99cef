// SPDX-License-Identifier: MIT
// Where a piece of a surface stands, by the rules of hlrad.
#ifndef BSPI_BAKE_RAD_PLACE_H
#define BSPI_BAKE_RAD_PLACE_H

#include "bake/light/base/work.h"
#include "bake/light/faces/piece.h"

#define BSPI_RAD_LIFT 0.5f // units from a surface to the place of a patch

/// Where a piece of a surface stands for itself.
typedef struct bspi_rad_place {
    float point[3]; ///< off the surface, not in solid if that can be
    float exposed;  ///< 0..1: how much of it is not in solid
    float near;     ///< units within which it is no point
    bool outside;   ///< all of it is in solid
} bspi_rad_place;

/// Finds where a piece of a model's surface stands.
void bspi_rad_place_find(bspi_relight *own, const bspi_piece *piece, const float normal[3],
                         bspi_rad_place *out);

/// Sets the place of what of a polygon, whose normal is `facing`, lies before a receiver. Leaves
/// `out` as it is where that one's plane does not cut it.
void bspi_rad_place_before(bspi_relight *own, const float (*corners)[3], uint32_t count,
                           const float facing[3], const float point[3], const float normal[3],
                           float out[3]);

#endif
