// SPDX-License-Identifier: MIT
/// @file scene.h
/// What stands in the world when a map begins: one flat list of instances and one of materials,
/// over one mesh and its light. Pictures and exports show a scene.
#ifndef BSPKIT_SCENE_H
#define BSPKIT_SCENE_H

#include "bspkit/asset.h"
#include "bspkit/mesh.h"

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

/// A material of the map, and what its texture says about how it is drawn.
typedef struct bsp_scene_material {
    bool used;       ///< a face or overlay that the scene has shows it; else it was not looked for
    bool found;      ///< its texture was found; else a checkerboard stands for it
    bool mixed;      ///< it has a second texture, which displacements mix in
    bool colored;    ///< the map says its average colour
    float color[3];  ///< that colour, red, green and blue of linear light, 0..1; else 0
    uint32_t width;  ///< texels that texture vectors count; 0: not known
    uint32_t height; ///< the same
    bsp_alpha alpha; ///< how it covers what is behind it
    float alpha_cut; ///< BSP_ALPHA_TEST: a pixel is there if its alpha (0..1) is at least this
    float opacity;   ///< 0..1
    bool two_sided;  ///< seen from both sides
    bool clamp;      ///< the texture does not repeat
    bool unlit;      ///< drawn without light
    bool no_draw;    ///< never drawn by the game: tool textures
    bool sky;        ///< the sky is seen in its place
} bsp_scene_material;

/// Receives the pictures of a material that is used, while the scene is built: the scene keeps
/// none. `material` is its number, `as` what the scene will say of it. `texture` is a labelled
/// checkerboard if it was not found; `second` is mixed in on displacements, and has no image if
/// there is none. Their images may be changed; they are freed after the call. Returns false, with
/// `error` filled, to end the building.
typedef bool (*bsp_scene_pictures)(void *user, uint32_t material, const bsp_scene_material *as,
                                   bsp_texture *texture, bsp_texture *second, bsp_error *error);

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
    const bsp_scene_material *materials; ///< number n is material n of the map
    uint32_t num_materials;
    const bsp_mesh *mesh;         ///< of all models, each where the file has it; with overlays
    const bsp_lightmap *lightmap; ///< NULL if the scene is full_bright
    void *owner;                  ///< private; NULL: a program made the struct itself
} bsp_scene;

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
/// Frees a scene with its mesh and light. NULL is allowed and does nothing.
BSP_API void bsp_scene_free(bsp_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
