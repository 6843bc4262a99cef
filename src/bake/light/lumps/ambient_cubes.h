// SPDX-License-Identifier: MIT
// Source: light at places in leaves.
#ifndef BSPI_BAKE_AMBIENT_CUBES_H
#define BSPI_BAKE_AMBIENT_CUBES_H

#include "bake/light/base/work.h"

#include "bspkit/faces.h"

/// Makes the cubes at the places of the map's samples, from the finished light of faces.
bool bspi_ambient_cubes(bspi_relight *own, bsp_error *error);

/// Sets what a surface in a direction throws back, and how far it is. False for the sky, and where
/// that is not known. The colours of materials must be there.
bool bspi_cube_look(bspi_relight *own, const float point[3], const float direction[3], float out[3],
                    float *distance);

#endif
