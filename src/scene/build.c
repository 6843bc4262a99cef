// SPDX-License-Identifier: MIT
// Builds a scene: materials first (their textures say in which sizes coordinates count), then
// light, then the mesh, then the instances that show its groups. Assumes a checked map.
#include "scene/scene.h"

#include "scene/props.h"

#include "core/options.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>

static bool add_light(bspi_scene_builder *builder) {
    const bsp_scene_options *options = builder->options;
    if (options->full_bright) {
        return true;
    }
    float styles[BSP_LIGHT_STYLES];
    if (options->state != NULL) {
        bsp_scene_styles(builder->map, options->state, styles);
    }
    const bsp_lightmap_options light = {.styles = options->state != NULL ? styles : NULL,
                                        .range = options->light_range,
                                        .hdr = options->hdr,
                                        .external = options->external,
                                        .allocator = options->allocator,
                                        .budget = options->budget};
    bspi_scene *own = builder->own;
    own->lightmap = bsp_lightmap_build(builder->map, options->file, &light, builder->error);
    own->scene.lightmap = own->lightmap;
    return own->lightmap != NULL;
}

static bool add_mesh(bspi_scene_builder *builder) {
    const bsp_scene_options *options = builder->options;
    bspi_scene *own = builder->own;
    uint32_t count = builder->map->num_materials;
    uint32_t(*sizes)[2] = bspi_arena_raw(&own->arena, count, sizeof *sizes, builder->error);
    if (sizes == NULL) {
        return false;
    }
    for (uint32_t m = 0; m < count; m++) {
        sizes[m][0] = own->scene.materials[m].width;
        sizes[m][1] = own->scene.materials[m].height;
    }
    const bsp_mesh_options mesh = {.hidden = options->hidden,
                                   .sky = options->sky,
                                   .overlays = true,
                                   .patch_tolerance = options->patch_tolerance,
                                   .lightmap = own->lightmap,
                                   .sizes = (const uint32_t(*)[2])sizes,
                                   .file = options->file,
                                   .allocator = options->allocator,
                                   .budget = options->budget};
    own->mesh = bsp_mesh_build(builder->map, &mesh, builder->error);
    own->scene.mesh = own->mesh;
    return own->mesh != NULL;
}

// What is shown beside the props.
static bool add_world(bspi_scene_builder *builder) {
    return add_light(builder) && add_mesh(builder) && bspi_scene_instances(builder) &&
           bspi_scene_air(builder) && bspi_scene_decals(builder);
}

bsp_scene *bsp_scene_build(const bsp_map *map, const bsp_scene_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_scene_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    bsp_scene_state state;
    if (taken.state != NULL) {
        if (!BSPI_TAKE_OPTIONS(state, taken.state, error)) {
            return NULL;
        }
        taken.state = &state;
    }
    options = &taken;
    uint32_t parts = BSP_LOAD_ALL - BSP_LOAD_BRUSHES;
    if (!bspi_map_needs(map, options->full_bright ? parts - BSP_LOAD_LIGHT : parts, "a scene",
                        error)) {
        return NULL;
    }
    bspi_scene *own = bspi_object_new(options->allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->scene.owner = own;
    bspi_map_heap(&own->heap, BSP_PRODUCT_SCENE, map, options->budget, options->allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->scene.map = map;
    bspi_scene_builder builder = {.own = own,
                                  .map = map,
                                  .options = options,
                                  .meter = {.heap = &own->heap, .error = error},
                                  .error = error};
    builder.num_materials = map->num_materials;
    bool props = options->props && options->textures != NULL;
    bool materials = !options->props_alone || options->pictures != NULL;
    if (!bspi_scene_marks(&builder) || (props && !bspi_scene_props(&builder)) ||
        (materials && !bspi_scene_materials(&builder)) ||
        (!options->props_alone && !add_world(&builder)) || !bspi_meter_pay(&builder.meter)) {
        bsp_scene_free(&own->scene);
        return NULL;
    }
    return &own->scene;
}

void bsp_scene_free(bsp_scene *scene) {
    if (scene == NULL || scene->owner == NULL) {
        return;
    }
    bspi_scene *own = scene->owner;
    bspi_scene_props_free(own);
    bsp_mesh_free(own->mesh);
    bsp_lightmap_free(own->lightmap);
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
