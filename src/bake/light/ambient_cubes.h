// SPDX-License-Identifier: MIT
// Source: light at places in leaves.
#ifndef BSPI_BAKE_AMBIENT_CUBES_H
#define BSPI_BAKE_AMBIENT_CUBES_H

#include "bake/light/relight.h"

#include "bspkit/faces.h"

/// Makes the cubes at the places of the map's samples, from the finished light of faces.
bool bspi_ambient_cubes(bspi_relight *own, bsp_error *error);

#endif
