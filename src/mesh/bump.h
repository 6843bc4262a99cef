// SPDX-License-Identifier: MIT
// The three directions from which a surface with a normal map has light.
#ifndef BSPI_BUMP_H
#define BSPI_BUMP_H

/// Unit vectors in the frame of tangent, binormal and normal (sheet bake, 3.4).
static const float bspi_bump_directions[3][3] = {{0.816496581F, 0, 0.577350269F},
                                                 {-0.408248290F, 0.707106781F, 0.577350269F},
                                                 {-0.408248290F, -0.707106781F, 0.577350269F}};

#endif
