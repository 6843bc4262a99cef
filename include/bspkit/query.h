// SPDX-License-Identifier: MIT
/// @file query.h
/// Questions about a map's space: leaves, contents, visibility, light, areas and traces. Every
/// answer is that of the map's own engine. A question is asked of a map that was loaded with its
/// tree, and with what else it is about: brushes for contents; surfaces for faces; entities,
/// surfaces and light for light. Without them nothing is found. Calls keep no state: any number of
/// threads may ask one map or one trace index.
#ifndef BSPKIT_QUERY_H
#define BSPKIT_QUERY_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- points and boxes ---------------------------------------------------------------------------

/// Returns the leaf of the world that holds a point, or BSP_NONE in a map without a tree (Respawn's
/// have none). A point on a node's plane counts as in front of it; in Quake and GoldSrc as behind
/// it (Mod_PointInLeaf).
BSP_API uint32_t bsp_query_leaf(const bsp_map *map, const float point[3]);

/// Returns the visibility cluster of a point. BSP_NONE means that the point is in solid, or that
/// the map has no clusters.
BSP_API uint32_t bsp_query_cluster(const bsp_map *map, const float point[3]);

/// Finds the leaves of a model's tree that a box touches, and writes the first `room` of them to
/// `leaves` (NULL if `room` is 0). Returns how many there are, which may be more than `room`.
/// Returns 0 for a model without a tree (Quake 3: all but the world). Nodes more than 1024 levels
/// deep are not looked into.
BSP_API uint32_t bsp_query_box_leaves(const bsp_map *map, uint32_t model, const float mins[3],
                                      const float maxs[3], uint32_t *leaves, uint32_t room);

/// Returns the contents at a point of a model's own space (model 0 is the world; subtract the
/// entity's origin for others), as the file's own flags. Quake, GoldSrc: the negative number of
/// hull 0. Quake 2: the flags of the leaf. Quake 3: the flags of all brushes that hold the point.
/// Source: both together. Titanfall, which has no tree: the flags of all brushes of the model that
/// hold the point; they are tested one after the other, so a trace index is faster for many points.
/// Returns 0 for a model that the map does not have, and for one without tree and brushes.
BSP_API int32_t bsp_query_contents(const bsp_map *map, uint32_t model, const float point[3]);

/// Returns the contents flag of that name ("solid", "playerclip"; any case) in a branch, or 0 if
/// the branch has none of that name.
BSP_API uint32_t bsp_query_flag(const bsp_branch *branch, bsp_text name);
/// Returns the name of one contents flag (one bit), or NULL if it has none. Static storage.
BSP_API const char *bsp_query_flag_name(const bsp_branch *branch, uint32_t flag);

// --- visibility ---------------------------------------------------------------------------------

/// Returns true if cluster `to` is set in a row that bsp_map_visible filled.
BSP_API bool bsp_query_row_sees(const bsp_map *map, const uint8_t *row, uint32_t to);

/// Finds the leaves that may be seen from a point, and writes the first `room` of them to `leaves`,
/// ascending. Returns how many there are, 0 from inside solid. `row` is scratch of
/// bsp_visibility.row_bytes bytes.
BSP_API uint32_t bsp_query_visible_leaves(const bsp_map *map, const float point[3], uint8_t *row,
                                          uint32_t *leaves, uint32_t room);

/// Marks the faces of those leaves: `faces` has (num_faces + 7) / 8 bytes, face n is bit n % 8 of
/// byte n / 8. A displacement, which no leaf lists, is in all leaves of the world that the box
/// around its vertices touches, as the engine has it. Returns how many are set.
BSP_API uint32_t bsp_query_visible_faces(const bsp_map *map, const float point[3], uint8_t *row,
                                         uint8_t *faces);

/// Floods areas through open portals. `open` has a byte for each portal key (num_keys of them; keys
/// beyond are closed), not 0 when that portal is open; `open` may be NULL: all are open. `flood`
/// receives for each area (num_areas) the number of its group: areas of one group are connected; 0
/// for area 0, which is not used. Returns how many groups there are.
BSP_API uint32_t bsp_query_areas(const bsp_map *map, const uint8_t *open, uint32_t num_keys,
                                 uint32_t *flood);

// --- light --------------------------------------------------------------------------------------

/// Where light at a point was taken from.
typedef enum bsp_light_source {
    BSP_LIGHT_NONE = 0,    ///< the map says nothing about the place
    BSP_LIGHT_GRID = 1,    ///< Quake 3: light grid
    BSP_LIGHT_CUBE = 2,    ///< Source: ambient cubes of the leaf
    BSP_LIGHT_SURFACE = 3, ///< Quake, GoldSrc, Quake 2: lightmap of the surface below
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

/// A map made ready for traces. Immutable: any number of threads may ask one at once. Borrows the
/// map, which must outlive it.
typedef struct bsp_trace_index bsp_trace_index;

/// How a trace index is built. All zero gives the defaults.
typedef struct bsp_trace_options {
    size_t size;                    ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator; ///< NULL: the C library's
    bsp_budget *budget;             ///< counts memory and work; NULL: the map's, or the defaults
    bool no_simd;                   ///< use the plain code even where the processor has AVX2
} bsp_trace_options;

/// Builds the index of a map that was loaded with its tree, brushes and surfaces. `options` may be
/// NULL. Returns NULL on failure: with BSP_E_ARGUMENT if one of these was not, without memory, with
/// BSP_E_UNSUPPORTED for games that keep no brushes (Apex Legends), and with BSP_E_LIMIT for a map
/// whose records share more than those of any compiler, or whose hull trees are too deep.
BSP_API bsp_trace_index *bsp_trace_index_new(const bsp_map *map, const bsp_trace_options *options,
                                             bsp_error *error);
/// Frees a trace index; the map stays. NULL is allowed and does nothing.
BSP_API void bsp_trace_index_free(bsp_trace_index *index);

/// Returns how many bytes of memory an index holds.
BSP_API size_t bsp_trace_index_size(const bsp_trace_index *index);

/// The value of bsp_trace_input.model that asks the world and the brush models of all entities that
/// are solid when the map begins, at their origins. In GoldSrc, Quake 2 and Source models are
/// turned by the angles of their entities, except for classes whose angles are a direction. The
/// moving box stays along the axes of a model that is turned, as it does in the engines.
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

/// What a trace hit. All members are set by bsp_trace.
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

/// Traces one segment or box, and sets `result` to the answer of the map's own engine. The moving
/// point stops 1/32 unit before a surface (Quake 3: 1/8).
///
/// Of several things that are hit at one place, Quake 2 and Quake 3 report the one that their tree
/// leads to first, and they hit nothing that no leaf on the way lists. The other games report the
/// one of lowest number: brushes, then displacements. Things that differ in nothing but their
/// number are reported by the lowest. A displacement stops a trace from its front only, and only if
/// its flags and contents say so. Titanfall: brushes alone stop traces; the triangle soups and
/// props that its grid lists do not.
BSP_API void bsp_trace(const bsp_trace_index *index, const bsp_trace_input *input,
                       bsp_trace_result *result);

/// Returns the name of the material of the side or face that was hit, borrowed from the map. The
/// name is empty if nothing was hit, and in Quake and GoldSrc, whose hulls have no materials.
BSP_API bsp_text bsp_trace_material(const bsp_map *map, const bsp_trace_result *result);

/// Traces `count` inputs, as bsp_trace does each: `results`, which has as many elements, receives
/// the same in the same order. Many inputs are faster in one call than one by one: they are sorted
/// by place, and from some thousands on divided among the threads of the index's budget, by default
/// one per processor (bsp_budget_set_threads). Nothing is allocated. `results` must not overlap
/// `inputs`; several threads may fill runs of their own.
BSP_API void bsp_trace_batch(const bsp_trace_index *index, const bsp_trace_input *inputs,
                             bsp_trace_result *results, size_t count);

/// Returns the leaf that holds a point, as bsp_query_leaf does, but faster: the index knows where
/// in the tree to begin.
BSP_API uint32_t bsp_trace_leaf(const bsp_trace_index *index, const float point[3]);

/// Returns the contents at a point of a model's own space, as bsp_query_contents does, but faster
/// in the world of maps with a tree: the index knows which parts of space have the same contents
/// everywhere, and the boxes of the brushes in the others.
BSP_API int32_t bsp_trace_contents(const bsp_trace_index *index, uint32_t model,
                                   const float point[3]);

#ifdef __cplusplus
}
#endif
#endif
