// SPDX-License-Identifier: MIT
// The scene being built. The floor scene says what stands in the world when a map begins; products
// above it show that, and ask neither entities nor textures for it.
#ifndef BSPI_SCENE_H
#define BSPI_SCENE_H

#include "bspkit/scene.h"
#include "core/memory.h"

typedef struct bspi_scene {
    bsp_scene scene; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
    bsp_mesh *mesh;
    bsp_lightmap *lightmap;
    bsp_model_asset **open; ///< the models that props show, each once
    size_t num_open, room_open;
    bsp_scene_model *models; ///< scene.models
    size_t room_models;
    bsp_scene_rope *ropes; ///< scene.ropes
    size_t room_ropes;
    bsp_scene_missing *missing; ///< scene.missing
    size_t room_missing;
} bspi_scene;

typedef struct bspi_scene_builder {
    bspi_scene *own;
    const bsp_map *map;
    const bsp_scene_options *options;
    uint32_t num_materials; ///< of the map and of the models
    bspi_meter meter;       ///< a step: a face, group, entity, key of an entity or material
    bsp_error *error;
} bspi_scene_builder;

/// Returns the value of an entity's key in a state, which may be NULL: that of the state, else that
/// of the entity.
bsp_text bspi_state_value(const bsp_scene_state *state, const bsp_map *map, uint32_t entity,
                          const char *key);
/// Gives an entity as a state has it: `*out` is the map's own, or a copy in the arena. Returns
/// false without memory.
bool bspi_state_entity(bspi_scene_builder *builder, uint32_t entity, const bsp_entity **out);

/// Finds the materials that are used, and what their textures say.
bool bspi_scene_materials(bspi_scene_builder *builder);
/// Finds fog, fog volumes and the room of the sky.
bool bspi_scene_air(bspi_scene_builder *builder);
/// Lays decals on the mesh.
bool bspi_scene_decals(bspi_scene_builder *builder);
/// Moves the place of a sliding door to where it stands open.
void bspi_scene_open(const bspi_scene_builder *builder, const bsp_entity *entity,
                     bsp_placement *place);
/// Lists the places that have no mesh.
bool bspi_scene_marks(bspi_scene_builder *builder);
/// Returns a model of a scene as it was opened, or NULL.
const bsp_model_asset *bspi_scene_asset(const bsp_scene *scene, uint32_t model); // props.c

/// Lists the instances. The mesh must be there.
bool bspi_scene_instances(bspi_scene_builder *builder);

#endif
