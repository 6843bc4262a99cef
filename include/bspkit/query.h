// SPDX-License-Identifier: MIT
/// @file query.h
/// Questions about a map's space: leaves, contents, visibility, light, areas and traces. Every
/// answer is the one that the map's own engine gives. Calls keep no state: any number of threads
/// may ask one map or one trace index.
#ifndef BSPKIT_QUERY_H
#define BSPKIT_QUERY_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- points and boxes ---------------------------------------------------------------------------

/// The leaf of the world that holds a point, or BSP_NONE in a map without a tree (Respawn's have
/// none). A point on a
/// node's plane is in front of it; in Quake and GoldSrc behind it (Mod_PointInLeaf).
BSP_API uint32_t bsp_query_leaf(const bsp_map *map, const float point[3]);

/// The visibility cluster of a point, or BSP_NONE: in solid, or the map has none.
BSP_API uint32_t bsp_query_cluster(const bsp_map *map, const float point[3]);

/// The leaves of a model's tree that a box touches, into `leaves`, which has `room` elements. The
/// result is how many there are, which may be more than `room`. Models without a tree of their own
/// (Quake 3) have none. Nodes more than 1024 levels deep are not looked into.
BSP_API uint32_t bsp_query_box_leaves(const bsp_map *map, uint32_t model, const float mins[3],
                                      const float maxs[3], uint32_t *leaves, uint32_t room);

/// The contents at a point of a model's own space (0 is the world; subtract the entity's origin for
/// others), in the file's own flags. Quake, GoldSrc: the negative number of hull 0. Quake 2: the
/// leaf's flags. Quake 3: the flags of all brushes that hold the point. Source: both together.
/// Titanfall, which has no tree: of all brushes of the model; one after the other, so a trace index
/// is faster for many points. Behind the map's end, or without tree and brushes: 0.
BSP_API int32_t bsp_query_contents(const bsp_map *map, uint32_t model, const float point[3]);

/// The contents flag of that name ("solid", "playerclip"; any case) in a branch, or 0.
BSP_API uint32_t bsp_query_flag(const bsp_branch *branch, bsp_text name);
/// The name of one contents flag, or NULL. Static storage.
BSP_API const char *bsp_query_flag_name(const bsp_branch *branch, uint32_t flag);

// --- visibility ---------------------------------------------------------------------------------

/// True if cluster `to` is set in a row that bsp_map_visible filled.
BSP_API bool bsp_query_row_sees(const bsp_map *map, const uint8_t *row, uint32_t to);

/// The leaves that may be seen from a point, ascending, into `leaves` (`room` elements); returns
/// how many there are. `row` is scratch of row_bytes bytes. From inside solid: none.
BSP_API uint32_t bsp_query_visible_leaves(const bsp_map *map, const float point[3], uint8_t *row,
                                          uint32_t *leaves, uint32_t room);

/// Marks the faces of those leaves: `faces` has (num_faces + 7) / 8 bytes, face n is bit n % 8 of
/// byte n / 8. A displacement, which no leaf lists, is in all leaves of the world that the box
/// around its vertices touches, as the engine has it. Returns how many are set.
BSP_API uint32_t bsp_query_visible_faces(const bsp_map *map, const float point[3], uint8_t *row,
                                         uint8_t *faces);

/// Floods areas through open portals. `open` has a byte for each portal key (num_keys of them; keys
/// beyond are closed), not 0 when that portal is open; NULL: all are open. `flood` receives for
/// each area (num_areas) the number of its group: areas of one group are connected; 0 for area 0,
/// which is not used. Returns how many groups there are.
BSP_API uint32_t bsp_query_areas(const bsp_map *map, const uint8_t *open, uint32_t num_keys,
                                 uint32_t *flood);

// --- light --------------------------------------------------------------------------------------

/// Where light at a point was taken from.
typedef enum bsp_light_source {
    BSP_LIGHT_NONE,    ///< the map says nothing about the place
    BSP_LIGHT_GRID,    ///< Quake 3: light grid
    BSP_LIGHT_CUBE,    ///< Source: ambient cubes of the leaf
    BSP_LIGHT_SURFACE, ///< Quake, GoldSrc, Quake 2: lightmap of the surface below
} bsp_light_source;

/// Light at a point. Colours are linear factors of the file's own scale: 1 is a byte of 255.
typedef struct bsp_light {
    bsp_light_source source; ///< which of the members below are set
    float ambient[3];        ///< from all sides; CUBE: the mean; SURFACE: the light of the surface
    float directed[3];       ///< GRID: from one side
    float direction[3];      ///< GRID: unit vector towards that light
    float cube[6][3];        ///< CUBE: towards +X, -X, +Y, -Y, +Z, -Z
    uint32_t face;           ///< SURFACE: the face, else BSP_NONE
} bsp_light;

/// Returns the light at a point. `file` is the file that the map was loaded from, or NULL: from it
/// come the .lit file beside a Quake map and the BSPX lumps that replace or refine the light lump,
/// as bsp_lightmap_build takes them. Styles other than 0 are left out (Quake 3 grids: style 0
/// only). A surface below without light is an answer too, black: only skies, liquids and surfaces
/// that never have light are looked through, as the engines do.
BSP_API bsp_light bsp_query_light(const bsp_map *map, const bsp_file *file, const float point[3]);

// --- traces -------------------------------------------------------------------------------------

/// What traces are answered from: built once from a map, immutable. Borrows the map.
typedef struct bsp_trace_index bsp_trace_index;

/// How a trace index is built. All zero gives the defaults.
typedef struct bsp_trace_options {
    const bsp_allocator *allocator; ///< NULL: the C library's
    bsp_budget *budget;             ///< who pays; NULL: the one of the map, or the default limits
    bool no_simd;                   ///< use the plain code even where the processor has AVX2
} bsp_trace_options;

/// Builds the index of a map that was loaded with its tree, brushes and surfaces. `options` may be
/// NULL. NULL on failure: memory, BSP_E_UNSUPPORTED for games that keep no brushes (Apex Legends),
/// BSP_E_LIMIT for maps whose records share more than any
/// compiler's do, or hull trees that are too deep.
BSP_API bsp_trace_index *bsp_trace_index_new(const bsp_map *map, const bsp_trace_options *options,
                                             bsp_error *error);
/// Frees a trace index; the map stays. NULL is allowed and does nothing.
BSP_API void bsp_trace_index_free(bsp_trace_index *index);

/// Bytes of memory that an index holds.
BSP_API size_t bsp_trace_index_size(const bsp_trace_index *index);

/// As `model`: the world and the brush models of all entities that are solid when the map begins,
/// at their origins. GoldSrc, Quake 2, Source: turned by their angles, except for classes to which
/// angles are a direction. The box that moves stays along the axes of a model that is turned, as it
/// does in the engines.
#define BSP_TRACE_ALL BSP_NONE

/// A segment, or a box that moves along it. All zero means: a point, against the solid world.
typedef struct bsp_trace_input {
    float start[3]; ///< game units
    float end[3];   ///< game units
    float mins[3];  ///< the box around the moving point; both zero: a point
    float maxs[3];
    uint32_t mask;  ///< contents that stop it; 0: solid (1). Quake, GoldSrc: always solid
    uint32_t model; ///< 0 the world, n a brush model in its own space, or BSP_TRACE_ALL
    uint32_t hull; ///< Quake, GoldSrc: 0: by the box's size, as the engine does; n + 1: hull n, and
                   ///< the segment is that of the hull's own origin
} bsp_trace_input;

/// What a trace met. All members are set by bsp_trace.
typedef struct bsp_trace_result {
    float fraction;   ///< of the way that is free: 1 if nothing was hit
    float end[3];     ///< where the moving point stops
    float normal[3];  ///< of the plane that was hit; zero if none was
    float dist;       ///< of that plane in the world; Quake 3 patches: as it is moved for the box
    int32_t contents; ///< of what was hit, or has all of the trace in it (Quake 2: only if it does
                      ///< not move); Source, Titanfall: or what it starts in. 0 if nothing;
                      ///< Quake, GoldSrc: -2
    uint32_t surface_flags; ///< of the side or patch that was hit
    uint32_t plane;  ///< index of the map's planes that was hit (it may look the other way in Quake
                     ///< and GoldSrc), or BSP_NONE: none, or one of a patch or displacement
    uint32_t brush;  ///< brush, or BSP_NONE
    uint32_t side;   ///< its side that was hit, an index of brush_sides, or BSP_NONE
    uint32_t face;   ///< Quake 3 patch, or face of a displacement, or BSP_NONE
    uint32_t entity; ///< BSP_TRACE_ALL: entity that was hit, or BSP_NONE: the world
    bool start_solid; ///< the start is in something solid
    bool all_solid;   ///< and the whole way is
    /// Source (fractionleftsolid): the fraction at which a trace that starts in solid is out of it,
    /// 1 if it never is; what it meets before does not stop it. Else 0.
    float left_solid;
} bsp_trace_result;

/// Traces one segment or box. The answer is the engine's: it stops 1/32 unit before a surface
/// (Quake 3: 1/8). Quake 2 and 3 keep the first of several things met at one place that their tree
/// leads to, and do not meet what no leaf on the way lists: so does this; where all of several
/// would be told of alike, `brush` is the one of lowest number. Other games: of several things hit
/// at one place, the one of lowest number counts: brushes, then displacements. A displacement is
/// met from its front, and only by what its flags and contents stop. Titanfall: brushes only; the
/// triangle soups and props that its grid lists beside them are not met.
BSP_API void bsp_trace(const bsp_trace_index *index, const bsp_trace_input *input,
                       bsp_trace_result *result);

/// The name of the material of the side or face that was hit, borrowed from the map; empty if there
/// is none (Quake and GoldSrc have hulls of no material).
BSP_API bsp_text bsp_trace_material(const bsp_map *map, const bsp_trace_result *result);

/// The same for `count` of them.
BSP_API void bsp_trace_batch(const bsp_trace_index *index, const bsp_trace_input *inputs,
                             bsp_trace_result *results, size_t count);

/// bsp_query_leaf by way of the index, which knows where in the tree to begin: the same answer,
/// faster.
BSP_API uint32_t bsp_trace_leaf(const bsp_trace_index *index, const float point[3]);

#ifdef __cplusplus
}
#endif
#endif
