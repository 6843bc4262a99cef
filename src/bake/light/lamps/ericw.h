// SPDX-License-Identifier: MIT
// Lamps by the rules of ericw-tools: what the world says of all, and the steps that find them.
#ifndef BSPI_BAKE_ERICW_H
#define BSPI_BAKE_ERICW_H

#include "bake/light/base/keys.h"
#include "bake/light/base/random.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

/// How far below 0 a cosine of light may be that counts (LIGHT_ANGLE_EPSILON): surfaces light their
/// own plane, and suns walls along them.
#define BSPI_ERICW_GRAZES 0.01f

/// What the world says of all lamps.
typedef struct bspi_ericw {
    bspi_relight *own;
    const bsp_entity *world; ///< may be NULL
    float angle;             ///< _anglescale
    float distance;          ///< _dist: all waits are multiplied by it
    bool dirty;              ///< _dirt
    bool by_target;          ///< _spotlightautofalloff: a spot ends where its cone has its target
    bool radiates;           ///< _surflight_radiosity: surfaces shine as wholes
    float shows;             ///< _surflight_minlight_scale
    bspi_random random;
} bspi_ericw;

/// Does a key of dirt that says 1 (yes), -1 (no) or 0 say that there is some?
static inline bool bspi_ericw_dirty(const bspi_ericw *e, float value) {
    return value == 0 ? e->dirty : value > 0;
}

/// Reads what all kinds of lights have: strength, colour, style, angle, dirt (ericw_keys.c).
bspi_lamp bspi_ericw_lamp(const bspi_ericw *e, const bsp_entity *entity);

/// Is a light a sun, or half a sky?
bool bspi_ericw_is_sky(const bsp_entity *entity);

/// Adds the lights that stand somewhere, and those that stand for surfaces (lamps_ericw_points.c).
bool bspi_ericw_points(bspi_ericw *e, bsp_error *error);

/// Adds suns and skies (lamps_ericw_skies.c).
bool bspi_ericw_skies(bspi_ericw *e, bsp_error *error);

/// Adds a surface as a lamp in its middle: `lamp` has its style, and its strength for each square
/// unit of a texture that is white (lamps_surfaces.c). `color`: NULL: that of its texture; `wide`:
/// shines to all sides, `flat`: not more towards its own plane than by both cosines.
bool bspi_ericw_surface(bspi_relight *own, uint32_t face, bspi_lamp *lamp, const float *color,
                        bool wide, bool flat, bsp_error *error);

#endif
