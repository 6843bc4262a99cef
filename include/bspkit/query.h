// SPDX-License-Identifier: MIT
/// @file query.h
/// Questions about a map's space: leaves, contents, visibility, light, areas and traces. Every
/// answer is that of the map's own engine. A question is asked of a map that was loaded with its
/// tree, and with what else it is about: brushes for contents; surfaces for faces; entities,
/// surfaces and light for light. Without them nothing is found. Any number of threads may ask one
/// map or one trace index. After a thousand questions about leaves or contents a loaded map makes a
/// copy of its trees and brushes, in its own memory and under its limits, which answers the same
/// sooner; where there is no room for it, nothing changes. A program that replaces arrays of the
/// map is answered from these.
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

/// Returns the name of one flag of leaves: "sky" (the 3D sky may be seen from there), "radial" or
/// "sky2d", or NULL if it has none, as in all games but Source. Static storage.
BSP_API const char *bsp_query_leaf_flag_name(const bsp_branch *branch, uint32_t flag);

// --- visibility ---------------------------------------------------------------------------------

/// Returns true if cluster `to` is set in a row that bsp_map_visible filled. False for BSP_NONE and
/// numbers that the map does not have; true for the others in a map without visibility.
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

/// A way from one area to another that something in the game opens and shuts.
typedef struct bsp_area_link {
    uint32_t key;          ///< number of its portal (bsp_area_portal.key); Quake 3: of `entity`
    uint32_t areas[2];     ///< that it connects
    uint32_t portal;       ///< the first of its area_portals, or BSP_NONE: Quake 3 has none
    uint32_t entity;       ///< the area portal's entity, Quake 3: the door; or BSP_NONE
    bool open;             ///< when the map begins
    uint32_t first_opener; ///< run of bsp_area_links.openers: entities that open or shut it
    uint32_t num_openers;
} bsp_area_link;

/// The ways between the areas of a map.
typedef struct bsp_area_links {
    const bsp_area_link *list; ///< in the order in which areas list them; Quake 3: of entities
    uint32_t count;
    const uint32_t *openers; ///< entities
    uint32_t num_openers;
    uint32_t num_areas; ///< one more than the last; Quake 2 and Source do not use area 0
    void *owner;        ///< private; NULL: a program made the struct itself
} bsp_area_links;

/// Finds the ways between areas, and what opens them: in Quake 2 the func_areaportal of a portal's
/// number, and the entities whose target it is; in Quake 3 doors, plats and buttons that touch two
/// areas; in Source func_areaportal and func_areaportalwindow, the door that "target" names, and
/// entities whose outputs name it. Quake 2 and 3 begin with all of them shut; Source by
/// "StartOpen", or by the door; a portal whose entity is missing is shut. Games without areas have
/// none.
///
/// The map was loaded with its entities and tree. `allocator` may be NULL. Returns NULL on failure:
/// with BSP_E_ARGUMENT if it was not, without memory, or over a limit. Free with
/// bsp_area_links_free.
BSP_API bsp_area_links *bsp_area_links_find(const bsp_map *map, const bsp_allocator *allocator,
                                            bsp_error *error);
/// Frees the ways between areas. NULL is allowed and does nothing.
BSP_API void bsp_area_links_free(bsp_area_links *links);

/// Floods areas through the links that are open. `open` has an element for each link, or is NULL:
/// as the map begins. `groups` receives for each of the num_areas areas the number of its group,
/// from 1 on: areas of one group are connected. Returns how many groups there are.
BSP_API uint32_t bsp_area_links_flood(const bsp_area_links *links, const bool *open,
                                      uint32_t *groups);

/// Sets in `row` (bsp_visibility.row_bytes) the clusters that are not shut off from `area`: those
/// that have a leaf in an area of the same group (bsp_area_links_flood). What is seen from there is
/// what is set in this row and in that of bsp_map_visible, as in the engines. An area that `links`
/// does not have is shut off from nothing.
BSP_API void bsp_area_links_reach(const bsp_map *map, const bsp_area_links *links,
                                  const uint32_t *groups, uint32_t area, uint8_t *row);

// --- liquids, fog, cubemaps ---------------------------------------------------------------------

/// Liquid at a point.
typedef struct bsp_water {
    int32_t contents;  ///< the liquids there; 0: none, and the rest is not set
    float surface;     ///< z of the surface above the point
    float bottom;      ///< z at which the liquid ends below the point
    float depth;       ///< of the point below the surface, in units
    uint32_t volume;   ///< Source: number in leaf_waters, or BSP_NONE
    uint32_t material; ///< Source: that of the volume's surface, or BSP_NONE
} bsp_water;

/// Sets `out` to the liquid of the world at a point, and returns true if there is some. The surface
/// is the one that Source states for the leaf (LEAFWATERDATA); in the other games, and for `bottom`
/// in all, the end of the liquid straight above or below: liquids that touch count as one, whatever
/// their kinds. The map was loaded with its tree, brushes and surfaces.
BSP_API bool bsp_query_water(const bsp_map *map, const float point[3], bsp_water *out);

/// How fog is described.
typedef enum bsp_fog_kind {
    BSP_FOG_NONE = 0,    ///< there is none
    BSP_FOG_VOLUME = 1,  ///< Quake 3: a volume, whose shader says the rest
    BSP_FOG_RANGE = 2,   ///< Source: from no fog at one distance to the most at another
    BSP_FOG_DENSITY = 3, ///< Quake's engines, GoldSrc: thicker with the distance by one number
} bsp_fog_kind;

/// Fog at a point.
typedef struct bsp_fog_here {
    bsp_fog_kind kind; ///< which of the members below are set
    uint32_t fog;      ///< VOLUME: number in fogs, else BSP_NONE
    uint32_t entity;   ///< RANGE, DENSITY: the entity that describes it, else BSP_NONE
    float color[3];    ///< RANGE, DENSITY: as displayed, 0..1
    float start;       ///< RANGE: distance in units
    float end;         ///< RANGE: distance in units
    float max_density; ///< RANGE: opacity at `end`, 0..1
    float density;     ///< DENSITY: as the entity has it
} bsp_fog_here;

/// Sets `out` to the fog at a point as the map begins, and returns true if there is some. Quake 3:
/// the first volume whose brush holds the point, or a fog of the whole map. Source: the
/// env_fog_controller of the fog_volume around the point, else the one that is marked as master,
/// else the first. Quake: "fog" of worldspawn, which later engines read. GoldSrc: env_fog. The map
/// was loaded with its entities, tree, brushes and surfaces.
BSP_API bool bsp_query_fog(const bsp_map *map, const float point[3], bsp_fog_here *out);

/// Returns the occluder of Source (func_occluder) that hides a box from an eye, or BSP_NONE: the
/// first of which one polygon stands before the whole box. Those that begin inactive hide nothing.
/// The engine joins polygons that touch, so it may hide more. Only props and other models are
/// hidden in the game, never the world. The map was loaded with its tree, surfaces and props.
BSP_API uint32_t bsp_query_occluder(const bsp_map *map, const float eye[3], const float mins[3],
                                    const float maxs[3]);

/// Returns the cubemap that is nearest to a point: number in cubemaps, or BSP_NONE without any. Of
/// several the first. Compilers give each reflecting face the nearest one in this way. The map was
/// loaded with its props.
BSP_API uint32_t bsp_query_cubemap(const bsp_map *map, const float point[3]);

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

/// Reads the average light of a face that Source's light compiler stores before its luxels, linear,
/// 1 is full: of the style in `slot` 0..3 of bsp_face_light.styles. `hdr` takes the HDR light where
/// the map has both. The map was loaded with its surfaces and light. Returns false, and black, for
/// a face without light or without that style, and in all other games.
BSP_API bool bsp_query_face_light(const bsp_map *map, uint32_t face, uint32_t slot, bool hdr,
                                  float rgb[3]);

/// Finds the static props of Source whose run of leaves has a leaf, and writes the numbers of the
/// first `room` of them to `props` (NULL if `room` is 0), ascending. Returns how many there are.
/// The map was loaded with its tree and props.
BSP_API uint32_t bsp_query_leaf_props(const bsp_map *map, uint32_t leaf, uint32_t *props,
                                      uint32_t room);

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
    bool sight;    ///< BSP_TRACE_ALL: what sight goes through is left out, see bsp_sight_batch
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
/// the same in the same order. Many inputs are faster in one call than one by one: in large maps
/// they are sorted by place, in the hulls of Quake and GoldSrc many are under way at once, and from
/// some thousands on they are divided among the threads of the index's budget, by default one per
/// processor (bsp_budget_set_threads). While it runs, the index may hold four bytes more for each
/// input, at most a quarter of a MiB a thread; without memory each is traced alone. `results` must
/// not overlap `inputs`; several threads may fill runs of their own.
BSP_API void bsp_trace_batch(const bsp_trace_index *index, const bsp_trace_input *inputs,
                             bsp_trace_result *results, size_t count);

/// What a world light of Source adds at a point.
typedef struct bsp_light_part {
    uint32_t light;     ///< number in world_lights, or in world_lights_hdr
    float rgb[3];       ///< linear, 1 is full: as it would be if nothing stood between
    float seen;         ///< the part of it that reaches the point: 0 or 1; sky light: 0..1
    float direction[3]; ///< unit vector towards the light; zero for the light of the whole sky
    float distance;     ///< units; 0 for sun and sky
} bsp_light_part;

/// Computes what each world light (WORLDLIGHTS) adds directly at a point, as the light compiler
/// does: by distance, cone and angle, without bounces, props and soft shadows. `normal`, of unit
/// length, is that of the surface which is lit. `normal` may be NULL: the surface faces each light.
/// `hdr` takes those of the HDR light where the map has both. Writes the first `room` of the lights
/// that reach so far to `parts`, in the order of the map; returns how many there are. Lights of a
/// style other than 0 are given at full strength. Returns 0 for maps without such lights, as of all
/// games but Source. The index was made of a map with its light.
BSP_API uint32_t bsp_query_lights(const bsp_trace_index *index, bool hdr, const float point[3],
                                  const float *normal, bsp_light_part *parts, uint32_t room);

/// Two points between which sight is asked.
typedef struct bsp_sight_line {
    float from[3]; ///< game units
    float to[3];   ///< game units
} bsp_sight_line;

/// Returns the contents that stop a line of sight in the code of the branch's own games
/// (bsp_traits.sight_mask). Windows and grates are not among them. 0 in Quake and GoldSrc, where
/// solid alone stops it.
BSP_API uint32_t bsp_sight_mask(const bsp_branch *branch);

/// Sets `seen[n]` to whether nothing stands between the two points of line n, for `count` lines: a
/// trace of no width with that mask reaches the end, and does not start in what would stop it.
/// `mask` 0 stands for bsp_sight_mask. `model` is 0 for the world alone, or BSP_TRACE_ALL: then the
/// brush models of entities that are solid when the map begins stop sight too, but in GoldSrc not
/// those that are drawn with a rendermode (glass), unless their class counts as world. Liquids stop
/// nothing that their bit in the mask does not. Many lines are divided among the threads of the
/// index's budget, as bsp_trace_batch does it. Nothing is allocated.
BSP_API void bsp_sight_batch(const bsp_trace_index *index, uint32_t mask, uint32_t model,
                             const bsp_sight_line *lines, bool *seen, size_t count);

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
