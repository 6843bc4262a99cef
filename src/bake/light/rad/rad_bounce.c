// SPDX-License-Identifier: MIT
// What surfaces of GoldSrc throw back, and what they take of the sky. Source: qrad.cpp of SDHLT.
#include "bake/light/rad/rad_bounce.h"

#include "bake/light/places/spots.h"
#include "bake/light/rad/rad.h"

bool bspi_rad_bounce(bspi_relight *own, bsp_error *error) {
    bspi_rad rad = {.own = own};
    bool done = bspi_rad_patches(&rad, error) &&
                (own->scale.bounces == 0 || bspi_rad_throw(&rad, error)) &&
                bspi_rad_around_find(&rad, error) && bspi_rad_mix(&rad, error);
    bspi_rad_around_free(&rad);
    bspi_spots_free(own);
    bspi_heap_free(&own->heap, rad.patches, rad.room * sizeof *rad.patches);
    return done;
}
