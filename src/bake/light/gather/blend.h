// SPDX-License-Identifier: MIT
// Source: luxels that mix the light of the places around them, those of faces beside too.
#ifndef BSPI_BAKE_BLEND_H
#define BSPI_BAKE_BLEND_H

#include "bake/light/base/work.h"

#define BSPI_BLEND_AROUND 64u // faces around one, at most

/// The luxels of a face while they are mixed.
typedef struct bspi_blend {
    const bsp_relight_face *face;
    float (*out)[3]; ///< sums, as the luxels of the face; all zero at first
    float *weights;  ///< of each luxel in each style; likewise
    uint32_t style;  ///< of the face, that is mixed now
} bspi_blend;

/// Adds the light of a place of a face, of a style of that, to a luxel. `aside`: the share of it
/// that the directions of a normal map get where the place has none.
void bspi_blend_add(const bspi_blend *blend, size_t luxel, float weight,
                    const bsp_relight_face *from, uint32_t style, size_t place, float aside);

/// Makes means of the sums. A luxel without any is as it was with `keeps`, else black.
void bspi_blend_divide(const bspi_blend *blend, bool keeps);

#endif
