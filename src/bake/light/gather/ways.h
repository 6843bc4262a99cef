// SPDX-License-Identifier: MIT
// From where light comes to luxels: "deluxe" pages of Quake 3, LIGHTINGDIR of Quake.
#ifndef BSPI_BAKE_WAYS_H
#define BSPI_BAKE_WAYS_H

#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"

/// How directions are stated.
typedef enum bspi_ways_frame {
    BSPI_WAYS_NONE,    ///< they are not made
    BSPI_WAYS_WORLD,   ///< q3map2: in the world
    BSPI_WAYS_TANGENT, ///< q3map2 -deluxemode 1: two axes in the surface, then its normal
    BSPI_WAYS_TEXTURE, ///< ericw-tools: along its texture, against that down, and its plane's
                       ///< normal
} bspi_ways_frame;

/// The directions of the luxels of a face.
typedef struct bspi_ways {
    float (*list)[3]; ///< for each style width x height unit vectors, in the frame; in the heap
    uint32_t each;    ///< luxels
    uint32_t num_styles;
    uint8_t styles[BSP_RELIGHT_STYLES];
} bspi_ways;

/// Chooses whether, and how, directions are made (ways.c).
bool bspi_ways_find(bspi_relight *own, bsp_error *error);
/// Adds what light of a strength brings to a place out of a direction.
void bspi_ways_add(const bspi_relight *own, const bspi_lamp *lamp, const float direction[3],
                   float strength, float sum[3]);
/// Sets the sum of a place before any light came to it.
void bspi_ways_begin(const bspi_relight *own, const float normal[3], float sum[3]);
/// Makes room for the luxels of so many styles.
bool bspi_ways_room(bspi_relight *own, bspi_ways *ways, uint32_t each, uint32_t num_styles,
                    bsp_error *error);
/// Turns the sums of luxels into unit vectors in the frame.
void bspi_ways_turn(const bspi_relight *own, const bspi_places *places, float (*list)[3]);
/// Returns the directions of a style, or NULL: it has none.
const float (*bspi_ways_of(const bspi_ways *ways, uint8_t style))[3];
/// Writes a direction as three bytes; NULL: along the normal.
void bspi_ways_encode(const bspi_relight *own, const float *way, uint8_t out[3]);
void bspi_ways_free(bspi_relight *own);

#endif
