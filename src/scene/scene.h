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
} bspi_scene;

typedef struct bspi_scene_builder {
    bspi_scene *own;
    const bsp_map *map;
    const bsp_scene_options *options;
    bspi_meter meter; ///< a step: a face, group, entity, key of an entity or material
    bsp_error *error;
} bspi_scene_builder;

/// Finds the materials that are used, and what their textures say.
bool bspi_scene_materials(bspi_scene_builder *builder);
/// Lists the instances. The mesh must be there.
bool bspi_scene_instances(bspi_scene_builder *builder);

#endif
