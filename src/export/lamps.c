// SPDX-License-Identifier: MIT
// The lamps of a map as a list: what light.c and sun.c find, with lengths in game units.
#include "bspkit/export.h"

#include "export/light.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define PAIR_STEPS 4u // to look through the keys of an entity

typedef struct owner {
    bsp_lamps lamps;
    bspi_heap heap;
    bspi_arena arena;
} owner;

static bsp_lamp lamp_of(const bspi_light *light, uint32_t entity) {
    static const bsp_lamp_kind kinds[] = {[BSPI_LIGHT_POINT] = BSP_LAMP_POINT,
                                          [BSPI_LIGHT_SPOT] = BSP_LAMP_SPOT,
                                          [BSPI_LIGHT_SUN] = BSP_LAMP_SUN};
    bsp_lamp out = {.kind = kinds[light->kind],
                    .entity = entity,
                    .strength = light->intensity,
                    .range = light->range};
    memcpy(out.color, light->color, sizeof out.color);
    memcpy(out.cone, light->cone, sizeof out.cone);
    const float *d = light->direction;
    float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; out.kind != BSP_LAMP_POINT && length > 0 && i < 3; i++) {
        out.direction[i] = d[i] / length;
    }
    return out;
}

static bool find(owner *own, const bsp_map *map, const bsp_textures *textures, bsp_error *error) {
    bspi_targets targets;
    bspi_light suns[BSPI_MAX_SUNS];
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    bsp_lamp *list =
        bspi_arena_raw(&own->arena, (size_t)entities + BSPI_MAX_SUNS, sizeof *list, error);
    if (list == NULL || !bspi_targets_build(&targets, map->entities, &own->arena, error)) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < entities; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        bspi_light light;
        if (!bspi_heap_work(&own->heap, 1 + PAIR_STEPS * (uint64_t)entity->num_pairs, error)) {
            return false;
        }
        if (bspi_light_of(map, &targets, entity, 1, &light)) {
            bsp_placement place = bsp_entity_placement(map, entity);
            list[count] = lamp_of(&light, i);
            memcpy(list[count++].origin, place.origin, sizeof place.origin);
        }
    }
    uint32_t num_suns = bspi_suns_of(map, textures, suns);
    for (uint32_t i = 0; i < num_suns; i++) {
        list[count++] = lamp_of(&suns[i], BSP_NONE);
    }
    own->lamps.list = list;
    own->lamps.count = count;
    return true;
}

bsp_lamps *bsp_lamps_find(const bsp_map *map, const bsp_textures *textures, bsp_error *error) {
    assert(map != NULL);
    uint32_t parts = BSP_LOAD_ENTITIES | BSP_LOAD_TREE;
    parts |= textures == NULL ? 0 : (uint32_t)BSP_LOAD_SURFACES;
    if (!bspi_map_needs(map, parts, "the lamps of a map", error)) {
        return NULL;
    }
    owner *own = bspi_object_new(NULL, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->lamps.owner = own;
    bspi_map_heap(&own->heap, BSP_PRODUCT_EXPORT, map, NULL, NULL);
    bspi_arena_init(&own->arena, &own->heap);
    if (!find(own, map, textures, error)) {
        bsp_lamps_free(&own->lamps);
        return NULL;
    }
    return &own->lamps;
}

void bsp_lamps_free(bsp_lamps *lamps) {
    if (lamps == NULL || lamps->owner == NULL) {
        return;
    }
    owner *own = lamps->owner;
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
