// SPDX-License-Identifier: MIT
// What eight places have of a lamp at once, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_LAMP_EIGHT_H
#define BSPI_BAKE_LAMP_EIGHT_H

#include "bake/light/lamps/lamp.h"

#define BSPI_LAMP_PLACES 8u

/// Eight places.
typedef struct bspi_lamp_places {
    float point[3][BSPI_LAMP_PLACES];
    float normal[3][BSPI_LAMP_PLACES];
    uint32_t place[BSPI_LAMP_PLACES]; ///< their numbers
    uint32_t count;                   ///< that are meant; the others repeat the last one
} bspi_lamp_places;

/// What they have: see bspi_lamp_at, and bspi_patch_at of a lamp with corners.
typedef struct bspi_lamp_light {
    float strength[BSPI_LAMP_PLACES];
    float angle[BSPI_LAMP_PLACES]; ///< see bspi_lamp_angle
    float way[3][BSPI_LAMP_PLACES];
} bspi_lamp_light;

/// Returns bits of the places that have more of a lamp of that strength than the gate, by the
/// cosines of their normals, `both`: whichever side it is on. The lamp fulfils bspi_lamp_is_even.
typedef uint32_t bspi_lamp_eight_fn(const bspi_lamp *lamp, const bspi_lamp_places *places,
                                    bool both, float most, float gate, bspi_lamp_light *out);

bspi_lamp_eight_fn bspi_lamp_eight_base;        // lamp_eight_base.c
bspi_lamp_eight_fn bspi_lamp_eight_avx2;        // where BSPI_MAKES_AVX2
bspi_lamp_eight_fn *bspi_lamp_eight_here(void); // the fastest one: lamp_eight_avx2.c

/// Is a lamp one of those that are done for eight places at once?
static inline bool bspi_lamp_is_even(const bspi_lamp *lamp) {
    return lamp->kind == BSPI_LAMP_PLACED && (lamp->corners == NULL || lamp->near > 0) &&
           lamp->fade != BSPI_FADE_WORLD && !(lamp->widens > 0) && lamp->slide == NULL &&
           !(lamp->extra > 0) && lamp->farther == 0 && !(lamp->angle_scale > 0);
}

#endif
