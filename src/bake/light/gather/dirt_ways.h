// SPDX-License-Identifier: MIT
// The lines along which compilers look for what is near.
#ifndef BSPI_BAKE_DIRT_WAYS_H
#define BSPI_BAKE_DIRT_WAYS_H

#include "bake/light/base/work.h"

#define BSPI_DIRT_WAYS 49u // room for the normal after them

/// Sets directions around the normal, which is z. Returns how many there are (dirt_ways.c).
uint32_t bspi_dirt_ways(const bspi_relight *own, float out[BSPI_DIRT_WAYS][3]);

/// Returns what of light is lost where so much is near, 0..1, by the exponent and the factor.
float bspi_dirt_lost(float near, float gain, float factor);

#endif
