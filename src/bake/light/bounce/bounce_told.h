// SPDX-License-Identifier: MIT
// How often light went from face to face in the light that the map has, by the rules of
// ericw-tools.
#ifndef BSPI_BAKE_BOUNCE_TOLD_H
#define BSPI_BAKE_BOUNCE_TOLD_H

#include "bake/light/base/work.h"

/// A luxel of style 0 that is compared: the brightest channel, 0..255 as files have it.
typedef struct bspi_told_sample {
    uint32_t face;
    uint32_t luxel;
    float stored;
    float made; ///< so far
} bspi_told_sample;

/// Makes luxels of a face what the file has (bspi_finish_face, which stands above this folder).
typedef void (*bspi_finisher)(const bspi_relight *own, bsp_relight_face *face);

typedef struct bspi_bounce_told {
    bspi_finisher finish;
    bspi_told_sample *samples; ///< in the arena
    uint32_t num_samples;
    double brought; ///< by the last bounce, or by lamps: sum
    double off;     ///< how far luxels are from those of the map: sum
    bool more;      ///< the map has more light, as another bounce would bring
} bspi_bounce_told;

/// Chooses luxels all over the map, while faces have their direct light. The caller sets `finish`.
bool bspi_bounce_told_begin(bspi_relight *own, bspi_bounce_told *told, bsp_error *error);

/// Compares again, when a bounce was added.
void bspi_bounce_told_look(const bspi_relight *own, bspi_bounce_told *told);

#endif
