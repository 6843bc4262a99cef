// SPDX-License-Identifier: MIT
// Triangles that cast shadows besides brushes (drawn_shade.c).
#ifndef BSPI_BAKE_SHADE_H
#define BSPI_BAKE_SHADE_H

#include "bake/light/drawn/drawn.h"

/// Finds the triangles that cast shadows besides brushes.
bool bspi_shade_make(bspi_relight *own, const bsp_textures *textures, bsp_error *error);
/// Sets what of light comes through such triangles on a line, 0..1. False if nothing does.
bool bspi_shade_pass(const bspi_relight *own, const float from[3], const float to[3],
                     float through[3]);

#endif
