// SPDX-License-Identifier: MIT
// The numbers of a family's compiler.
#ifndef BSPI_BAKE_SCALE_H
#define BSPI_BAKE_SCALE_H

#include "bake/light/base/vrad_rules.h"

#include <stdbool.h>
#include <stdint.h>

/// ericw: by how much sums may exceed the limit that a key names (light/write.cc).
#define BSPI_MOST 2

/// How a compiler turns a sum of light into what the file has, in this order (finish.c). A channel
/// is 0 to 255 where light is full, in Source 0 to 1.
typedef struct bspi_light_curve {
    float base[3];    ///< is added to the sum of style 0
    bool adds;        ///< the minimum is added too; else it is the least that a channel has
    float most;       ///< ericw: the brightest channel is at most this; 0: no limit
    float pale;       ///< ericw: share of the colour that turns to grey
    float gain;       ///< factor of all channels
    float contrast;   ///< q3map2: factor of the distance from the middle, 128; 0: none
    float gamma;      ///< a channel is raised to 1 / gamma, as a share of `full`; 0: it is not
    float full;       ///< the channel that `gamma` and `exposure` leave as it is
    float exposure;   ///< q3map2: the brightest channel goes towards `full` by this; 0: it does not
    float saturation; ///< q3map2: factor of the distance from grey; 0: none
    float after;      ///< q3map2: factor after these; 0: none
    float cap;        ///< the brightest channel is at most this, and the hue stays; 0: no limit
    bool beyond;      ///< it may exceed the cap: the map has a form that holds that
    float least;      ///< every channel is at least this
    bool differ;      ///< other styles are what they add to style 0 after these steps
    bool rounds;      ///< channels are rounded, not cut off
    bool srgb; ///< q3map2: after the cap channels are put through the sRGB curve, and rounded
} bspi_light_curve;

/// The numbers by which a family's compiler makes light.
typedef struct bspi_light_scale {
    bspi_light_curve curve;
    float minimum[3]; ///< of sums, before the gain, but for what models and surfaces say
    bool least_dirty; ///< the minimum is less in corners
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
    uint32_t soft;  ///< places on each side of one that are mixed in it in the end
    uint32_t extra; ///< places in a luxel along an axis
    uint32_t
        samples; ///< q3map2: how deep luxels at edges of shadows are measured again; at most 1: not
    uint32_t step; ///< every so many-th place along an axis is measured
    uint32_t bounces;
    bool counts;    ///< or as many as the light of the map has, where it tells
    float reflects; ///< hlrad: share of light that all surfaces throw back; 0: by their textures
    float ambient;  ///< vrad: light of style 0 that all places have
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
