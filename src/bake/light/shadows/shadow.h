// SPDX-License-Identifier: MIT
// What stands between a place and a lamp, or the sky.
#ifndef BSPI_BAKE_SHADOW_H
#define BSPI_BAKE_SHADOW_H

#include "bake/light/base/work.h"
#include "bake/light/shadows/occluder_lanes.h"

/// What light falls on, or is stopped on its way to.
typedef struct bspi_shaded {
    uint32_t model;
    uint32_t channels; ///< ericw: of what stops it
    float near;        ///< q3map2: units in which nothing shades a cell of the grid; 0: a surface
    bool back;         ///< ericw: that is looked for from the lamp, as with those of surfaces
} bspi_shaded;

/// The world, or another model, for light that all stop.
static inline bspi_shaded bspi_shaded_model(uint32_t model) {
    return (bspi_shaded){.model = model, .channels = BSPI_CHANNEL};
}

/// Finds the directions in which the sky is looked for (sky_ways.c).
bool bspi_sky_ways_find(bspi_relight *own, bsp_error *error);

/// Sets the direction `number` that vrad draws from the sphere.
void bspi_halton_direction(uint32_t number, float out[3]);

/// Sets `seen` for lines to places: nothing that casts shadows stands between; and in
/// `through`, unless that is NULL, what comes of light through what lets some of it pass, 0..1.
void bspi_shadow_lines(bspi_relight *own, bspi_shaded of, const bsp_sight_line *lines, bool *seen,
                       float (*through)[3], uint32_t count);

/// Is the sky open from a point in a direction, that of a material (BSP_NONE: any)? Sets what comes
/// of its light; NULL: not wanted.
bool bspi_shadow_sky_of(bspi_relight *own, bspi_shaded of, const float point[3],
                        const float direction[3], uint32_t sky, float through[3]);
static inline bool bspi_shadow_sky(bspi_relight *own, bspi_shaded of, const float point[3],
                                   const float direction[3], float through[3]) {
    return bspi_shadow_sky_of(own, of, point, direction, BSP_NONE, through);
}

#define BSPI_SHADOW_RAYS 8u
/// The same for up to so many rays. Returns bits of those that are open; `through` of each of them.
uint32_t bspi_shadow_rays(bspi_relight *own, bspi_shaded of, const float (*points)[3],
                          const float (*directions)[3], uint32_t count, uint32_t sky,
                          float (*through)[3]);

/// Finds what light of the sky in a direction may meet first on its way to places of a model in a
/// box, by the rules of ericw-tools: see bspi_occluders_first.
bool bspi_shadow_first(bspi_relight *own, bspi_shaded of, const bspi_occluder_ends *from,
                       const float direction[3], bspi_occluder_recent *recent,
                       bspi_occluder_first *first);

/// May a sun in a direction shine on some of the places of a model in a box, by the rules of
/// q3map2?
bool bspi_shadow_may_shine(bspi_relight *own, bspi_shaded of, const bspi_occluder_ends *from,
                           const float direction[3]);

/// Returns bits of those of eight points from which the sky is open, after bspi_shadow_first;
/// `open`: of those that are meant. Sets what comes of its light to them.
uint32_t bspi_shadow_skies(bspi_relight *own, bspi_shaded of,
                           const float points[3][BSPI_OCCLUDER_LANES], const float direction[3],
                           const bspi_occluder_first *first, uint32_t sky, uint32_t open,
                           float through[BSPI_OCCLUDER_LANES][3]);

/// Returns the style of a shadow on a line that is open, by the rules of ericw-tools: light of
/// style 0 goes into it where a model stands between whose shadow switches. 0: there is none.
int bspi_shadow_switch(bspi_relight *own, bspi_shaded of, const float from[3], const float to[3]);
/// The same on a line to the sky.
int bspi_shadow_switch_sky(bspi_relight *own, bspi_shaded of, const float point[3],
                           const float direction[3]);

/// Closes lines from places of a model that something stops, by the rules of ericw-tools; `count`
/// of them are open at first.
void bspi_shadow_bundle(bspi_relight *own, bspi_shaded of, bspi_occluder_bundle *bundle,
                        uint32_t count);

/// What comes through glass and fences on an open line of a bundle? False: nothing.
bool bspi_shadow_through(bspi_relight *own, bspi_shaded of, const bspi_occluder_bundle *bundle,
                         uint32_t eight, uint32_t lane, float through[3]);

/// Looks around from eight places of a model, by the rules of ericw-tools: see bspi_occluder_lanes.
void bspi_shadow_around(bspi_relight *own, bspi_shaded of, const bspi_occluder_places *places,
                        const float (*directions)[3], uint32_t count, float reach,
                        float free[BSPI_OCCLUDER_LANES]);

#endif
