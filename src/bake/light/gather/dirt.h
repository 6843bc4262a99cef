// SPDX-License-Identifier: MIT
// Light is weaker in corners.
#ifndef BSPI_BAKE_DIRT_H
#define BSPI_BAKE_DIRT_H

#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"

/// Do corners leave as much of a lamp's light as of any?
static inline bool bspi_dirt_is_plain(const bspi_lamp *lamp) {
    bool ranged = lamp->kind == BSPI_LAMP_PLACED && lamp->dirt_on > lamp->dirt_off;
    return lamp->dirt_gain == 0 && lamp->dirt_scale == 0 && !ranged;
}

/// Returns what corners leave of a lamp's light at a place; `lamp` NULL: of any light.
float bspi_place_open(const bspi_relight *own, const bspi_places *places, uint32_t place,
                      const bspi_lamp *lamp);

/// Returns the side of the squares of places in each of which corners are looked for at one place.
static inline uint32_t bspi_dirt_side(uint32_t extra) {
    return extra > 2 && extra % 2 == 0 ? 2 : 1;
}

/// Finds how much is near each place, where that counts. Squares of places have the same, which is
/// found once for all light of a face (see bspi_dirt_side).
bool bspi_places_dirt(bspi_relight *own, bspi_places *places, bsp_error *error);
/// Makes room for it at places (freed by bspi_places_free).
bool bspi_dirt_room(bspi_relight *own, bspi_places *places, bsp_error *error);
/// Makes room for what is kept of faces, and frees it.
bool bspi_dirt_begin(bspi_relight *own, bsp_error *error);
void bspi_dirt_free(bspi_relight *own);

struct bspi_drawn_face;

/// Quake 3: finds what corners leave of the light of a face's places, unless that is known
/// (drawn_dirt.c).
bool bspi_drawn_dirt(bspi_relight *own, uint32_t face, const bspi_places *places, bsp_error *error);
/// The same, of as many places as its direct light was measured at; those given are of luxels.
bool bspi_drawn_dirt_again(bspi_relight *own, uint32_t face, const bspi_places *places,
                           bsp_error *error);
/// Returns what corners leave of the light of a luxel, of a face that is so many wide.
float bspi_drawn_open(const struct bspi_drawn_face *face, uint32_t luxel, uint32_t width);

/// Source, with bspi_light_scale.occludes: finds what ambient occlusion leaves of the direct light
/// of places, unless that is known (occlusion.c).
bool bspi_places_occlude(bspi_relight *own, bspi_places *places, bsp_error *error);

#endif
