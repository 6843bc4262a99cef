// SPDX-License-Identifier: MIT
// Converts luxels to texels of a page: sums the styles, applies the brightness of the family and
// the range, and rounds to 8 bits.
#ifndef BSPI_SHADE_H
#define BSPI_SHADE_H

#include "bspkit/mesh.h"
#include "mesh/luxels.h"

/// The steps lie in 20 octaves, each of which has 64 buckets.
#define BSPI_SHADE_BUCKETS 1408u
#define BSPI_SHADE_SHIFT 17 // of a float's bits: 6 of its mantissa are left

/// The values that all luxels of a map share.
typedef struct bspi_shade {
    const float *styles; ///< BSP_LIGHT_STYLES factors
    float gain;          ///< factor of a stored 255
    float range;         ///< factor that a texel of 255 stands for
    float full;          ///< linear light of a texel of 255
    float steps[256];    ///< lowest linear light with this value of a channel
    bool bucketed;       ///< `first` is filled
    uint8_t
        first[BSPI_SHADE_BUCKETS]; ///< value of the lowest light of each bucket from steps[1] on
} bspi_shade;

/// Returns x^2.2, from display to linear light, 0..1; the same on every machine.
double bspi_linear_of(double x);

/// Returns the factor of a stored 255 in the family's engine.
float bspi_light_gain(const bsp_map *map);

void bspi_shade_init(bspi_shade *shade, const float *styles, float gain, float range);
/// Converts factors (not linear light) to a texel, keeping the hue.
void bspi_shade_factor(const bspi_shade *shade, const float rgb[3], uint8_t out[4]);
/// Converts `count` luxels of a face from number `first` on to texels of 4 bytes.
void bspi_shade_luxels(const bspi_shade *shade, const bspi_luxels *luxels, size_t first,
                       size_t count, uint8_t *out);

#endif
