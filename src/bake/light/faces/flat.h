// SPDX-License-Identifier: MIT
// A flat face: from places among its luxels to the world.
#ifndef BSPI_BAKE_FLAT_H
#define BSPI_BAKE_FLAT_H

#include "mesh/luxels.h"

typedef struct bspi_flat {
    float normal[3];
    float dist;
    float shift[2];    ///< of luxels
    double back[3][3]; ///< P = back * (s - shift, t - shift, dist)
} bspi_flat;

/// Sets `flat` by its plane, which is there already, and by how luxels lie on it. False where they
/// do not.
bool bspi_flat_find(bspi_flat *flat, const bspi_luxels *luxels);
/// Sets the point of the face that is `s` and `t` luxels from its first one.
void bspi_flat_point(const bspi_flat *flat, float s, float t, float out[3]);

#endif
