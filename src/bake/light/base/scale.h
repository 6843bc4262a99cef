// SPDX-License-Identifier: MIT
// The numbers of a family's compiler.
#ifndef BSPI_BAKE_SCALE_H
#define BSPI_BAKE_SCALE_H

#include "bake/light/base/vrad_rules.h"

#include <stdbool.h>
#include <stdint.h>

/// ericw: by how much sums may exceed the limit that a key names (light/write.cc).
#define BSPI_MOST 2

/// Numbers of a family's compiler.
typedef struct bspi_light_scale {
    float gain;     ///< sums are multiplied by it
    float most;     ///< ericw: of sums, before the gain; 0: none
    float pale;     ///< ericw: share of their colour that turns to grey
    float gamma;    ///< and raised to it, of `full`; 0: they are not
    float full;     ///< that gives `full` again
    float contrast; ///< q3map2: before that, their distance from half of it grows so often; 0: not
    float exposure; ///< after it, the brightest channel goes towards `full` by that; 0: it does not
    float saturation; ///< and the others lie so often as far from their grey; 0: they stay
    float after;      ///< factor in the end; 0: 1
    float cap;        ///< of the brightest channel at the end, and keeps the hue; 0: none
    float least;      ///< of every channel, in the end
    float base[3];    ///< that is added to sums
    float minimum[3]; ///< of sums, before the gain, but for what models and surfaces say
    bool least_dirty; ///< the minimum is less in corners
    bool adds;        ///< the minimum is added
    bool beyond;      ///< sums stay above the cap: the map has a form that holds them
    uint32_t mask;    ///< contents of brushes that stop light
    float lift;       ///< units from the surface to where light is measured
    float before;     ///< units from a lamp, which may touch a brush, to where lines to it end
    float gate;       ///< what is weaker counts nothing
    bool dirt;        ///< some lamps are weaker in corners
    float dirt_depth; ///< units that are looked for what is near
    float dirt_angle; ///< degrees around the normal
    float dirt_gain;  ///< exponent of what is near, 0..1
    float dirt_scale; ///< and its factor
    float blur;       ///< luxels along an axis whose light is in one; at most 1: only its own
    float edge;     ///< units that places keep from the edges of a face; 0: as the map has brushes
    bool differ;    ///< a style is what it adds to the first one after the curve of brightness
    bool rounds;    ///< channels are rounded, not cut off
    uint32_t soft;  ///< places on each side of one that are mixed in it in the end
    uint32_t extra; ///< places in a luxel along an axis
    uint32_t
        samples; ///< q3map2: how deep luxels at edges of shadows are measured again; at most 1: not
    uint32_t step; ///< every so many-th place along an axis is measured
    uint32_t bounces;
    bool counts;    ///< or as many as the light of the map has, where it tells
    float reflects; ///< hlrad: share of light that all surfaces throw back; 0: by their textures
    float bounce;   ///< what a surface throws back is multiplied by it
    float tint;     ///< ericw: share of the colour of its texture in that, the rest is grey
    bool styled;    ///< ericw: light of other styles than 0 is thrown back too
    float distance; ///< ericw: all distances are multiplied by it
    float surface;  ///< ericw: what a surface gives is multiplied by it
    float sky;      ///< ericw: the same of one of the sky,
    float sky_distance;          ///< which is so many units farther away
    const bspi_vrad_rules *vrad; ///< NULL: another compiler
    bool softens;  ///< vrad -softencosine: light that grazes is weaker, by half of 1 + its cosine
    bool occludes; ///< vrad of CS:GO: direct light is weaker where something is near (occlusion.c)
    bool cells;    ///< light is measured between luxels, and mixed in them (vrad; cells.h)
} bspi_light_scale;

#endif
