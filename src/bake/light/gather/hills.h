// SPDX-License-Identifier: MIT
// Displacements of Source: vrad measures their light in the middles of as many squares of their
// grid as they have luxels, and each luxel mixes all such places around it, those of faces beside
// too.
#ifndef BSPI_BAKE_HILLS_H
#define BSPI_BAKE_HILLS_H

#include "bake/light/gather/blend.h"
#include "bake/light/places/places.h"

/// How places are mixed in a luxel.
typedef struct bspi_hill_mix {
    float radius; ///< units from the luxel
    bool rising;  ///< what is farther counts more
    float least;  ///< cosine between the normals, below which nothing counts
} bspi_hill_mix;

/// Returns how much a place counts at a luxel, by their points and normals.
float bspi_hill_weight(const bspi_hill_mix *mix, const float luxel[3], const float normal[3],
                       const float place[3], const float other[3]);

/// Returns the width of a luxel of a face in units, or 0 without luxels.
float bspi_hill_luxel(const bspi_relight *own, uint32_t face);

/// Mixes the direct light of the places on a displacement and around it into its luxels.
bool bspi_hill_blend(bspi_relight *own, uint32_t face, bspi_blend *blend, bsp_error *error);

#endif
