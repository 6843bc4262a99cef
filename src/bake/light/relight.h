// SPDX-License-Identifier: MIT
// Light under construction: what its steps share.
#ifndef BSPI_BAKE_RELIGHT_H
#define BSPI_BAKE_RELIGHT_H

#include "bspkit/faces.h"
#include "bspkit/query.h"
#include "bspkit/relight.h"
#include "core/memory.h"
#include "export/light.h"
#include "mesh/luxels.h"

#define BSPI_RELIGHT_STYLES 4u     // of a face, without extensions; always in Source
#define BSPI_RELIGHT_DIRECTIONS 4u // of a luxel: flat, and the three of a normal map

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
    float emits;     ///< the same for the cosine at the light itself; 0: shines to all sides
    float inner;     ///< spot: cosines of its cones
    float outer;     ///< -2: no spot
    float widens;    ///< spot of q3map2: units of its cone's radius for each of distance; 0: none
    bool cone_fades; ///< spot: falls with the cosine inside the cone too
    int style;
    bool dirty;                ///< is weaker in corners
    const float (*corners)[3]; ///< of a polygon that shines as a whole (then `light` is what it
                               ///< gives where it fills all that is seen), or NULL; in the arena
    uint32_t num_corners;
    bool two_sided;  ///< the polygon shines to its back as well
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
    float gate;                   ///< what is weaker counts nothing; 0: as the scale says
} bspi_lamp;

/// Numbers of a family's compiler.
typedef struct bspi_light_scale {
    float gain;       ///< sums are multiplied by it
    float gamma;      ///< and raised to it, of `full`; 0: they are not
    float full;       ///< that gives `full` again
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
    uint32_t extra; ///< places in a luxel along an axis
    uint32_t step;  ///< every so many-th place along an axis is measured
    uint32_t bounces;
    float bounce;   ///< what a surface throws back is multiplied by it
    float tint;     ///< ericw: share of the colour of its texture in that, the rest is grey
    bool styled;    ///< ericw: light of other styles than 0 is thrown back too
    float distance; ///< ericw: all distances are multiplied by it
    float surface;  ///< ericw: what a surface gives is multiplied by it
    float sky;      ///< ericw: the same of one of the sky
    bool cells;     ///< light is measured between luxels, and mixed in them (vrad; cells.h)
} bspi_light_scale;

/// Which of the lamps light is measured of.
typedef enum bspi_lamp_share {
    BSPI_LAMPS_ALL,  ///<
    BSPI_LAMPS_NEAR, ///< all but those that shine from all of the sky
    BSPI_LAMPS_SKY,  ///< these alone
} bspi_lamp_share;

/// A model of the map that has faces.
typedef struct bspi_lit_model {
    float origin[3]; ///< where an entity has it
    bool shades;     ///< casts shadows (not the world, which always does)
    float least[3];  ///< of sums on it, before the gain
} bspi_lit_model;

/// The colours of a material.
typedef struct bspi_color {
    float mean[3];     ///< of its texture, 0..1
    float reflects[3]; ///< share of light that is thrown back
} bspi_color;

/// A piece of a surface between which light is thrown.
typedef struct bspi_patch {
    float point[3]; ///< off the surface
    float normal[3];
    float area;        ///< square units
    float reflects[3]; ///< 0..1
    float thrown[3];   ///< of the last bounce, not thrown on yet, as sums have light
    float sent[3];     ///< thrown in all bounces
    float bounced[3];  ///< that falls on it after all bounces
    float lit[BSPI_RELIGHT_STYLES][3]; ///< what it throws back of the direct light of each style
    uint8_t styles[BSPI_RELIGHT_STYLES];
    uint32_t num_styles;
    uint32_t leaf;
} bspi_patch;

/// The patches of a face: columns x rows of them, each of `step` luxels.
typedef struct bspi_patch_grid {
    uint32_t columns;
    uint32_t rows;
    uint32_t *number; ///< of each cell, or BSP_NONE
} bspi_patch_grid;

/// Faces that are lit as if they were round (smooth.c).
typedef struct bspi_smooth {
    bool any;
    uint32_t *starts;    ///< of each face in the lists of corners; none of one that is flat
    float (*normals)[3]; ///< at corners
    uint32_t *across;    ///< face beyond the edge that begins at a corner, or BSP_NONE
} bspi_smooth;

typedef struct bspi_relight {
    bsp_relight relight; ///< the public struct first
    bspi_heap heap;
    bspi_arena arena;
    const bsp_map *map;
    const bsp_file *file;
    const bsp_relight_options *options;
    bsp_trace_index *index;
    bspi_targets targets;         ///< of the entities whose lights are taken
    bspi_light_source source;     ///< luxels of the map: their extents
    bspi_luxel_format own_format; ///< of the light lump
    bspi_light_scale scale;
    bspi_lamp *lamps;
    uint32_t num_lamps;
    size_t room;       ///< of `lamps`
    bspi_lamp *takers; ///< ericw: lamps that take light away, after the minimum
    uint32_t num_takers;
    bspi_lit_model *models;
    bool any_shades;         ///< some models besides the world cast shadows
    uint32_t *face_models;   ///< model of each face
    bsp_relight_face *faces; ///< of `relight`
    bspi_color *colors;      ///< of materials; NULL until they are found
    bspi_patch *patches;
    uint32_t num_patches;
    bspi_patch_grid *grids;         ///< one for each face; NULL without bounces
    uint32_t patch_step;            ///< luxels along an edge of a patch
    uint32_t share;                 ///< of the faces that are to be lit: the first one
    uint32_t num_shares;            ///< and how far each is from the next
    uint32_t *first_corners;        ///< scale.cells: of each face, among the corners of all
    uint32_t *first_faces;          ///< the same: of each vertex, in `vertex_faces`, and their end
    uint32_t *vertex_faces;         ///< faces at the vertices
    float (*sky_ways)[3];           ///< directions in which the sky is looked for
    struct bspi_prop_lights *props; ///< Source: of static props; NULL: none
    uint8_t *region_row;            ///< with `kept`: clusters that may see the region
    bool *kept;                     ///< faces that keep the light of the map; NULL: none
    uint32_t num_sky_ways;
    uint32_t *cluster_starts; ///< ericw: where the clusters of each face begin; NULL: not heeded
    uint32_t *clusters;       ///< that the faces of the world are in
    bspi_smooth smooth;
    float (*glow)[3];         ///< hlrad: what faces that give light show themselves; NULL: none
    bool liquids;             ///< hlrad: some leaves of the world are liquids, at which lines end
    uint8_t *cubes;           ///< Source: records of ambient samples; NULL: none
    size_t cube_bytes;        ///< theirs
    bsp_table_id cube_table;  ///< that they are of
    struct bspi_drawn *drawn; ///< Quake 3; else NULL
    uint32_t most_styles;     ///< of a face
    atomic_uint_fast64_t rays;
    atomic_uint dropped;
} bspi_relight;

/// Where light is measured on a face.
typedef struct bspi_places {
    float (*points)[3];  ///< in the world
    float (*normals)[3]; ///< unit vectors
    bool *lit;           ///< false: in solid, or beside the face
    float *near;         ///< how much of what is around is near, 0..1; NULL: not known
    uint32_t count;      ///< width * height * extra * extra
    uint32_t width;      ///< luxels
    uint32_t height;
    uint32_t extra;
    float normal[3];       ///< of the flat face
    float texture[2][3];   ///< axes of its texture
    bool hill;             ///< a displacement, or another surface that is not flat
    uint32_t step;         ///< bspi_light_scale; at most 1: all are measured
    bool two_sided;        ///< light at its back counts as that before it
    bool once;             ///< places in solid take of what is right beside them, and no others do
    uint32_t directions;   ///< 4 where a normal map is lit, else 1
    bspi_lamp_share share; ///< of the lamps that count
    float area;            ///< square units of the flat face
    float middle[3];       ///< of a sphere around the points
    float radius;
    const uint8_t *row; ///< clusters that the face sees; NULL: all. Borrowed
} bspi_places;

/// Adds a lamp.
bool bspi_lamp_add(bspi_relight *own, const bspi_lamp *lamp, bsp_error *error); // lamp.c
/// Adds a sun, or as `count` weaker ones spread evenly within `radius` degrees around it.
bool bspi_lamp_add_sun(bspi_relight *own, const bspi_lamp *sun, float radius, uint32_t count,
                       bsp_error *error);
/// Finds the lamps of a map, and the numbers of its compiler.
bool bspi_lamps_find(bspi_relight *own, bsp_error *error);
/// By the rules of each compiler.
bool bspi_lamps_ericw(bspi_relight *own, bsp_error *error);
bool bspi_lamps_hlrad(bspi_relight *own, bsp_error *error);
bool bspi_lamps_vrad(bspi_relight *own, bsp_error *error);
bool bspi_lamps_id(bspi_relight *own, bsp_error *error);
/// Quake 2: adds the surfaces that give light.
bool bspi_lamps_surfaces(bspi_relight *own, bsp_error *error);

/// Finds what lamps that stand somewhere may see (lamps.c).
bool bspi_lamps_see(bspi_relight *own, bsp_error *error);
/// Finds the colours of materials, unless that is done (colors.c).
bool bspi_colors_find(bspi_relight *own, bsp_error *error);
/// Adds a lamp for each piece of a face, none longer than `chop` units (0: one piece), which gives
/// `light` for each square unit (emitters.c).
bool bspi_emitters_add(bspi_relight *own, uint32_t face, float chop, const bspi_lamp *lamp,
                       bsp_error *error);

/// Adds a copy of a lamp before each piece of a face, `lift` units off it; pieces are cut at
/// multiples of the chop (emitter_copies.c).
bool bspi_emitters_copy(bspi_relight *own, uint32_t face, float chop, float lift,
                        const bspi_lamp *lamp, bsp_error *error);
/// Sets where a lamp stands that stands for a face: a unit off the mean of the corners that are no
/// mere points of an edge; and the normal. False for a face that has no area.
bool bspi_face_middle(const bspi_relight *own, uint32_t face, float point[3], float normal[3]);

/// Returns the area of a face in square units, 0 for one with very many corners.
float bspi_face_area(const bspi_relight *own, uint32_t face);
/// Returns the area of a flat polygon in square units.
float bspi_corners_area(const bsp_surface_corner *corners, uint32_t count);

/// Returns what reaches a place of a lamp that stands somewhere, but for the cosine at the surface
/// and for what stands between; sets the unit vector towards the lamp and the distance.
float bspi_lamp_at(const bspi_lamp *lamp, const float point[3], float direction[3],
                   float *distance); // lamp.c
/// Returns what is left of that by the cosine of the direction on the surface.
static inline float bspi_lamp_angle(const bspi_lamp *lamp, float cosine) {
    return cosine > 0 ? 1 - lamp->angle + lamp->angle * cosine : 0;
}

/// Finds the places of a face; memory is of the heap, freed by bspi_places_free. `count` is 0 for a
/// face without light.
bool bspi_places_find(bspi_relight *own, uint32_t face, uint32_t extra, bspi_places *out,
                      bsp_error *error);
/// The same for a face that has luxels of its own (places.c).
bool bspi_places_luxels(bspi_relight *own, uint32_t face, uint32_t extra, bspi_places *out,
                        bsp_error *error);
/// May a face have light?
bool bspi_place_takes_light(const bspi_relight *own, uint32_t face);
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
/// Returns what corners leave of a lamp's light at a place (dirt.c); `lamp` NULL: of any light.
float bspi_place_open(const bspi_relight *own, const bspi_places *places, uint32_t place,
                      const bspi_lamp *lamp);
/// Finds how much is near each place (dirt.c).
bool bspi_places_dirt(bspi_relight *own, bspi_places *places, bsp_error *error);
/// Sets the three directions of a normal map at a place, in the world.
void bspi_place_axes(const bspi_places *places, uint32_t place, float axes[3][3]);
void bspi_places_free(bspi_relight *own, bspi_places *places);
/// Is a point of a model's world place in solid or sky?
bool bspi_place_solid(const bspi_relight *own, uint32_t model, const float point[3]);

/// Finds the directions in which the sky is looked for (sky_ways.c).
bool bspi_sky_ways_find(bspi_relight *own, bsp_error *error);
/// Sets the direction `number` that vrad draws from the sphere.
void bspi_halton_direction(uint32_t number, float out[3]);
/// Sets `seen` for lines: nothing that casts shadows stands between; and in `through`, unless that
/// is NULL, what comes of light through what lets some of it pass, 0..1.
void bspi_shadow_lines(bspi_relight *own, const bsp_sight_line *lines, bool *seen,
                       float (*through)[3], uint32_t count);
/// Is the sky open from a point in a direction? Sets what comes of its light; NULL: not wanted.
bool bspi_shadow_sky(bspi_relight *own, const float point[3], const float direction[3],
                     float through[3]);

/// Returns how far a line goes before something solid, at most `reach` units; the sky is free.
float bspi_shadow_distance(bspi_relight *own, const float point[3], const float direction[3],
                           float reach);

/// Writes the direct light of the share of faces that was lit, as a file (light_part.c).
bool bspi_light_part_write(bspi_relight *own, bsp_blob *blob, bsp_error *error);
/// Reads the direct light of all faces out of such files.
bool bspi_light_parts_take(bspi_relight *own, const bsp_bytes *parts, uint32_t count,
                           bsp_error *error);
/// Sets the sphere around places.
void bspi_places_enclose(bspi_places *places);

/// Makes the direct light at places; luxels are in the heap, four styles of them.
bool bspi_direct_at(bspi_relight *own, bspi_places *places, bsp_relight_face *out,
                    bsp_error *error);
/// Makes the direct light of a face.
bool bspi_direct_face(bspi_relight *own, uint32_t face, bsp_error *error);
/// The same as bspi_direct_at, of other lamps.
bool bspi_gather_at(bspi_relight *own, bspi_places *places, const bspi_lamp *lamps,
                    uint32_t num_lamps, bsp_relight_face *out, bsp_error *error);
/// Finds the clusters that the faces of the world are in (face_rows.c).
bool bspi_face_clusters_find(bspi_relight *own, bsp_error *error);
/// Sets `row` to what any cluster of a face sees, of bsp_visibility.row_bytes in the heap; NULL
/// where that is not heeded.
bool bspi_face_row(bspi_relight *own, uint32_t face, uint8_t **row, bsp_error *error);
/// Sets the clusters of a lamp that stands for a face.
void bspi_face_lamp_sees(const bspi_relight *own, uint32_t face, bspi_lamp *lamp);
/// Throws light from face to face as ericw-tools does, and adds it (bounce_faces.c).
bool bspi_bounce_faces(bspi_relight *own, bsp_error *error);
/// Cuts the lit faces into patches.
bool bspi_patches_make(bspi_relight *own, bsp_error *error);
/// Makes patches, throws light between them, and adds it to the faces.
bool bspi_bounce(bspi_relight *own, bsp_error *error);
/// Makes the brightest channel at most the cap, and keeps the hue.
void bspi_luxel_cap(const bspi_light_scale *scale, float luxel[3]); // finish.c
/// Finds the least light of models (minima.c).
bool bspi_minima_find(bspi_relight *own, bsp_error *error);
/// Sets the least of the sums of a face.
void bspi_face_least(const bspi_relight *own, uint32_t face, float out[3]);
/// Turns sums into what the file has, with the minimum of the scale.
void bspi_finish_face(const bspi_relight *own, bsp_relight_face *face);
/// The same of a face of the map, with its own minimum.
bool bspi_finish_number(bspi_relight *own, uint32_t face, bsp_error *error);

/// Writes a luxel in a form of a file; `rgb` as bsp_relight_face has it. The inverse of
/// bspi_luxel_decode, but for RGB556.
void bspi_luxel_encode(bspi_luxel_format format, const float rgb[3], uint8_t *out);

#endif
