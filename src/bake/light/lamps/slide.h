// SPDX-License-Identifier: MIT
// Pictures that lights throw, as those of a projector ("_project_texture" of ericw-tools).
#ifndef BSPI_BAKE_SLIDE_H
#define BSPI_BAKE_SLIDE_H

#include "bake/light/base/picture.h"

/// A picture before a lamp.
typedef struct bspi_lamp_slide {
    float origin[3];
    float forward[3]; ///< unit vector to its middle
    float across[3];  ///< 1 at its right edge, a unit along `forward` away
    float up[3];      ///< 1 at its upper edge, likewise
    bspi_picture picture;
} bspi_lamp_slide;

/// Turns the picture: its middle lies along yaw and pitch, and its longer side fills so many
/// degrees.
void bspi_slide_turn(bspi_lamp_slide *slide, const float origin[3], const float turns[3],
                     float degrees);

/// Multiplies what comes of a lamp's light to a place by its picture; NULL: leaves it.
void bspi_slide_tint(const bspi_lamp_slide *slide, const float point[3], float through[3]);

#endif
