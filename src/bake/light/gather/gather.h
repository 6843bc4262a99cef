// SPDX-License-Identifier: MIT
// What lamps send to places, while it is summed up by light style.
#ifndef BSPI_BAKE_GATHER_H
#define BSPI_BAKE_GATHER_H

#include "bake/light/gather/direct.h"
#include "bake/light/lamps/lamp_eight.h"
#include "bake/light/places/places.h"
#include "bake/light/shadows/occluder_lanes.h"

#define BSPI_GATHER_LINES 1024u  // that are looked along at once
#define BSPI_GATHER_STYLES 16u   // of lamps on one face, before the strongest are chosen
#define BSPI_GATHER_TILE 16u     // places along an axis that are looked from at once, at most
#define BSPI_GATHER_CLUSTERS 64u // of a face, beyond which it is in sight of every lamp

/// A tile of places.
typedef struct bspi_tile {
    uint32_t end; ///< of its eights
    bspi_occluder_ends box;
} bspi_tile;

/// Sums under construction.
typedef struct bspi_gather {
    bspi_relight *own;
    const bspi_places *places;
    bspi_lamp_list lamps;
    bspi_lamp_places *eights; ///< the lit places, tile by tile
    uint32_t num_eights;
    bspi_tile *tiles;
    uint32_t num_tiles;
    bspi_lamp_eight_fn *light_eight;
    float (*sums)[3];  ///< for each style, direction and place; directions of light after those
    size_t run;        ///< of a style
    float (*fresh)[3]; ///< the same of one lamp alone, that is refined or mixed; NULL: none is
    bool *edges;       ///< scratch, one for each place; NULL: edges are not refined
    float held;        ///< a preview: weak lamps not looked at, by what one of them stands for
    float hue[3];      ///< and their colour
    bspi_meter meter;  ///< pays for places; those of refined edges are added as they are measured
    int styles[BSPI_GATHER_STYLES];
    uint32_t num_styles;
    uint32_t num_lines;
    bool clusters_known; ///< they are found once a lamp asks for them
    uint32_t num_clusters;
    uint32_t clusters[BSPI_GATHER_CLUSTERS]; ///< that places of the face are in
    // What follows is large, and nothing before it is written.
    bsp_sight_line lines[BSPI_GATHER_LINES];
    bool seen[BSPI_GATHER_LINES];
    float through[BSPI_GATHER_LINES][3];         ///< what comes of light
    uint32_t from[BSPI_GATHER_LINES];            ///< place
    float strength[BSPI_GATHER_LINES];           ///< at that, but for the angle
    float ways[BSPI_GATHER_LINES][3];            ///< unit vectors to the lamp
    bspi_occluder_bundle bundle;                 ///< lines to one lamp from eights of a tile
    bspi_lamp_light lights[BSPI_OCCLUDER_GROUP]; ///< what these have of it
    uint32_t aimed[BSPI_OCCLUDER_GROUP];         ///< which eights they are
    bspi_occluder_recent before_sky;             ///< faces that stopped the light of suns
    bspi_occluder_first first;                   ///< what that of a sun may meet in a tile
} bspi_gather;

/// Returns the sums of a style, or NULL if there are too many (gather.c).
float (*bspi_gather_sums(bspi_gather *g, int style))[3];

/// Returns where the directions of light of a style stand in its sums.
static inline float (*bspi_gather_ways(const bspi_gather *g, float (*sums)[3]))[3] {
    return sums + (size_t)g->places->directions * g->places->count;
}

/// Puts the lit places into tiles, in memory that bspi_gather_untile frees (gather.c).
bool bspi_gather_tile(bspi_gather *g, bsp_error *error);
void bspi_gather_untile(bspi_gather *g);
/// Sets the box around the places of some eights.
void bspi_gather_box(const bspi_lamp_places *eights, uint32_t count, float middle[3],
                     float half[3]);

/// Can a lamp reach the face at all? (gather_sight.c)
bool bspi_gather_reaches(bspi_gather *g, const bspi_lamp *lamp);

/// Does a lamp light both sides of a surface?
static inline bool bspi_lamp_both(const bspi_lamp *lamp, const bspi_places *places) {
    return places->two_sided || lamp->bleeds;
}

/// Returns the cosine of the direction to a lamp at an axis.
float bspi_gather_cosine(const bspi_places *places, const bspi_lamp *lamp, const float axis[3],
                         const float direction[3]);
/// Returns what a point with the normal of a place has of a lamp that stands somewhere, but for the
/// angle; sets the direction to that.
float bspi_gather_strength(const bspi_gather *g, const bspi_lamp *lamp, uint32_t place,
                           const float point[3], float direction[3]);
/// Is it enough to count?
bool bspi_gather_counts(const bspi_gather *g, const bspi_lamp *lamp, uint32_t place, float strength,
                        const float direction[3]);

/// Quake 3: measures luxels at the edges of what `fresh` has of a lamp again, less of them where
/// the meter fails (drawn_samples.c).
void bspi_samples_refine(bspi_gather *g, const bspi_lamp *lamp);

/// Do shadows that switch part the light of a lamp?
static inline bool bspi_gather_switches(const bspi_gather *g, const bspi_lamp *lamp) {
    return lamp->switches && lamp->style == 0 && g->own->any_switches && g->own->occluders != NULL;
}

/// Does bspi_gather_even do a lamp?
bool bspi_gather_is_even(const bspi_gather *g, const bspi_lamp *lamp);
/// Adds what a lamp of that strength sends, eight places at a time (gather_eights.c).
void bspi_gather_even(bspi_gather *g, const bspi_lamp *lamp, float most, float (*sums)[3]);

/// Adds what a sky that shines from all sides gives (gather_sky.c).
bool bspi_gather_sky(bspi_gather *g, const bspi_lamp *lamp, bsp_error *error);

/// Makes luxels out of the sums: the mean of their places, in at most as many styles as a face may
/// have. `known` is scratch, one for each place (gather_luxels.c).
bool bspi_gather_luxels(bspi_gather *g, bsp_relight_face *face, bool *known, bsp_error *error);

/// Leaves of the sums, and of what is everywhere, what corners leave of each place (drawn_dirt.c).
void bspi_drawn_darken(const bspi_gather *g, const float *open);

#endif
