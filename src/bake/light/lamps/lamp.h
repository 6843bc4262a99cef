// SPDX-License-Identifier: MIT
// A light, or a piece of a surface that gives light.
#ifndef BSPI_BAKE_LAMP_H
#define BSPI_BAKE_LAMP_H

#include "bake/light/shadows/shadow.h"

#include "bspkit/map.h"

#include <math.h>

#define BSPI_LAMP_HOT 128.0f   // units at which the compilers of Quake give a light its strength
#define BSPI_LAMP_NEAREST 0.1f // units: nearer lights count as so far

/// Where a lamp stands.
typedef enum bspi_lamp_kind {
    BSPI_LAMP_PLACED, ///< stands somewhere
    BSPI_LAMP_SUN,    ///< shines along a direction where the sky is open
    BSPI_LAMP_SKY,    ///< shines from all of the open sky
    BSPI_LAMP_LEAST,  ///< what it sees is at least so bright
} bspi_lamp_kind;

/// How a lamp fades with the distance d (sheet bake, 3.2). W = wait * d.
typedef enum bspi_fade {
    BSPI_FADE_LINE,    ///< light - W, until 0
    BSPI_FADE_RANGE,   ///< light * (1 - d / range), until 0
    BSPI_FADE_INVERSE, ///< light * 128 / W
    BSPI_FADE_SQUARE,  ///< light * 128^2 / W^2
    BSPI_FADE_SOFT,    ///< light * 128^2 / (W + 128)^2
    BSPI_FADE_NONE,    ///< light
    BSPI_FADE_CLAMPED, ///< light / max(W, range)^2
    BSPI_FADE_WORLD,   ///< as the world light says
} bspi_fade;

/// A light, or a piece of a surface that gives light.
typedef struct bspi_lamp {
    bspi_lamp_kind kind;
    bspi_fade fade;
    float origin[3];
    float direction[3]; ///< unit vector: where a spot, a surface or a sun shines
    float color[3];     ///< of a light of 1
    float light;        ///< strength; negative ones take light away
    float wait;
    float range;
    float angle;     ///< share of the strength that falls with the cosine on the lit surface, 0..1
    bool half;       ///< q3map2: it falls as half a cosine and a half, squared
    float emits;     ///< the same for the cosine at the light itself; 0: shines to all sides
    float grazes;    ///< how far below 0 both cosines may be (surfaces and suns of ericw-tools)
    float inner;     ///< spot: cosines of its cones
    float outer;     ///< -2: no spot
    float widens;    ///< spot of q3map2: units of its cone's radius for each of distance; 0: none
    bool cone_fades; ///< spot: falls with the cosine inside the cone too
    int style;
    bool dirty;                ///< is weaker in corners
    const float (*corners)[3]; ///< of a polygon that shines as a whole (then `light` is what it
                               ///< gives where it fills all that is seen), or NULL; in the arena
    uint32_t num_corners;
    float plane;    ///< q3map2: of a polygon, how far the plane that it lies in counts from 0
    float near;     ///< hlrad: of a polygon, units within which it is no lamp in its middle; else 0
    float area;     ///< hlrad: square units of the polygon; q3map2: the same if it gives as a point
    bool two_sided; ///< the polygon shines to its back as well
    float dirt_gain; ///< how much so: see bspi_light_scale; 0: as that says
    float dirt_scale;
    float dirt_off;  ///< units to the lamp within which it is not weaker in corners,
    float dirt_on;   ///< and from which it is wholly; 0: everywhere
    uint32_t pieces; ///< the next so many lamps are its pieces, which it stands for from afar
    float size;      ///< with pieces: units from its place to the farthest one
    float reach;     ///< units, where nothing is left; 0: everywhere
    const bsp_world_light *world; ///< BSPI_FADE_WORLD, borrowed
    const uint8_t *visible;       ///< row of the clusters that it may see; NULL: all
    const uint32_t *clusters;     ///< all of which a face must see, BSP_NONE: one that all see
    uint32_t num_clusters;        ///< see bspi_places.row
    uint32_t channels;            ///< ericw: of models that it lights, bits; 0: BSPI_CHANNEL
    uint32_t stops;               ///< ericw: of models that stop its light; 0: likewise
    uint32_t sky;                 ///< ericw: material of the sky that a sun shines out of, plus
                                  ///< one; 0: any
    bool switches;                ///< ericw: its light of style 0 is parted by shadows that switch
    bool of_face;                 ///< ericw: stands in the middle of a face that gives light
    bool bleeds;                  ///< ericw: lights what is turned away as what is turned to it
    const struct bspi_lamp_slide *slide; ///< ericw: a picture that it throws; NULL: none
    float extra;       ///< q3map2: units at right angles that it is farther away; 0: none
    float farther;     ///< ericw: units that it is farther away; 0: none
    float angle_scale; ///< q3map2: the cosine on the lit surface is divided by it, and at most 1;
                       ///< 0: 1
    float filter;      ///< q3map2: units within which its light is mixed; 0: it is not
    bool off_grid;     ///< q3map2: gives cells of the light grid nothing,
    bool off_faces;    ///< or nothing but these
    float gate;        ///< what is weaker counts nothing; 0: as the scale says
    const float (*thrown)[3]; ///< q3map2: of a piece that throws light back: its colour each time,
                              ///< of which `color` is the sum; NULL: it throws none
} bspi_lamp;

/// Returns what reaches a place of a lamp that stands somewhere, but for the cosine at the surface
/// and for what stands between; sets the unit vector towards the lamp and the distance.
float bspi_lamp_at(const bspi_lamp *lamp, const float point[3], float direction[3],
                   float *distance); // lamp.c

/// Returns the strength at a distance of d units (lamp.c).
float bspi_lamp_faded(const bspi_lamp *lamp, float d);

/// Returns how far up a lamp seems that is where it is looked at from: light of a surface (ericw)
/// comes from nowhere then, others from above.
static inline float bspi_lamp_up(const bspi_lamp *lamp) {
    return lamp->of_face ? 0 : 1;
}

/// Returns the cosine that counts at a place that is lit from both sides: light of a surface
/// (ericw) falls straight on it.
static inline float bspi_lamp_cosine_both(const bspi_lamp *lamp, float cosine) {
    return lamp->of_face ? 1 : fabsf(cosine);
}

/// Returns what the cone of a spot leaves; `out` is the cosine at the lamp.
float bspi_lamp_cone(const bspi_lamp *lamp, float out);

/// What light of a lamp falls on that is on a model.
static inline bspi_shaded bspi_lamp_shaded(const bspi_lamp *lamp, uint32_t model) {
    return (bspi_shaded){.model = model,
                         .channels = lamp->stops != 0 ? lamp->stops : BSPI_CHANNEL,
                         .back = lamp->of_face};
}

/// Returns the material of the sky that a sun shines out of, BSP_NONE for any.
static inline uint32_t bspi_lamp_sky(const bspi_lamp *sun) {
    return sun->sky != 0 ? sun->sky - 1 : BSP_NONE;
}

/// Does a sun shine on a point? Sets what comes of its light.
static inline bool bspi_lamp_sun_at(bspi_relight *own, const bspi_lamp *sun, bspi_shaded of,
                                    const float point[3], float through[3]) {
    const float to[3] = {-sun->direction[0], -sun->direction[1], -sun->direction[2]};
    return bspi_shadow_sky_of(own, of, point, to, bspi_lamp_sky(sun), through);
}

/// Returns the brightest channel of a lamp's colour.
static inline float bspi_lamp_most(const bspi_lamp *lamp) {
    return fmaxf(fabsf(lamp->color[0]), fmaxf(fabsf(lamp->color[1]), fabsf(lamp->color[2])));
}

/// Does a lamp light the world, and what is in no place of its own? (ericw: its channels)
static inline bool bspi_lamp_is_common(const bspi_lamp *lamp) {
    return lamp->channels <= 1;
}

#define BSPI_LAMP_COPLANAR 0.001f // cosine of light that grazes, which `half` leaves out

/// Returns what is left of that by the cosine of the direction on the surface.
static inline float bspi_lamp_angle(const bspi_lamp *lamp, float cosine) {
    if (lamp->half) {
        float half = fminf(1, cosine) * 0.5f + 0.5f;
        cosine = cosine > BSPI_LAMP_COPLANAR ? half * half : 0;
    }
    if (lamp->angle_scale > 0) {
        return cosine > 0 ? fminf(1, cosine / lamp->angle_scale) : 0;
    }
    return cosine > -lamp->grazes ? 1 - lamp->angle + lamp->angle * cosine : 0;
}

#endif
