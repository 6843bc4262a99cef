// SPDX-License-Identifier: MIT
// Light as it was before bounces that are only tried.
#ifndef BSPI_BAKE_BOUNCE_KEPT_H
#define BSPI_BAKE_BOUNCE_KEPT_H

#include "bake/light/base/work.h"

typedef struct bspi_bounce_kept {
    bsp_relight_face *faces; ///< in the heap, with `luxels`
    float (*luxels)[3];      ///< of all faces, one after the other
    size_t num_luxels;
    uint32_t num_thrown;
    uint32_t num_bounces;
    uint32_t num_patches;
    unsigned dropped;
} bspi_bounce_kept;

/// Copies the light of all faces. Free with bspi_bounce_kept_free, after a failure too.
bool bspi_bounce_keep(bspi_relight *own, bspi_bounce_kept *kept, bsp_error *error);
/// Takes it back.
void bspi_bounce_restore(bspi_relight *own, const bspi_bounce_kept *kept);
/// All zero is allowed and does nothing.
void bspi_bounce_kept_free(bspi_relight *own, bspi_bounce_kept *kept);

#endif
