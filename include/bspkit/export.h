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
#include "bspkit/mesh.h"

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

/// Receives a file beside the main one in pieces: all pieces of one in a row, then those of the
/// next. `name` has no folder. False stops the export.
typedef bool (*bsp_export_beside)(void *user, const char *name, const char *data, size_t size);

/// Receives the name of each material without a texture; `note` says why.
typedef void (*bsp_export_missing)(void *user, bsp_text material, const char *note);

/// How a map is exported. All zero gives metres, plain colours and lightmaps as second coordinates.
typedef struct bsp_export_options {
    size_t size;                        ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_file *file;               ///< for BSPX light and normals; may be NULL
    const bsp_textures *textures;       ///< NULL: materials have plain colours
    bsp_export_light light;             ///< what becomes of the lightmaps
    const bsp_external_light *external; ///< as in bsp_lightmap_options
    float scale;                ///< length of a game unit in the output; 0: 1 / 39.37 (metres)
    bool hidden;                ///< also faces that are never drawn: tool textures
    bool sky;                   ///< also faces through which the sky is seen
    float patch_tolerance;      ///< as in bsp_mesh_options
    uint32_t bake_density;      ///< BAKED: texels for each luxel's edge, 1..8; 0: up to 4
    const char *stem;           ///< first part of the names of files beside; NULL: "map"
    bsp_export_beside files;    ///< .gltf needs it; .obj without it has no materials
    bsp_export_missing missing; ///< NULL: they are only counted
    void *user;                 ///< of the two above
    bsp_progress progress;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_export_options;

/// What was written.
typedef struct bsp_export_report {
    uint32_t nodes;  ///< glTF: entities and props; OBJ: brush models
    uint32_t lights; ///< glTF
    uint32_t meshes; ///< glTF; OBJ: as nodes
    uint32_t faces;  ///< faces of the map, and once more for each overlay on them; OBJ: counted for
                     ///< each place of their model
    uint64_t triangles; ///< the same
    uint64_t vertices;  ///< the same
    uint32_t materials; ///< written
    uint32_t images;    ///< in the file or beside it
    uint32_t missing;   ///< materials without a texture
    uint64_t bytes;     ///< of the main file and those beside
} bsp_export_report;

/// Writes a binary glTF, everything in it, of a map that was loaded with all its parts but brushes,
/// and light where none is exported; else fails with BSP_E_ARGUMENT. `options` and `report` may be
/// NULL.
///
/// Nodes: one for each entity (named by targetname, else classname, a light with its number after
/// it; all keys in `extras`, a repeated one as a list), with the mesh of its brush model at its
/// origin; one for each static prop (its model in `extras`, no mesh); one for each model that no
/// entity names. Entities look along +x. A light's node looks along -z, as KHR_lights_punctual has
/// it.
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
/// first. $blendmodulatetexture is not looked at. OBJ has the first only.
///
/// Overlays are parts of their model's mesh, BSP_OVERLAY_LIFT off their faces.
///
/// Intensity, so that a white surface has the brightness that the light compiler gave it (full
/// white is pi lux; point and spot lights in candela for lengths in the output's unit, suns in
/// lux): Source, GoldSrc: brightness/255 at 100 units. Quake 3: light * 7500 / d^2 of
/// 255, times 4 as the engine shows it. Quake, Quake 2: light falls off in a line to 0 at a
/// distance of "light" units, 128 is full: right at half that distance; a sun of L units
/// is pi (L / 128)^2.2 lux. Suns of worldspawn (_sunlight, _sun_mangle, _sunlight_color) and of
/// shaders (q3map_sun: 4 pi / 255 lux a unit) are nodes "sun".
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
