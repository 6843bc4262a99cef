// SPDX-License-Identifier: MIT
// A light that Source's light compiler stored.
#ifndef BSPI_WORLD_LIGHT_H
#define BSPI_WORLD_LIGHT_H

#include "bspkit/map.h"

/// bsp_world_light.type.
typedef enum bspi_world_light_type {
    BSPI_WORLD_SURFACE = 0,
    BSPI_WORLD_POINT = 1,
    BSPI_WORLD_SPOT = 2,
    BSPI_WORLD_SUN = 3,
    BSPI_WORLD_SKY = 5,
} bspi_world_light_type;

/// Returns the factor that distance, cone and the light's own surface leave of a light that stands
/// somewhere at a point, without the cosine at the surface there: 0 for suns and skies. Sets the
/// unit vector towards the light, and the distance in units.
float bspi_world_light_at(const bsp_world_light *light, const float point[3], float direction[3],
                          float *distance); // lights.c

#endif
