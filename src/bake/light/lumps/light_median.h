// SPDX-License-Identifier: MIT
// Source: one light for all luxels of a face.
#ifndef BSPI_BAKE_LIGHT_MEDIAN_H
#define BSPI_BAKE_LIGHT_MEDIAN_H

#include "core/memory.h"

#include <stdint.h>

/// Computes the median of each channel, as RGBExp32. It is taken among bytes of the brightest
/// exponent: dimmer luxels are shifted down to it. Black, and false, without memory.
bool bspi_light_median(bspi_heap *heap, const float (*luxels)[3], uint32_t count, uint8_t out[4],
                       bsp_error *error);

#endif
