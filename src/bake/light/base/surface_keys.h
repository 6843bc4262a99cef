// SPDX-License-Identifier: MIT
// What keys of brushes say of the light of their surfaces, by the rules of ericw-tools: its qbsp
// leaves them beside the map, NAME.texinfo.json; without that file only keys of models are known.
#ifndef BSPI_BAKE_SURFACE_KEYS_H
#define BSPI_BAKE_SURFACE_KEYS_H

#include "bake/light/base/work.h"

/// Of one surface. Numbers that are NAN were not said.
typedef struct bspi_surface_keys {
    bool clean;     ///< is not darker in corners
    bool no_shadow; ///< stops no light
    bool absorbs;   ///< throws no light back
    bool no_least;  ///< has no least light
    bool unlit;     ///< has the least light alone
    float both;     ///< 0: is lit from its front alone, else from both sides
    float rescales; ///< 0: its light falls with both cosines as they are, else with half of them
    float style;    ///< of its light
    bool colored;   ///< its light has a colour,
    float color[3]; ///< this one, 0..1
    float shows;    ///< factor of how bright it is itself
    float fades;    ///< factor of the distance for its light
    float group;    ///< of lights that stand for surfaces ("_surflight_group")
    float angle;    ///< degrees of planes that it is round with,
    float concave;  ///< the same where they are before it,
    float round;    ///< and those of this group alone ("_phong_group")
    float least;    ///< before the gain
    float least_color[3]; ///< 0..1; black: that of the world
    float most;           ///< 0: as the world says
    float keeps;          ///< share of the colour of its light that stays
    float opacity;        ///< for light; what is seen of it is that of its model
    float channels;       ///< of lights that it is lit by, and stops; bits
} bspi_surface_keys;

/// What is said of no surface.
extern const bspi_surface_keys bspi_surface_keys_none;

/// Reads them: `own->surface_keys`. A file that is not of this map is noted, and not heeded; one
/// that is no JSON fails with BSP_E_FORMAT.
bool bspi_surface_keys_find(bspi_relight *own, bsp_error *error);

/// Returns what is said of a face.
const bspi_surface_keys *bspi_surface_keys_of(const bspi_relight *own, uint32_t face);

/// Returns the channels that were said, as bits.
static inline uint32_t bspi_surface_channels(const bspi_surface_keys *keys, uint32_t otherwise) {
    return keys->channels > 0 ? (uint32_t)keys->channels : otherwise;
}

/// Returns a number if it was said.
static inline float bspi_said(float value, float otherwise) {
    return value == value ? value : otherwise;
}

#endif
