// SPDX-License-Identifier: MIT
// Where light is measured on a face.
#ifndef BSPI_BAKE_PLACES_H
#define BSPI_BAKE_PLACES_H

#include "bake/light/base/work.h"

/// Which of the lamps light is measured of.
typedef enum bspi_lamp_share {
    BSPI_LAMPS_ALL,  ///< every lamp
    BSPI_LAMPS_NEAR, ///< all but those that shine from all of the sky
    BSPI_LAMPS_SKY,  ///< these alone
} bspi_lamp_share;

/// Where light is measured on a face.
typedef struct bspi_places {
    float (*points)[3];  ///< in the world
    float (*normals)[3]; ///< unit vectors, but of round faces by the rules of ericw-tools
    bool *lit;           ///< false: in solid, or beside the face
    bool *moved;         ///< hlrad: beside the face, and moved to its edge; NULL: none is known
    float *near;         ///< how much of what is around is near, 0..1; NULL: not known
    struct bspi_face_near *kept; ///< of the face; NULL: not kept
    const float *corners;        ///< Quake 3: what they leave of all light; NULL: all. Borrowed
    float *open;                 ///< with `near`: what that leaves of most lamps' light
    uint32_t count;              ///< width * height * extra * extra
    uint32_t width;              ///< luxels, with the margin
    uint32_t height;
    uint32_t model;    ///< that the face is of
    uint32_t channels; ///< ericw: of lights that it is lit by, bits; 0: those of its model
    bool unlit;        ///< ericw: has the least light alone, as some models have
    uint32_t margin;   ///< luxels around those of the face that are measured too
    uint32_t extra;
    float normal[3];        ///< of the flat face
    float texture[2][3];    ///< axes of its texture
    bool hill;              ///< a displacement, or another surface that is not flat
    uint32_t step;          ///< bspi_light_scale; at most 1: all are measured
    bool two_sided;         ///< light at its back counts as that before it
    bool clean;             ///< it is not darker in corners
    bool once;              ///< places in solid take of what is right beside them, and no others do
    uint32_t seam;          ///< places without light that these take of, too (q3map2: -dark)
    uint32_t directions;    ///< 4 where a normal map is lit, else 1
    bspi_lamp_share share;  ///< of the lamps that count
    float area;             ///< square units of the flat face
    float middle[3];        ///< of a box around the points
    float half[3];          ///< of its sides
    float radius;           ///< of the sphere around it
    struct bspi_ways *ways; ///< where directions go; NULL: nowhere
    const uint8_t *row;     ///< clusters that the face sees; NULL: all. Borrowed
    float unit;             ///< Quake 3: units from a luxel to the next one,
    const struct bspi_drawn_flood *flood; ///< more light from everywhere, by its shader; or NULL
    float filter; ///< and within which its light is mixed, by its shader; 0: it is not
} bspi_places;

/// Finds the places of a face; memory is of the heap, freed by bspi_places_free. `count` is 0 for a
/// face without light.
bool bspi_places_find(bspi_relight *own, uint32_t face, uint32_t extra, bspi_places *out,
                      bsp_error *error);

/// The same for a face that has luxels of its own, and a margin of luxels around it (places.c).
bool bspi_places_luxels(bspi_relight *own, uint32_t face, uint32_t extra, uint32_t margin,
                        bspi_places *out, bsp_error *error);

/// The same at the luxels of a displacement themselves; where light is measured in cells the others
/// give the middles of its squares.
bool bspi_places_corners(bspi_relight *own, uint32_t face, bspi_places *out, bsp_error *error);

/// The same for a face whose luxels lie on a page (drawn_places.c).
bool bspi_drawn_places(bspi_relight *own, uint32_t face, uint32_t extra, bspi_places *out,
                       bsp_error *error);

/// Quake 3: is a face lit at its vertices? (vertex_places.c)
bool bspi_vertex_lit(const bspi_relight *own, uint32_t face);
/// Finds the places of those, as many as it has.
bool bspi_vertex_places(bspi_relight *own, uint32_t face, bspi_places *out, bsp_error *error);

/// Returns the channels of lights that places are lit by.
static inline uint32_t bspi_places_channels(const bspi_relight *own, const bspi_places *places) {
    return places->channels != 0 ? places->channels : own->models[places->model].channels;
}

/// May a face have light?
bool bspi_place_takes_light(const bspi_relight *own, uint32_t face);

/// Returns how many luxels the face has along an axis, without the margin.
static inline uint32_t bspi_places_width(const bspi_places *places) {
    return places->width - 2 * places->margin;
}
static inline uint32_t bspi_places_height(const bspi_places *places) {
    return places->height - 2 * places->margin;
}

/// Is a place one of those that are measured? The others take what is between them.
static inline bool bspi_place_counts(const bspi_places *places, uint32_t place) {
    uint32_t size[2] = {places->width * places->extra, places->height * places->extra};
    const uint32_t at[2] = {place % size[0], place / size[0]};
    bool counts = true;
    for (int i = 0; i < 2 && places->step > 1; i++) {
        uint32_t past = at[i] % places->step;
        counts = counts && (past == 0 || (at[i] == size[i] - 1 && past > 1));
    }
    return counts;
}

/// Gives places between those that were measured what these have, by distance. `known`: of places
/// that have light, more of them then (spread.c).
void bspi_places_spread(const bspi_places *places, bool *known, float (*sums)[3]);

/// Returns the place that comes so many after the first one where eight that follow each other are
/// near each other: up and down in strips of two rows.
static inline uint32_t bspi_place_in_strips(const bspi_places *places, uint32_t number) {
    uint32_t width = places->width * places->extra;
    uint32_t strip = number / (2 * width);
    uint32_t past = number % (2 * width);
    uint32_t rows = 2 * strip + 1 < places->height * places->extra ? 2 : 1;
    return (2 * strip + past % rows) * width + past / rows;
}

/// Sets the three directions of a normal map at a place, in the world.
void bspi_place_axes(const bspi_places *places, uint32_t place, float axes[3][3]);

void bspi_places_free(bspi_relight *own, bspi_places *places);

/// Is a place in solid or sky of the world? (place_solid.c)
bool bspi_place_in_world(bspi_relight *own, const float point[3]);
/// Is a place of a model in that, in the model itself, or in another one that casts shadows?
bool bspi_place_solid(bspi_relight *own, uint32_t model, const float point[3]);

#define BSPI_PLACE_TREES 8u

/// A part of a tree.
typedef struct bspi_place_tree {
    uint32_t model;
    int32_t node; ///< or leaf
    bool moved;   ///< by the origin of the model
} bspi_place_tree;

/// What may be solid near places of a face.
typedef struct bspi_place_cell {
    bool known;
    float middle[3]; ///< of the box that it is known of
    float half[3];   ///< of its sides
    uint32_t count;  ///< of the trees; more than BSPI_PLACE_TREES: not all are there
    bspi_place_tree trees[BSPI_PLACE_TREES];
} bspi_place_cell;

/// Sets a cell of which nothing is known, for a face with that normal.
void bspi_place_cell_begin(const float normal[3], bspi_place_cell *cell);

/// As bspi_place_solid; fast where places of one model that are near each other follow each other.
bool bspi_place_solid_near(bspi_relight *own, uint32_t model, const float point[3],
                           bspi_place_cell *cell);

#define BSPI_PLACES_BESIDE 7 // a place, and those beside it where it is in solid

/// Sets one of these.
static inline void bspi_place_beside(const float point[3], int number, float out[3]) {
    for (int i = 0; i < 3; i++) {
        float aside = number % 2 != 0 ? -2 : 2;
        out[i] = point[i] + (number != 0 && (number - 1) / 2 == i ? aside : 0);
    }
}

/// Sets the box and the sphere around places (places_room.c).
void bspi_places_enclose(bspi_places *places);

#endif
