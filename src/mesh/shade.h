// SPDX-License-Identifier: MIT
// Luxels to texels of a page: styles summed, brightness of the family, range, 8 bits.
#ifndef BSPI_SHADE_H
#define BSPI_SHADE_H

#include "bspkit/mesh.h"
#include "mesh/luxels.h"

/// What is the same for all luxels of a map.
typedef struct bspi_shade {
    const float *styles; ///< BSP_LIGHT_STYLES factors
    float gain;          ///< factor of a stored 255
    float range;         ///< factor that a 255 of the page stands for
    float full;          ///< linear light that does so
    float steps[256];    ///< linear light from which on a channel has this value
} bspi_shade;

/// Returns x^2.2, the same on every machine: displayed to linear light, 0..1.
double bspi_linear_of(double x);

/// The factor of a stored 255 in the family's engine.
float bspi_light_gain(const bsp_map *map);

void bspi_shade_init(bspi_shade *shade, const float *styles, float gain, float range);
/// Factors (not linear light) to texels, the hue kept.
void bspi_shade_factor(const bspi_shade *shade, const float rgb[3], uint8_t out[4]);
/// Texel number `n` of a face.
void bspi_shade_luxel(const bspi_shade *shade, const bspi_luxels *luxels, size_t n, uint8_t out[4]);

#endif
