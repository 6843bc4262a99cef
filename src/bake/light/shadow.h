// SPDX-License-Identifier: MIT
// What stands between a place and a lamp, or the sky.
#ifndef BSPI_BAKE_SHADOW_H
#define BSPI_BAKE_SHADOW_H

#include "bake/light/work.h"

/// Finds the directions in which the sky is looked for (sky_ways.c).
bool bspi_sky_ways_find(bspi_relight *own, bsp_error *error);

/// Sets the direction `number` that vrad draws from the sphere.
void bspi_halton_direction(uint32_t number, float out[3]);

/// Sets `seen` for lines to places of a model: nothing that casts shadows stands between; and in
/// `through`, unless that is NULL, what comes of light through what lets some of it pass, 0..1.
void bspi_shadow_lines(bspi_relight *own, uint32_t model, const bsp_sight_line *lines, bool *seen,
                       float (*through)[3], uint32_t count);

/// Is the sky open from a point of a model in a direction? Sets what comes of its light; NULL: not
/// wanted.
bool bspi_shadow_sky(bspi_relight *own, uint32_t model, const float point[3],
                     const float direction[3], float through[3]);

/// Returns how far a line goes before something solid, at most `reach` units; the sky is free.
float bspi_shadow_distance(bspi_relight *own, const float point[3], const float direction[3],
                           float reach);

#endif
