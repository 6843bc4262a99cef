// SPDX-License-Identifier: MIT
// Source: the surface that a ray of an ambient cube meets.
#ifndef BSPI_BAKE_CUBE_RAY_H
#define BSPI_BAKE_CUBE_RAY_H

#include "bake/light/base/work.h"

/// What a ray meets.
typedef struct bspi_cube_hit {
    uint32_t face;  ///< BSP_NONE: nothing
    bool sky;       ///< it is one of the sky
    bool has_luxel; ///< false: of displacements only the mean is known
    size_t luxel;   ///< of the face, where it is met
    float distance; ///< units
} bspi_cube_hit;

/// Finds the first surface of the world on a ray, from either side, as vrad does: by the nodes of
/// the tree and the luxels of the faces on them. What has no face stops nothing. Adds what was
/// looked at to `steps`.
void bspi_cube_ray(const bspi_relight *own, const float point[3], const float direction[3],
                   bspi_cube_hit *out, uint64_t *steps);

#endif
