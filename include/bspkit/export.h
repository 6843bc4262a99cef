// SPDX-License-Identifier: MIT
/// @file export.h
/// Maps for modelling tools: glTF 2.0 and Wavefront OBJ.
///
/// Axes: the map's x, y, z become x, z, -y: y is up, both are right-handed, the map's north (+y) is
/// glTF's -z. Units: metres, 39.37 game units each (a unit is an inch), or what `scale` says.
///
/// Light: pages hold factors for colours as they are displayed. In vertex colours, which glTF
/// multiplies in linear light, they are put through the sRGB curve; baked images are sRGB already.
#ifndef BSPKIT_EXPORT_H
#define BSPKIT_EXPORT_H

#include "bspkit/asset.h"
#include "bspkit/definitions.h"
#include "bspkit/mesh.h"
#include "bspkit/nav.h"
#include "bspkit/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the lightmaps are exported.
typedef enum bsp_export_light {
    /// glTF: pages as textures, for TEXCOORD_1; the material's extras name them. OBJ: as NONE.
    BSP_EXPORT_LIGHT_UV = 0,
    BSP_EXPORT_LIGHT_NONE = 1,
    /// Texture times light, in an image of its own for all lit faces: a viewer shows the map lit.
    /// Materials are unlit (KHR_materials_unlit).
    BSP_EXPORT_LIGHT_BAKED = 2,
    BSP_EXPORT_LIGHT_VERTEX = 3, ///< light at the vertices as COLOR_0; materials are unlit
} bsp_export_light;

/// In which unit the strength of lights is written: glTF has candela and lux, but viewers do not
/// agree on how bright a candela is. All lit surfaces look right in the program that is meant, with
/// materials that are not unlit (UV and NONE).
typedef enum bsp_export_lights {
    /// Full white is 683 pi lux, pi watts a square metre: Blender's importer divides by 683 lumens
    /// a watt.
    BSP_EXPORT_LIGHTS_WATTS = 0,
    BSP_EXPORT_LIGHTS_PLAIN = 1, ///< full white is pi lux: three.js, and viewers without exposure
    BSP_EXPORT_LIGHTS_NONE = 2,  ///< light entities are nodes, but shine no light
} bsp_export_lights;

/// How a lamp shines.
typedef enum bsp_lamp_kind {
    BSP_LAMP_POINT = 0, ///< to all sides
    BSP_LAMP_SPOT = 1,  ///< in a cone
    BSP_LAMP_SUN = 2,   ///< from endlessly far
} bsp_lamp_kind;

/// A light that the map's entities or shaders state, as light compilers read it and an export
/// writes it. Lengths are game units.
typedef struct bsp_lamp {
    bsp_lamp_kind kind;
    uint32_t entity;    ///< that states it; BSP_NONE: a sun of worldspawn or of a shader
    float origin[3];    ///< of point and spot lights
    float direction[3]; ///< of spots and suns: unit vector, the way that the light goes; else 0
    float color[3];     ///< linear red, green and blue; the largest is 1
    /// Point and spot: a white surface at distance d, turned to it, is full white (as bright as the
    /// texture itself) where strength / (d * d) is pi. Sun: where strength is pi.
    float strength;
    float range;   ///< it does not reach farther; 0: no end is stated
    float cone[2]; ///< spot: inner and outer half angle, radians
} bsp_lamp;

/// The lamps of a map: those of entities in their order, then suns without an entity.
typedef struct bsp_lamps {
    const bsp_lamp *list;
    uint32_t count;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_lamps;

/// Finds the lamps of a map that was loaded with its entities and its tree, and with its surfaces
/// if `textures` is not NULL: from there come the suns of shaders (Quake 3). Their strength is
/// worked out as bsp_export_glb says. Returns NULL on failure: BSP_E_ARGUMENT if a part was not
/// loaded, or without memory. Free with bsp_lamps_free.
BSP_API bsp_lamps *bsp_lamps_find(const bsp_map *map, const bsp_textures *textures,
                                  bsp_error *error);
/// Frees lamps. NULL is allowed and does nothing.
BSP_API void bsp_lamps_free(bsp_lamps *lamps);

/// Receives a file beside the main one in pieces: all pieces of one in a row, then those of the
/// next. `name` has no folder. False stops the export.
typedef bool (*bsp_export_beside)(void *user, const char *name, const char *data, size_t size);

/// Receives the name of each material without a texture; `note` says why.
typedef void (*bsp_export_missing)(void *user, bsp_text material, const char *note);

/// Receives a model that is named and not there, or cannot be read.
typedef void (*bsp_export_missing_model)(void *user, const bsp_scene_missing *model);

/// A convex polygon that is written besides the map: an opening between two clusters.
typedef struct bsp_export_portal {
    const double (*points)[3]; ///< game units, in the world; borrowed
    uint32_t num_points;       ///< 3 or more; others are left out
    uint32_t clusters[2];      ///< that it joins, for its name
} bsp_export_portal;

/// How a map is exported. All zero gives metres, plain colours and lightmaps as second coordinates.
typedef struct bsp_export_options {
    size_t size;                        ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_file *file;               ///< for BSPX light and normals; may be NULL
    const bsp_textures *textures;       ///< NULL: materials have plain colours
    bsp_export_light light;             ///< what becomes of the lightmaps
    const bsp_external_light *external; ///< as in bsp_lightmap_options
    float scale;           ///< length of a game unit in the output; 0: 1 / 39.37 (metres)
    bool hidden;           ///< also faces that are never drawn: tool textures
    bool sky;              ///< also faces through which the sky is seen
    float patch_tolerance; ///< as in bsp_mesh_options
    /// BAKED: texels for each luxel's edge, 1..32, on all faces. 0: on each face as many as its
    /// texture has there, up to 32, or as many below that as fit 16 pages of 1024 x 1024
    /// texels, or up to 9 that fit 32 pages, or up to 4 that fit 64.
    uint32_t bake_density;
    const char *stem;           ///< first part of the names of files beside; NULL: "map"
    bsp_export_beside files;    ///< .gltf needs it; .obj without it has no materials
    bsp_export_missing missing; ///< NULL: they are only counted
    void *user;                 ///< of the callbacks of this struct
    bsp_progress progress;
    const bsp_allocator *allocator;
    bsp_budget *budget;       ///< counts memory and work; NULL: the map's, or the defaults
    bsp_export_lights lights; ///< glTF: whether and how strong lights are written
    /// Also what things collide with, each piece as an object (OBJ) or a node in the node
    /// "collision" (glTF), where the entity that shows its model stands: "collision_brush" with the
    /// number of the brush and the words of its contents (clip brushes too, if the map was loaded
    /// with its brushes), "collision_hull" 1 to 3 of the clip nodes of Quake and GoldSrc as convex
    /// pieces, cut off 32 units outside of their model, "collision_displacement" with the number of
    /// its face (triangles that are not closed), "collision_physics" of Source's physics lumps
    /// (with `file`), "collision_prop" and "collision_box" of solid props (with `props`).
    bool collision;
    /// Also the models that stand in the map, as bsp_scene_options has it: those that entities
    /// show, and static props. They need `textures`, whose search path they are looked for in.
    bool props;
    const bsp_definitions *definitions; ///< as in bsp_scene_options; may be NULL
    /// Receives each model that is named and not there, once. NULL: they are only counted.
    bsp_export_missing_model missing_models;
    bool no_sky_room; ///< without the room that is seen in the place of the sky, and what is in it
    bool no_details;  ///< with `props`: without detail props (Source: grass and the like)
    /// Also these, as bsp_portals_build finds them, each as an object (OBJ) or a node in the node
    /// "portals" (glTF), "portal" with its number and its clusters; translucent. Borrowed.
    const bsp_export_portal *portals;
    uint32_t num_portals;
    /// glTF: also the areas of this navigation mesh, each a node "nav_area" with its id in the node
    /// "nav_areas", a unit above where the mesh has it; NULL: none. OBJ has none.
    const bsp_nav *nav;
    bool hdr; ///< by the HDR light where the map has both kinds; else by the one that it has
    /// Source: faces as they were before the tree cut them: whole sides of brushes, also where
    /// others hide them. Needs NONE, since only the pieces have light, and a map that keeps such
    /// faces (BSP_ID_ORIGINAL_FACES); else fails with BSP_E_ARGUMENT.
    bool whole_faces;
} bsp_export_options;

/// What was written.
typedef struct bsp_export_report {
    uint32_t nodes;  ///< glTF: entities and props; OBJ: brush models
    uint32_t lights; ///< glTF
    uint32_t meshes; ///< glTF; OBJ: as nodes
    uint32_t faces;  ///< faces of the map, and once more for each overlay on them; OBJ: counted for
                     ///< each place of their model
    uint64_t triangles;      ///< the same
    uint64_t vertices;       ///< the same
    uint32_t materials;      ///< written
    uint32_t images;         ///< in the file or beside it
    uint32_t missing;        ///< materials without a texture
    uint32_t missing_models; ///< that are named and not there
    bool links_cut;          ///< glTF: as bsp_scene_links.cut
    uint64_t bytes;          ///< of the main file and those beside
} bsp_export_report;

/// Writes a binary glTF, everything in it, of a map that was loaded with all its parts but brushes,
/// and light where none is exported; else fails with BSP_E_ARGUMENT. `options` and `report` may be
/// NULL.
///
/// Light that materials have of their own (bsp_textures_find_glow) is emissive where materials are
/// lit, and part of baked images.
///
/// Nodes: one for each entity (named by targetname, else classname, a light with its number after
/// it; all keys in `extras`, a repeated one as a list), with the mesh of its brush model at its
/// origin; one for each model that no entity names. Entities look along +x. A light's node looks
/// along -z, as KHR_lights_punctual has it. After these come nodes with children, in the order
/// "static_props" (one for each static prop; its model, skin, solidity and fade distances in
/// `extras`), "entity_models" and "detail_props", as far as the map has any; only static props are
/// there without `props`, and have no mesh then.
///
/// What is in the room of the sky is in the node "sky_room", which is moved and scaled so that it
/// lies where it is seen: bsp_scene_sky_room.scale times as large, or far beyond the world where
/// that is endless. OBJ has it in the same place.
///
/// A model has one mesh for each pose, skin, look and tint that is shown, which nodes share. With
/// BAKED and VERTEX its light is in COLOR_0: props that are lit differently or turned otherwise
/// have meshes of their own, which share all arrays but the colours. Light above 1 counts as 1
/// there. With UV the extras of the node have "light": the factors, as displayed, of what looks
/// along x, -x, y, -y, z and -z of the file. A file knows no viewer: a sprite that turns to one is
/// a rectangle that looks along +x of its node, with the way it turns in `extras` ("facing":
/// "parallel_upright", "facing_upright", "parallel", "parallel_oriented" or "facing").
///
/// An entity, and its brush model with it, stands and is turned as bsp_entity_placement says. The
/// model of one that is never seen (BSP_NEVER_SEEN: triggers and the like) is left out unless
/// `hidden` asks for it. What bsp_entity_look_of says of an entity becomes alphaMode BLEND with the
/// alpha of baseColorFactor (`d` in OBJ), KHR_materials_unlit, and "blend": "add" in the material's
/// extras; its colour is the baseColorFactor of a material without a texture. Entities that show
/// one model with different looks have a mesh each; those with one look share it.
///
/// Displacements of two textures: BAKED mixes them. Else the material's extras name the second as
/// baseColorTexture2, and the alpha of COLOR_0 is its share; viewers that do not know this show the
/// first. With multiblend a third and fourth are mixed over these: baseColorTexture3 and
/// baseColorTexture4, their shares red and green of COLOR_1. $blendmodulatetexture is not looked
/// at. OBJ has the first only.
///
/// Overlays are parts of their model's mesh, BSP_OVERLAY_LIFT off their faces.
///
/// Intensity, so that a white surface has the brightness that the light compiler gave it (point
/// and spot lights in candela for lengths in the output's unit, suns in lux; full white is pi lux,
/// which `lights` multiplies by 683 unless it is PLAIN): Source, GoldSrc: brightness/255 at 100
/// units. Quake 3: light * 7500 / d^2 of 255, times 4 as the engine shows it. Quake, Quake 2: light
/// falls off in a line to 0 at a distance of "light" units, 128 is full: right at half that
/// distance; a sun of L units is pi (L / 128)^2.2 lux. Suns of worldspawn (_sunlight, _sun_mangle,
/// _sunlight_color) and of shaders (q3map_sun: 4 pi / 255 lux a unit) are nodes "sun".
BSP_API bool bsp_export_glb(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                            void *user, bsp_export_report *report, bsp_error *error);

/// Writes the same as JSON, with a .bin and PNG files beside. `report` may be NULL.
BSP_API bool bsp_export_gltf(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                             void *user, bsp_export_report *report, bsp_error *error);

/// Writes a Wavefront OBJ; with `files` also its .mtl and PNG files. An object for each brush model
/// where its entity has it, a group for each material of it. BAKED and VERTEX light ("v x y z r g
/// b") as in glTF. `options` and `report` may be NULL.
BSP_API bool bsp_export_obj(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                            void *user, bsp_export_report *report, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
