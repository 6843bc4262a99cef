// SPDX-License-Identifier: MIT
// Light under construction: what its steps share.
#ifndef BSPI_BAKE_WORK_H
#define BSPI_BAKE_WORK_H

#include "bake/light/base/effort.h"
#include "bake/light/base/scale.h"
#include "bspkit/faces.h"
#include "bspkit/query.h"
#include "bspkit/relight.h"
#include "core/memory.h"
#include "export/light.h"
#include "mesh/luxels.h"

#define BSPI_RELIGHT_STYLES 4u     // of a face, without extensions; always in Source
#define BSPI_RELIGHT_DIRECTIONS 4u // of a luxel: flat, and the three of a normal map
#define BSPI_CHANNEL 1u            // ericw: of lights and models that name none

/// Whom a model shades that casts shadows.
typedef enum bspi_shades {
    BSPI_SHADES_ALL,    ///< everything
    BSPI_SHADES_WORLD,  ///< no other models
    BSPI_SHADES_ITSELF, ///< its own faces
    BSPI_SHADES_STYLE,  ///< models whose shadows switch with its own
    BSPI_SHADES_OTHERS, ///< vrad: everything but itself
} bspi_shades;

/// A model of the map that has faces.
typedef struct bspi_lit_model {
    const bsp_entity *entity; ///< the first one that shows it; NULL for the world
    float origin[3];          ///< where an entity has it
    bool shades;              ///< casts shadows (not the world, which always does)
    bspi_shades only;         ///< ericw: whom it shades, if it does or this is not ALL
    int style;                ///< ericw: of light that its shadow, which switches, is in; 0: none
    float opacity;            ///< ericw: of its faces, 0..1; NAN: not said
    uint32_t channels;        ///< ericw: of the lights that it is lit by, and stops; bits
    bool unlit;               ///< ericw: has the least light alone
    bool unshaded;            ///< q3map2: no shadows fall on it
    float base[3];            ///< q3map2: that is added to sums on it
    bool both;                ///< ericw: is lit from both sides
    bool absorbs;             ///< ericw: throws no light back
    bool clean;               ///< ericw: is not darker in corners
    float most;               ///< ericw: of sums on it, before the gain; 0: as bspi_light_scale
    float pale;               ///< ericw: share of the colour of its light that turns to grey
    float least[3];           ///< of sums on it, before the gain
    float middle[3];          ///< the place whose light its luxels in solid take (ericw)
    const struct bspi_model_light *inside; ///< ericw: what its luxels in solid take; NULL: none
} bspi_lit_model;

/// The colours of a material.
typedef struct bspi_color {
    float mean[3];     ///< of its texture, 0..1
    float reflects[3]; ///< share of light that is thrown back
    bool plain;        ///< both are a guess: its texture was not found
} bspi_color;

/// How much is near the luxels of a face, 0..1.
typedef struct bspi_face_near {
    float *list;    ///< in the heap; NULL: not known
    uint32_t count; ///< luxels
} bspi_face_near;

/// Where the luxels of a face take light of patches (spots.c).
typedef struct bspi_face_spots {
    struct bspi_luxel_spot *list; ///< in the heap; NULL: not known
    uint32_t count;               ///< luxels
} bspi_face_spots;

/// Faces that are lit as if they were round (smooth.c).
typedef struct bspi_smooth {
    bool any;
    bool stored;         ///< the map has the normals at corners
    bool *round;         ///< faces that are not flat
    uint32_t *starts;    ///< of each face in the lists of corners; NULL: no edges are known
    float (*normals)[3]; ///< at corners
    uint32_t *across;    ///< face beyond the edge that begins at a corner, or BSP_NONE
} bspi_smooth;

/// All that is made, and what it is made of. What a step makes stands in a member of its own, and
/// is only read by later ones.
typedef struct bspi_relight {
    bsp_relight relight; ///< the public struct first
    bspi_heap heap;
    bspi_arena arena;

    // What light is made of.
    const bsp_map *map;
    const bsp_file *file;
    const bsp_relight_options *options;
    bsp_trace_index *index;
    bspi_light_scale scale;
    const bspi_effort *effort;
    uint32_t share;      ///< of the faces that are to be lit: the first one
    uint32_t num_shares; ///< and how far each is from the next
    uint8_t *region_row; ///< with `kept`: clusters that may see the region
    uint8_t *region_far; ///< Source, likewise: and those that may see faces made anew
    bool *kept;          ///< faces that keep the light of the map; NULL: none
    bool *beside;        ///< Source, with `kept`: faces whose cells are mixed into luxels made anew

    // The luxels of the file.
    bspi_light_source source;     ///< of the map: their extents
    bspi_luxel_format own_format; ///< of the light lump
    uint32_t most_styles;         ///< of a face

    // What gives light.
    bspi_targets targets; ///< of the entities whose lights are taken
    bsp_text texlights; ///< hlrad: the options' lines of a lights.rad, or as the map's light tells
    struct bspi_lamp *lamps;
    uint32_t num_lamps;
    size_t lamps_room;
    struct bspi_lamp *takers; ///< ericw: lamps that take light away, after the minimum
    uint32_t num_takers;
    struct bspi_lamp *thrown; ///< ericw: what faces throw back, as lamps, for a light grid
    uint32_t num_thrown;
    size_t thrown_room;
    float (*sky_ways)[3]; ///< directions in which the sky is looked for
    uint32_t num_sky_ways;
    float (*glow)[3]; ///< hlrad: what faces that give light show themselves; NULL: none
    struct bspi_style_names *style_names; ///< of entities

    // Models and surfaces.
    bspi_lit_model *models;
    uint32_t *face_models; ///< model of each face
    uint32_t *shading;     ///< models besides the world that cast shadows
    uint32_t num_shading;
    bool any_switches;                      ///< some have shadows that switch
    struct bspi_surface_keys *surface_keys; ///< ericw: of each texinfo; NULL: not known
    struct bspi_surface_keys *model_keys;   ///< ericw: then those of each model; NULL: none
    bool foreign_surfaces;                  ///< those that were given are of another map
    bspi_color *colors;                     ///< of materials; NULL until they are found
    bspi_smooth smooth;
    const float *round; ///< ericw: degrees of planes that faces of the world of each texinfo are
                        ///< round with, where no key says any; NULL: none are
    uint32_t *cluster_starts; ///< ericw: where the clusters of each face begin; NULL: not heeded
    uint32_t *clusters;       ///< that the faces of the world are in
    bool liquids;             ///< hlrad: some leaves of the world are liquids, at which lines end
    struct bspi_drawn *drawn; ///< Quake 3; else NULL

    // What stands between lamps and places.
    const struct bspi_occluders *occluders; ///< ericw: faces that cast shadows; else NULL
    const struct bspi_shafts *shafts;       ///< Quake, GoldSrc without occluders; else NULL
    struct bspi_sky_rooms *sky_rooms;       ///< Source: seen in the place of the sky; NULL: none
    bspi_face_near *near;   ///< ericw: of each face, once it was found; NULL: without corners
    bspi_face_spots *spots; ///< hlrad: of each face, once it was lit; NULL: none are kept

    // Where light is measured between luxels (scale.cells), and thrown back.
    uint32_t *first_corners; ///< of each face, among the corners of all
    uint32_t *first_faces;   ///< of each vertex, in `vertex_faces`, and their end
    uint32_t *vertex_faces;  ///< faces at the vertices
    struct bspi_patch *patches;
    uint32_t num_patches;
    struct bspi_patch_grid *grids; ///< one for each face; NULL without bounces
    uint32_t patch_step;           ///< luxels along an edge of a patch
    struct bspi_vrad *vrad;        ///< Source: pieces between which light is thrown; NULL: none

    // What is made.
    bsp_relight_face *faces; ///< of `relight`
    struct bspi_ways *ways;  ///< from where light comes, of each face (ways.h); NULL: not made
    int ways_frame;          ///< a bspi_ways_frame
    bsp_blob octree;         ///< LIGHTGRID_OCTREE; empty: none
    bsp_blob grid_sides;     ///< LIGHTGRIDS; empty: none
    uint8_t *cubes;          ///< Source: records of ambient samples; NULL: none
    size_t cube_bytes;       ///< theirs
    bsp_table_id cube_table; ///< that they are of
    struct bspi_prop_lights *props; ///< Source: of static props; NULL: none
    const bsp_world_light *listed;  ///< Source: in the place of the map's list; NULL: it stays
    uint32_t num_listed;            ///< of these
    bool lists_high;                ///< that list is the one of HDR
    atomic_uint_fast64_t rays;      ///< lines that were looked along
    atomic_uint dropped;            ///< styles that faces have no room for
} bspi_relight;

/// Does a face keep the light that it has?
static inline bool bspi_region_keeps(const bspi_relight *own, uint32_t face) {
    return own->kept != NULL && own->kept[face];
}

/// Returns the number of a style in a face, or BSP_NONE.
static inline uint32_t bspi_face_style(const bsp_relight_face *face, int style) {
    uint32_t i = 0;
    while (i < face->num_styles && face->styles[i] != style) {
        i++;
    }
    return i < face->num_styles ? i : BSP_NONE;
}

/// Notes that light of a style went so often from surface to surface.
static inline void bspi_count_bounce(bspi_relight *own, uint32_t bounces) {
    uint32_t *most = &own->relight.num_bounces;
    *most = bounces > *most ? bounces : *most;
}

/// Finds the colours of materials, unless that is done (colors.c).
bool bspi_colors_find(bspi_relight *own, bsp_error *error);

/// Writes the direct light of the share of faces that was lit, as a file (light_part.c).
bool bspi_light_part_write(bspi_relight *own, bsp_blob *blob, bsp_error *error);

/// Reads the direct light of all faces out of such files.
bool bspi_light_parts_take(bspi_relight *own, const bsp_bytes *parts, uint32_t count,
                           bsp_error *error);

/// Writes a luxel in a form of a file; `rgb` as bsp_relight_face has it. The inverse of
/// bspi_luxel_decode, but for RGB556.
void bspi_luxel_encode(bspi_luxel_format format, const float rgb[3], uint8_t *out);
/// Makes of a luxel what is read of it once it was written: bytes have whole steps alone, and weak
/// channels beside a strong one few in RGBExp32.
void bspi_luxel_as_stored(bspi_luxel_format format, float rgb[3]);

#endif
