// SPDX-License-Identifier: MIT
// Brush models as entities show them: several entities may show one model, each with its own look.
#include "export/content.h"

#include <stdlib.h>
#include <string.h>

static const bsp_entity_look whole = {.mode = BSP_LOOK_NORMAL, .opacity = 1};

// Entities that are never seen, and are asked for, are whole.
static bspi_shape shape_of(const bsp_map *map, const bsp_entity *entity) {
    bsp_placement place = bsp_entity_placement(map, entity);
    bool seen = place.model != BSP_NONE && place.presence != BSP_NEVER_SEEN;
    return (bspi_shape){place.model, seen ? bsp_entity_look_of(map, entity) : whole};
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_look(const void *left, const void *right) {
    const bspi_shape *a = left;
    const bspi_shape *b = right;
    int order = compare_numbers(a->model, b->model);
    order = order != 0 ? order : compare_numbers(a->look.mode, b->look.mode);
    order = order != 0 ? order : compare_numbers(a->look.unlit, b->look.unlit);
    order = order != 0 ? order : compare_numbers(a->look.plain, b->look.plain);
    order = order != 0 ? order : memcmp(a->look.color, b->look.color, sizeof a->look.color);
    return order != 0 ? order
                      : (a->look.opacity > b->look.opacity) - (a->look.opacity < b->look.opacity);
}

// Models that nobody shows are whole.
static uint32_t add_rest(const bsp_map *map, bspi_shape *list, uint32_t count, bool *shown) {
    for (uint32_t i = 0; i < count; i++) {
        shown[list[i].model] = true;
    }
    for (uint32_t m = 0; m < map->num_models; m++) {
        if (!shown[m]) {
            list[count++] = (bspi_shape){m, whole};
        }
    }
    return count;
}

static void drop_doubles(bspi_content *content, uint32_t count) {
    bspi_shape *list = content->shapes;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || by_look(&list[kept - 1], &list[i]) != 0) {
            list[kept++] = list[i];
        }
    }
    content->num_shapes = kept;
    uint32_t shape = 0;
    for (uint32_t m = 0; m <= content->map->num_models; m++) {
        while (shape < kept && list[shape].model < m) {
            shape++;
        }
        content->first_shape[m] = shape;
    }
}

bool bspi_shapes_build(bspi_content *content, bsp_error *error) {
    const bsp_map *map = content->map;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    size_t room = (size_t)entities + map->num_models;
    bool *shown = bspi_arena_zero(&content->arena, map->num_models, sizeof *shown, error);
    content->shapes = bspi_arena_raw(&content->arena, room, sizeof *content->shapes, error);
    content->first_shape = bspi_arena_raw(&content->arena, (size_t)map->num_models + 1,
                                          sizeof *content->first_shape, error);
    if (shown == NULL || content->shapes == NULL || content->first_shape == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < entities; i++) {
        bspi_shape shape = shape_of(map, &map->entities->list[i]);
        if (shape.model != BSP_NONE) {
            content->shapes[count++] = shape;
        }
    }
    count = add_rest(map, content->shapes, count, shown);
    if (count != 0) {
        qsort(content->shapes, count, sizeof *content->shapes, by_look);
    }
    drop_doubles(content, count);
    return true;
}

uint32_t bspi_shape_of(const bspi_content *content, const bsp_entity *entity) {
    bspi_shape wanted = shape_of(content->map, entity);
    const bspi_shape *found =
        bsearch(&wanted, content->shapes, content->num_shapes, sizeof wanted, by_look);
    return (uint32_t)(found - content->shapes);
}

bool bspi_model_is_lit(const bspi_content *content, uint32_t model) {
    for (uint32_t s = content->first_shape[model]; s < content->first_shape[model + 1]; s++) {
        if (!content->shapes[s].look.unlit) {
            return true;
        }
    }
    return false;
}
