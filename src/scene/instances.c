// SPDX-License-Identifier: MIT
// Instances: brush models as entities show them. Several entities may show one model, each in its
// own place and with its own look.
#include "scene/scene.h"

#include <string.h>

typedef struct instance_list {
    bsp_scene_instance *list;
    uint32_t count;
    uint32_t *of_entity;
    bool *shown;                 // for each model: an entity shows it
    const uint32_t *first_group; // for each model, and one after the last
} instance_list;

static uint32_t *find_groups(const bspi_scene_builder *builder) {
    const bsp_mesh *mesh = builder->own->mesh;
    uint32_t models = builder->map->num_models;
    uint32_t *first =
        bspi_arena_raw(&builder->own->arena, (size_t)models + 1, sizeof *first, builder->error);
    uint32_t group = 0;
    for (uint32_t m = 0; first != NULL && m <= models; m++) {
        while (group < mesh->num_groups && mesh->groups[group].model < m) {
            group++;
        }
        first[m] = group;
    }
    return first;
}

static bool allocate(const bspi_scene_builder *builder, uint32_t entities, instance_list *out) {
    bspi_arena *arena = &builder->own->arena;
    uint32_t models = builder->map->num_models;
    *out = (instance_list){
        .list = bspi_arena_raw(arena, (size_t)entities + models, sizeof *out->list, builder->error),
        .of_entity = bspi_arena_raw(arena, entities, sizeof *out->of_entity, builder->error),
        .shown = bspi_arena_zero(arena, models, sizeof *out->shown, builder->error),
        .first_group = find_groups(builder)};
    return out->list != NULL && out->of_entity != NULL && out->shown != NULL &&
           out->first_group != NULL;
}

static void add(const bspi_scene_builder *builder, instance_list *out, uint32_t entity,
                const bsp_placement *place, bsp_entity_look look) {
    bool unlit = look.unlit || builder->options->full_bright;
    const uint32_t *first = &out->first_group[place->model];
    out->list[out->count++] =
        (bsp_scene_instance){.entity = entity,
                             .model = place->model,
                             .place = *place,
                             .look = look,
                             .lighting = unlit ? BSP_SCENE_UNLIT : BSP_SCENE_BAKED,
                             .shown = place->presence == BSP_SEEN && look.opacity > 0,
                             .first_group = first[0],
                             .num_groups = first[1] - first[0]};
}

// The instances of those entities that show the world, or of all others. False over a limit.
static bool add_entities(bspi_scene_builder *builder, instance_list *out, bool world) {
    const bsp_map *map = builder->map;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        if (!bspi_state_entity(builder, i, &entity)) {
            return false;
        }
        uint32_t model = bsp_entity_model(map, entity);
        if (!bspi_meter_add(&builder->meter, 1 + (uint64_t)entity->num_pairs)) {
            return false;
        }
        if (!world) {
            out->of_entity[i] = BSP_NONE;
        }
        if (model != BSP_NONE && (model == 0) == world) {
            bsp_placement place = bsp_entity_placement(map, entity);
            bspi_scene_open(builder, entity, &place);
            out->shown[model] = true;
            out->of_entity[i] = out->count;
            add(builder, out, i, &place, bsp_entity_look_of(map, entity));
        }
    }
    return true;
}

// A model that no entity shows is whole, where the file has it.
static void add_unshown(const bspi_scene_builder *builder, instance_list *out, uint32_t model) {
    static const bsp_entity_look whole = {.mode = BSP_LOOK_NORMAL, .opacity = 1};
    static const float axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bsp_placement place = {.model = model, .presence = BSP_SEEN};
    memcpy(place.axes, axes, sizeof axes);
    if (!out->shown[model]) {
        add(builder, out, BSP_NONE, &place, whole);
    }
}

bool bspi_scene_instances(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    instance_list out;
    if (!allocate(builder, entities, &out) || !add_entities(builder, &out, false) ||
        !add_entities(builder, &out, true)) {
        return false;
    }
    for (uint32_t m = 0; m < map->num_models; m++) {
        add_unshown(builder, &out, m);
    }
    bsp_scene *scene = &builder->own->scene;
    scene->instances = out.list;
    scene->num_instances = out.count;
    scene->of_entity = out.of_entity;
    scene->num_of_entity = entities;
    return bspi_meter_add(&builder->meter,
                          (uint64_t)map->num_models + builder->own->mesh->num_groups);
}
