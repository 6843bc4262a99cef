// SPDX-License-Identifier: MIT
// How the sides of a cube's picture lie: towards +x, -x, +y, -y, +z, -z, as graphics interfaces
// have them (Direct3D, OpenGL).
#ifndef BSPI_ASSET_IMAGE_CUBE_H
#define BSPI_ASSET_IMAGE_CUBE_H

#include "bspkit/asset.h"

/// Returns the side that a direction of any length hits, and where on it: to the right and down
/// from its upper left corner, 0 to 1. The middle of the first side without a direction.
uint32_t bspi_cube_side(const float direction[3], float uv[2]);

#endif
