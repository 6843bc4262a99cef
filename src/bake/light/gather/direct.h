// SPDX-License-Identifier: MIT
// The direct light of lamps.
#ifndef BSPI_BAKE_DIRECT_H
#define BSPI_BAKE_DIRECT_H

#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"

/// Some lamps.
typedef struct bspi_lamp_list {
    const bspi_lamp *lamps;
    const uint32_t *which; ///< numbers of those that are meant; NULL: the first ones
    uint32_t count;
} bspi_lamp_list;

/// Makes the direct light at places; luxels are in the heap, four styles of them.
bool bspi_direct_at(bspi_relight *own, bspi_places *places, bsp_relight_face *out,
                    bsp_error *error);

/// Makes the direct light of a face.
bool bspi_direct_face(bspi_relight *own, uint32_t face, bsp_error *error);

/// Quake 3: makes that of the vertices of faces without luxels, into `drawn->vertex_light`
/// (drawn_vertex_light.c).
bool bspi_vertices_direct(bspi_relight *own, bsp_error *error);

/// The same as bspi_direct_at, of other lamps.
bool bspi_gather_at(bspi_relight *own, bspi_places *places, const bspi_lamp_list *lamps,
                    bsp_relight_face *out, bsp_error *error);

/// Gives places that were not measured what those around them have; sets which have some. `sums` of
/// those that were measured are set. Each pass over the places is paid for (gather_luxels.c).
bool bspi_gather_fill(bspi_relight *own, const bspi_places *places, bool *known, float (*sums)[3],
                      bsp_error *error);
#endif
