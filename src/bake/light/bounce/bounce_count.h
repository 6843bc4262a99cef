// SPDX-License-Identifier: MIT
// How often light went from surface to surface in the light that the map has.
#ifndef BSPI_BAKE_BOUNCE_COUNT_H
#define BSPI_BAKE_BOUNCE_COUNT_H

#include "bake/light/base/work.h"

#define BSPI_BOUNCE_SAMPLES 4096u

/// A luxel whose light is compared.
typedef struct bspi_bounce_sample {
    uint32_t face;
    uint32_t luxel;
    float direct;
    float excess; ///< of the light that the map has over that
} bspi_bounce_sample;

/// The number of bounces after which light was most like that of the map, so far.
typedef struct bspi_bounce_count {
    bspi_bounce_sample *samples; ///< in the arena
    uint32_t num_samples;        ///< 0: the map does not tell
    /// Sets what a luxel has of all bounces so far.
    void (*luxel)(const bspi_relight *own, uint32_t face, uint32_t x, uint32_t y, float out[3]);
    uint32_t best;
    float off;  ///< of the best one: share of its light that a luxel is too bright or too dark, in
                ///< the mean
    float last; ///< the same of the last one
} bspi_bounce_count;

/// Chooses luxels all over the map whose direct light was made, and agrees with that of the map.
/// The caller sets `luxel`.
bool bspi_bounce_count_begin(bspi_relight *own, bspi_bounce_count *count, bsp_error *error);

/// Compares what patches have received after `bounces` of them, from 1 on.
void bspi_bounce_count_look(const bspi_relight *own, bspi_bounce_count *count, uint32_t bounces);

/// When all bounces were looked at: were fewer clearly more like the map?
bool bspi_bounce_count_differs(const bspi_bounce_count *count);

#endif
