// SPDX-License-Identifier: MIT
/// @file scene.h
/// What stands in the world when a map begins: one flat list of instances and one of materials,
/// over one mesh and its light. Pictures and exports show a scene.
#ifndef BSPKIT_SCENE_H
#define BSPKIT_SCENE_H

#include "bspkit/asset.h"
#include "bspkit/definitions.h"
#include "bspkit/mesh.h"
#include "bspkit/model.h"
#include "bspkit/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the triangles of an instance are lit.
typedef enum bsp_scene_lighting {
    BSP_SCENE_BAKED = 0, ///< by the light pages and the vertex colours of their groups
    BSP_SCENE_UNLIT = 1, ///< not at all: their textures are shown as they are
} bsp_scene_lighting;

/// A brush model as one entity shows it, or where the file has it.
typedef struct bsp_scene_instance {
    uint32_t entity;      ///< number of the map's entities; BSP_NONE: no entity shows the model
    uint32_t model;       ///< brush model of the map, 0 for the world
    bsp_placement place;  ///< bsp_placement_point takes the mesh's vertices into the world
    bsp_entity_look look; ///< what the entity says beyond the materials
    bsp_scene_lighting lighting; ///< BSP_SCENE_UNLIT in a scene that is full_bright
    bool shown;           ///< it is drawn when the map begins: BSP_SEEN, and not of opacity 0
    uint32_t first_group; ///< run of the mesh's groups; empty for a model without triangles
    uint32_t num_groups;
} bsp_scene_instance;

/// How fog grows with the distance.
typedef enum bsp_fog_curve {
    BSP_FOG_LINEAR = 0, ///< from nothing at `start` to all at `end`
    BSP_FOG_EXP2 = 1,   ///< 1 - exp(-(density * distance)^2)
    BSP_FOG_EXP = 2,    ///< 1 - exp(-density * distance)
} bsp_fog_curve;

/// Fog everywhere. All zero: none.
typedef struct bsp_scene_fog {
    bool on;             ///< the map begins with it
    bsp_fog_curve curve; ///< how it grows
    float color[3];      ///< red, green, blue as displayed, 0..1
    float start;         ///< BSP_FOG_LINEAR: game units from the eye
    float end;           ///< the same; greater than `start`
    float density;       ///< BSP_FOG_EXP, BSP_FOG_EXP2: of a unit
    float most;          ///< 0..1: it never covers more of what is beyond it
    float on_sky;        ///< 0..1: how much of the sky it covers
    uint32_t entity;     ///< that says so, or BSP_NONE
} bsp_scene_fog;

/// A material of the map, and what its texture says about how it is drawn.
typedef struct bsp_scene_material {
    bsp_text name;    ///< that the map or the model has for it
    bool used;        ///< a face or overlay that the scene has shows it; else it was not looked for
    bool found;       ///< its texture was found; else a checkerboard stands for it
    bool mixed;       ///< it has a second texture, which displacements mix in
    bool colored;     ///< the map says its average colour
    float color[3];   ///< that colour, red, green and blue of linear light, 0..1; else 0
    uint32_t width;   ///< texels that texture vectors count; 0: not known
    uint32_t height;  ///< the same
    bsp_alpha alpha;  ///< how it covers what is behind it
    float alpha_cut;  ///< BSP_ALPHA_TEST: a pixel is there if its alpha (0..1) is at least this
    float opacity;    ///< 0..1
    bool two_sided;   ///< seen from both sides
    bool clamp;       ///< the texture does not repeat
    bool unlit;       ///< drawn without light
    bool no_draw;     ///< never drawn by the game: tool textures
    bool sky;         ///< the sky is seen in its place
    bool fog;         ///< it only bounds fog: bsp_scene.fog_volumes
    bool environment; ///< its place is that of what the surface mirrors, not `uv`
    float shift[2];   ///< how far the texture has scrolled: repeats, to be added to `uv`
    const bsp_text *paths; ///< of a model: the names that its file is looked for by; else none
    uint32_t num_paths;
    bsp_scene_fog liquid_fog; ///< of a liquid: fog for an eye within it (Source, GoldSrc)
} bsp_scene_material;

/// Quake 3: fog that fills a brush. Faces name it (bsp_face.fog).
typedef struct bsp_scene_fog_volume {
    bool known;      ///< its shader was found; else colour and distance are 0
    float color[3];  ///< 0..1, as displayed
    float distance;  ///< game units through which nothing is seen
    bool bounded;    ///< it ends at `plane`, the side that it is seen through; else everywhere
    float normal[3]; ///< of that side, out of the fog
    float dist;      ///< p is in the fog where normal . p < dist
} bsp_scene_fog_volume;

/// A room that is seen in the place of the sky, as if it were larger. All zero: none.
typedef struct bsp_scene_sky_room {
    bool found;      ///< there is one
    float origin[3]; ///< where an eye at the world's origin stands in it
    float scale;     ///< how many times as large it looks; 0: endlessly far, the eye does not move
    bsp_scene_fog fog; ///< in it, in its own units
    uint32_t entity;
} bsp_scene_sky_room;

/// A model in one pose and skin, which any number of props show. What has no model file is one too:
/// the sprites that name a material, detail sprites and ropes of Source. The name of such a one is
/// that of its material, and its `info->format` has the name "card".
typedef struct bsp_scene_model {
    bsp_text name;              ///< in the search path
    const bsp_model_info *info; ///< of the model, whatever its pose
    const bsp_model_mesh *mesh; ///< in this pose
    uint32_t first_material;    ///< material n of the model is this number + n in the scene
    const uint32_t *materials;  ///< for each group of the mesh: number in bsp_scene.materials, or
                                ///< BSP_NONE
} bsp_scene_model;

/// What a prop is.
typedef enum bsp_scene_prop_kind {
    BSP_PROP_ENTITY = 0, ///< an entity shows it
    BSP_PROP_STATIC = 1, ///< a static prop of the map
    BSP_PROP_DETAIL = 2, ///< a detail prop of the map
} bsp_scene_prop_kind;

/// A model that stands in the world.
typedef struct bsp_scene_prop {
    bsp_scene_prop_kind kind;
    uint32_t number;      ///< of the map's entities, static props or detail props
    uint32_t model;       ///< number in bsp_scene.models
    float place[3][4];    ///< rows of the matrix from the model's space into the world's
    float scale;          ///< factor of its size, which `place` has in it
    bsp_entity_look look; ///< what the entity says beyond the materials
    bool shown;           ///< it is drawn when the map begins
    bool glow; ///< a sprite that looks as large from any distance: `place` says how large at 200
               ///< units; the farther it is, the fainter it is
    uint8_t color[4]; ///< RGBA that its textures are multiplied with
    /// Distance in game units from the eye to `fade_point` at which it begins to fade, and from
    /// which it is not drawn; both 0: never. Between them it is seen through: as much of it is left
    /// as (max^2 - d^2) / (max^2 - min^2) says.
    float fade_min;
    float fade_max;
    float fade_point[3];
    /// How it is solid when the map begins: 0 not at all, 2 by its box, 6 by the hulls of its
    /// model.
    uint32_t solid;
    float solid_box[2][3]; ///< 2: low and high corner, along the axes of the world
    uint32_t contents;     ///< a mask with one of these meets it; 0: it is not solid
    uint32_t needs;        ///< and only a mask with all of these: entities need "monster" in Source
    float light_point[3];  ///< where its light is taken
    bsp_light light;       ///< at that point
    /// Light that the map keeps for each vertex of the mesh, RGBA as bsp_model_vertex_light gives
    /// it; where alpha is 0, and where this is NULL, `light` counts.
    const uint8_t (*vertex_light)[4];
} bsp_scene_prop;

/// Source: a rope between two entities (keyframe_rope, move_rope) as it hangs when the map begins.
typedef struct bsp_scene_rope {
    uint32_t entity; ///< that has its keys, at its first point
    uint32_t next;   ///< the entity that its key "NextKey" names, at its last point
    uint32_t
        prop;     ///< number of the prop that shows it as a tube; BSP_NONE: its material is missing
    float width;  ///< game units
    bool dangles; ///< its last point hangs freely
    const float (*points)[3]; ///< of a curve, in the world
    uint32_t num_points;      ///< at least 2
} bsp_scene_rope;

/// What stands at a place that has no mesh.
typedef enum bsp_scene_mark_kind {
    BSP_MARK_PARTICLES = 0,  ///< particles: smoke, dust, fire, sparks, rain
    BSP_MARK_SOUND = 1,      ///< a sound
    BSP_MARK_SOUNDSCAPE = 2, ///< what is heard all around there
    BSP_MARK_CUBEMAP = 3,    ///< the place from which a cubemap of Source was taken
    BSP_MARK_PROJECTOR = 4,  ///< throws a texture onto what is before it
} bsp_scene_mark_kind;

/// A place that the map names and that has no mesh.
typedef struct bsp_scene_mark {
    bsp_scene_mark_kind kind;
    uint32_t entity;  ///< of the map; BSP_NONE: it is a cubemap of the map's list
    uint32_t cubemap; ///< number in the map's cubemaps, or BSP_NONE
    uint32_t model;   ///< brush model that it fills, or BSP_NONE: it is a point
    bsp_text name;    ///< its targetname; may be empty
    bsp_text what;    ///< effect, sound, soundscape, material or texture, as its key says; may be
                      ///< empty: its class says it
    float origin[3];  ///< game units; of one that fills a model the middle of that
    float angles[3];  ///< degrees: pitch, yaw, roll
    float reach;      ///< game units from the origin; 0: not stated
} bsp_scene_mark;

/// A model that is named and was not found, or cannot be read.
typedef struct bsp_scene_missing {
    bsp_text name;  ///< as it was looked for in the search path
    uint32_t props; ///< how many would show it
    char note[512]; ///< why
} bsp_scene_missing;

/// A part of a decal that lies on one face: triangles of the scene's decal_vertices.
typedef struct bsp_scene_decal {
    uint32_t entity;     ///< the infodecal
    uint32_t picture;    ///< number of the scene's decal_names
    uint32_t face;       ///< of the map
    uint32_t light_page; ///< of that face, or BSP_NONE
    uint32_t first_vertex;
    uint32_t num_vertices; ///< three for each triangle, counter-clockwise seen from the front
} bsp_scene_decal;

/// Receives the picture of a decal that is used, number `picture` of `count`, as the scene is
/// built. It may change `texture`, which is freed after the call. Returns false, with `error`
/// filled, to end the building.
typedef bool (*bsp_scene_decal_pictures)(void *user, uint32_t picture, uint32_t count,
                                         const bsp_texture *texture, bsp_error *error);

/// Quake 3: a light that is seen through the air (a face of type BSP_FACE_BILLBOARD). Games of that
/// engine show it where a player asks for it.
typedef struct bsp_scene_flare {
    uint32_t face;     ///< of the map
    uint32_t material; ///< or BSP_NONE
    float origin[3];
    float normal[3]; ///< the way it shines; seen from before it only. All zero: from everywhere
    float color[3];  ///< 0..1
} bsp_scene_flare;

/// Receives the pictures of a material that is used, while the scene is built: the scene keeps
/// none. `material` is its number, `as` what the scene will say of it. `texture` is a labelled
/// checkerboard if it was not found; `second` is mixed in on displacements, and has no image if
/// there is none. Their images may be changed; they are freed after the call. Returns false, with
/// `error` filled, to end the building.
typedef bool (*bsp_scene_pictures)(void *user, uint32_t material, const bsp_scene_material *as,
                                   bsp_texture *texture, bsp_texture *second, bsp_error *error);

/// The factor of a light style, set by a caller.
typedef struct bsp_scene_style {
    uint32_t style; ///< less than BSP_LIGHT_STYLES; others are not looked at
    float value;    ///< 1: as bright as the light compiler left it; 0 or more
} bsp_scene_style;

/// The value of an entity's key, set by a caller in the place of the one that the map has.
typedef struct bsp_scene_key {
    uint32_t entity; ///< number of the map's entities
    const char *key; ///< in any case of letters
    bsp_text value;  ///< without quotes
} bsp_scene_key;

/// Whether an area portal is open, set by a caller.
typedef struct bsp_scene_portal {
    uint32_t key; ///< bsp_area_link.key
    bool open;    ///< what is beyond it is seen
} bsp_scene_portal;

/// A moment of a map, and what is changed in it. Plain data; all zero is the moment at which the
/// map begins.
typedef struct bsp_scene_state {
    size_t size;                   ///< of this struct in bytes, or 0: see BSP_OPTIONS
    float time;                    ///< seconds since the map began; 0 or more
    const bsp_scene_style *styles; ///< the last one of a number counts; others as the map has them
    uint32_t num_styles;
    bool open;                 ///< sliding doors (func_door) stand open
    const bsp_scene_key *keys; ///< the last one of an entity and a key counts
    uint32_t num_keys;
    bool areas; ///< pictures leave out what shut area portals hide; else these count as open
    const bsp_scene_portal *portals; ///< `areas`: the last one of a key counts; see
                                     ///< bsp_scene_portals
    uint32_t num_portals;
} bsp_scene_state;

/// Computes the factor of each light style at a moment. Styles 1 to 12 flicker and pulse as in all
/// of the engines (ten steps a second; a step is a letter, and "m" is 1). A switched light's style
/// has the pattern that its entity names, and is 0 where the entity begins dark (spawnflags 1). All
/// others are 1, as in the engines. `map` was loaded with its entities; `state` may be NULL: the
/// moment at which the map begins.
BSP_API void bsp_scene_styles(const bsp_map *map, const bsp_scene_state *state,
                              float styles[BSP_LIGHT_STYLES]);

/// Computes which ways between areas are open at a moment: `open` has an element for each link. One
/// whose portal the state sets is as it says; with `state->open`, one that a sliding door
/// (func_door) opens is open; others are as the map begins. `state` may be NULL: all are.
BSP_API void bsp_scene_portals(const bsp_map *map, const bsp_area_links *links,
                               const bsp_scene_state *state, bool *open);

/// How a scene is built. All zero gives the drawn faces of all models with the light of the file,
/// and materials without textures.
typedef struct bsp_scene_options {
    size_t size;          ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_file *file; ///< for BSPX light and normals; borrowed for the call; may be NULL
    const bsp_textures *textures; ///< of the map; borrowed for the call; NULL: none is looked for
    bsp_scene_pictures pictures;  ///< NULL: pictures are not wanted
    void *user;                   ///< of `pictures`
    const bsp_external_light *external; ///< as in bsp_lightmap_options
    float light_range;                  ///< bsp_lightmap_options.range
    bool full_bright;                   ///< without light: no lightmap is built
    bool hidden;                        ///< also faces that are never drawn: tool textures
    bool sky;                           ///< also faces through which the sky is seen
    float patch_tolerance;              ///< as in bsp_mesh_options
    bsp_progress progress;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
    /// The moment that is shown; borrowed for the call. NULL: as the map begins, and of the light
    /// style 0 alone. Textures show the moment that bsp_textures_options has.
    const bsp_scene_state *state;
    bool hdr; ///< bsp_lightmap_options.hdr
    /// Also the models that stand in the map: those that entities show, and static props. They are
    /// looked for in the search path of `textures`, which must outlive the scene; without it there
    /// are none. Items fall to the floor if the map was loaded with its brushes, or has clip hulls.
    bool props;
    const bsp_definitions
        *definitions; ///< of the game's classes; borrowed for the call; may be NULL
    /// Nothing but props: no faces, light of faces, fog and decals; materials are those of models,
    /// if `pictures` are wanted, else there are none.
    bool props_alone;
    bool details; ///< with `props`: also detail props, of which maps have tens of thousands
    bsp_scene_decal_pictures decals; ///< NULL: decals are not wanted; they need `textures`
} bsp_scene_options;

/// What stands in the world when a map begins. Plain data, immutable: any number of threads may
/// read it. Freed by bsp_scene_free.
typedef struct bsp_scene {
    const bsp_map *map; ///< borrowed: it must outlive the scene
    /// Brush models as entities show them, in the order of the entities; then the world, once or
    /// as often as entities show it; then models that no entity shows, where the file has them.
    const bsp_scene_instance *instances;
    uint32_t num_instances;
    const uint32_t *of_entity; ///< for each entity: number in `instances`, or BSP_NONE
    uint32_t num_of_entity;
    /// Number n is material n of the map; those after them are of the models, and have pictures
    /// too.
    const bsp_scene_material *materials;
    uint32_t num_materials;
    /// Of all models, each where the file has it; with overlays. NULL in a scene of props_alone.
    const bsp_mesh *mesh;
    const bsp_lightmap *lightmap; ///< NULL if the scene is full_bright
    bsp_scene_fog fog;            ///< everywhere but in the sky's room
    bsp_scene_sky_room sky_room;
    /// Decals that entities lay on the faces of the world and of models that are not moved, if they
    /// are wanted; those whose picture is missing are left out.
    const bsp_scene_decal *decals;
    uint32_t num_decals;
    const bsp_mesh_vertex *decal_vertices;
    uint32_t num_decal_vertices;
    const bsp_text *decal_names; ///< each once
    uint32_t num_decal_names;
    const bsp_scene_flare *flares;
    uint32_t num_flares;
    const bsp_scene_fog_volume *fog_volumes; ///< number n is fog n of the map
    uint32_t num_fog_volumes;
    const bsp_scene_model *models; ///< that props show
    uint32_t num_models;
    const bsp_scene_prop
        *props; ///< entities in their order, then static and detail props in theirs
    uint32_t num_props;
    const bsp_scene_rope *ropes; ///< in a scene with props
    uint32_t num_ropes;
    const bsp_scene_missing *missing; ///< models that are not there, once each
    uint32_t num_missing;
    /// Places of entities in their order, then those of the map's cubemaps.
    const bsp_scene_mark *marks;
    uint32_t num_marks;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_scene;

/// That an entity names another one.
typedef struct bsp_scene_link {
    uint32_t source; ///< the entity that names
    uint32_t target; ///< an entity whose targetname it is
    bsp_text key;    ///< by which, as the map writes it: "target", "NextKey", "OnPressed"; borrowed
} bsp_scene_link;

/// How many links are kept at least; twice as many as the entities have pairs come to it.
#define BSP_LEAST_MOST_LINKS 16384u

/// Links of entities, in the order of their sources and of their keys. Plain data; freed by
/// bsp_scene_links_free.
typedef struct bsp_scene_links {
    const bsp_scene_link *list; ///< one for each target where several have the name
    uint32_t count;
    bool cut;    ///< there are more than are kept: those of the last entities are left out
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_scene_links;

/// Finds which entities name others by the keys target, target2 to target4, killtarget, parentname,
/// NextKey, master, filters, attach1, attach2, LaserTarget, cpoint and position with a number,
/// those of Quake 2's paths and monsters, and by outputs of Source. The map, loaded with its
/// entities, must outlive the result. NULL on failure: BSP_E_ARGUMENT if it has none, BSP_E_MEMORY,
/// BSP_E_LIMIT. Free it with bsp_scene_links_free.
BSP_API bsp_scene_links *bsp_scene_links_find(const bsp_map *map, const bsp_allocator *allocator,
                                              bsp_error *error);
/// Frees links. NULL is allowed and does nothing.
BSP_API void bsp_scene_links_free(bsp_scene_links *links);

/// Builds the scene of a map that was loaded with all its parts but brushes, and light where it is
/// built `full_bright`. Returns NULL on failure: BSP_E_ARGUMENT if a part was not loaded,
/// BSP_E_MEMORY, BSP_E_LIMIT, BSP_E_CANCELLED, or what `pictures` filled in. Free it with
/// bsp_scene_free.
///
/// Every entity that shows a brush model makes one instance, also those that are never seen
/// (triggers): who draws looks at `shown`, or at place.presence and look. An entity stands as
/// bsp_entity_placement says, and looks as bsp_entity_look_of says.
BSP_API bsp_scene *bsp_scene_build(const bsp_map *map, const bsp_scene_options *options,
                                   bsp_error *error);
/// Computes the light on a prop where its surface looks along a unit vector of the world: factors
/// for the colours of its texture as they are displayed, 1 for the texture's own; they may be
/// above 1.
BSP_API void bsp_scene_prop_light(const bsp_scene *scene, const bsp_scene_prop *prop,
                                  const float normal[3], float out[3]);
/// Computes the light on a vertex of a prop's mesh in the same way, from the light that the map
/// keeps for it if there is some. `normal` is that of the vertex in the world.
BSP_API void bsp_scene_prop_vertex_light(const bsp_scene *scene, const bsp_scene_prop *prop,
                                         uint32_t vertex, const float normal[3], float out[3]);
/// Frees a scene with its mesh and light. NULL is allowed and does nothing.
BSP_API void bsp_scene_free(bsp_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
