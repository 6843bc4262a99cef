// SPDX-License-Identifier: MIT
// The patches of some faces beside each other, so that eight of them are asked at once.
#ifndef BSPI_BAKE_RAD_NEARBY_H
#define BSPI_BAKE_RAD_NEARBY_H

#include "bake/light/rad/rad_eight.h"

typedef struct bspi_rad_nearby {
    uint32_t *patches; ///< their numbers
    uint32_t count;
    bspi_rad_planes planes; ///< theirs
    float *all;             ///< what all these are in, in the heap
    size_t size;            ///< bytes of it
} bspi_rad_nearby;

/// Lists the patches of faces, in their order. False without memory. Free with
/// bspi_rad_nearby_free, which may be called again.
bool bspi_rad_nearby_list(const bspi_rad *rad, const uint32_t *faces, uint32_t num_faces,
                          bspi_rad_nearby *out, bsp_error *error);
void bspi_rad_nearby_free(bspi_heap *heap, bspi_rad_nearby *nearby);

#endif
