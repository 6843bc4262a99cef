// SPDX-License-Identifier: MIT
// Shapes: instances of the scene with the same model and the same look share a shape.
#include "export/solids.h"

#include <stdlib.h>
#include <string.h>

// A shape, and the instance of the scene that has it.
typedef struct wanted {
    bspi_shape shape;
    uint32_t instance;
} wanted;

// Invisible entities, if the options include them, are drawn opaque.
static bspi_shape shape_of(const bsp_scene_instance *instance) {
    static const bsp_entity_look whole = {.mode = BSP_LOOK_NORMAL, .opacity = 1};
    bool seen = instance->place.presence != BSP_NEVER_SEEN;
    return (bspi_shape){instance->model, seen ? instance->look : whole, BSP_NONE, BSP_NONE, 0};
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_look(const void *left, const void *right) {
    const bspi_shape *a = &((const wanted *)left)->shape;
    const bspi_shape *b = &((const wanted *)right)->shape;
    int order = compare_numbers(a->model, b->model);
    order = order != 0 ? order : compare_numbers(a->look.mode, b->look.mode);
    order = order != 0 ? order : compare_numbers(a->look.unlit, b->look.unlit);
    order = order != 0 ? order : compare_numbers(a->look.plain, b->look.plain);
    order = order != 0 ? order : memcmp(a->look.color, b->look.color, sizeof a->look.color);
    return order != 0 ? order
                      : (a->look.opacity > b->look.opacity) - (a->look.opacity < b->look.opacity);
}

// Lists each different shape once.
static void list_shapes(bspi_content *content, const wanted *list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < content->scene->num_instances; i++) {
        if (i == 0 || by_look(&list[i - 1], &list[i]) != 0) {
            content->shapes[kept++] = list[i].shape;
        }
        content->of_instance[list[i].instance] = kept - 1;
    }
    uint32_t shape = 0;
    for (uint32_t m = 0; m <= content->map->num_models; m++) {
        while (shape < kept && content->shapes[shape].model < m) {
            shape++;
        }
        content->first_shape[m] = shape;
    }
    content->num_shapes = kept;
    if (content->room.found && kept != 0) { // the world in another place
        content->room.shape = kept;
        content->shapes[content->num_shapes++] = content->shapes[0];
    }
    content->num_brush_shapes = content->num_shapes;
}

bool bspi_instance_written(const bspi_content *content, const bsp_scene_instance *instance) {
    size_t number = (size_t)(instance - content->scene->instances);
    bool in_room = content->room.found && content->room.instances[number] != 0;
    if (bspi_sky_room_hides(content, in_room)) {
        return false;
    }
    return instance->place.presence != BSP_NEVER_SEEN || content->options->hidden;
}

// Finds the models that only instances show which are not written.
static void find_unseen(const bspi_content *content, bool *unseen) {
    for (uint32_t m = 0; m < content->map->num_models; m++) {
        unseen[m] = true;
    }
    for (uint32_t i = 0; i < content->scene->num_instances; i++) {
        const bsp_scene_instance *it = &content->scene->instances[i];
        if (bspi_instance_written(content, it)) {
            unseen[it->model] = false;
        }
    }
}

bool bspi_shapes_build(bspi_content *content, bsp_error *error) {
    const bsp_scene *scene = content->scene;
    bspi_arena *arena = &content->arena;
    uint32_t count = scene->num_instances;
    size_t models = content->map->num_models;
    size_t room = count * sizeof(wanted);
    bool *unseen = bspi_arena_raw(arena, models, sizeof *unseen, error);
    size_t solids = content->solids == NULL ? 0 : content->solids->count;
    const bsp_nav *nav = content->options->nav;
    size_t areas = nav == NULL ? 0 : nav->num_areas;
    content->shapes = bspi_arena_raw(arena, (size_t)count + 2 + scene->num_props + solids + areas,
                                     sizeof *content->shapes, error);
    content->of_instance = bspi_arena_raw(arena, count, sizeof *content->of_instance, error);
    content->first_shape = bspi_arena_raw(arena, models + 1, sizeof *content->first_shape, error);
    if (unseen == NULL || content->shapes == NULL || content->of_instance == NULL ||
        content->first_shape == NULL) {
        return false;
    }
    wanted *list = bspi_heap_alloc(&content->heap, room, error);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        list[i] = (wanted){shape_of(&scene->instances[i]), i};
    }
    if (list != NULL && count != 0) {
        qsort(list, count, sizeof *list, by_look);
    }
    if (list != NULL) {
        list_shapes(content, list);
    }
    find_unseen(content, unseen);
    content->unseen = unseen;
    bspi_heap_free(&content->heap, list, room);
    return list != NULL;
}

bool bspi_model_is_lit(const bspi_content *content, uint32_t model) {
    for (uint32_t s = content->first_shape[model]; s < content->first_shape[model + 1]; s++) {
        if (!content->shapes[s].look.unlit) {
            return true;
        }
    }
    return false;
}
