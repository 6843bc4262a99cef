// SPDX-License-Identifier: MIT
// Did light go from surface to surface only once in the light that the map has, where its key says
// more?
#ifndef BSPI_BAKE_BOUNCE_ONCE_H
#define BSPI_BAKE_BOUNCE_ONCE_H

#include "bake/light/base/work.h"

/// A luxel of style 0 that is compared: the brightest channel, 0..255 as files have it.
typedef struct bspi_once_sample {
    uint32_t face;
    uint32_t luxel;
    float stored;
    float direct;
} bspi_once_sample;

/// Makes luxels of a face what the file has (bspi_finish_face, which stands above this folder).
typedef void (*bspi_finisher)(const bspi_relight *own, bsp_relight_face *face);

typedef struct bspi_bounce_once {
    bspi_finisher finish;
    bspi_once_sample *samples; ///< in the arena
    uint32_t num_samples;
} bspi_bounce_once;

/// Chooses luxels all over the map, while faces have their direct light. The caller sets `finish`.
bool bspi_bounce_once_begin(bspi_relight *own, bspi_bounce_once *once, bsp_error *error);

/// When the first bounce was added: has the map no more light than that?
bool bspi_bounce_once_told(const bspi_relight *own, const bspi_bounce_once *once);

#endif
