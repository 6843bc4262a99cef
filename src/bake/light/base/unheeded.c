// SPDX-License-Identifier: MIT
// What has no effect here, to be named in messages: a file of ericw-tools that is of another map
// (.texinfo.json), keys of q3map2, those of shaders too, and words of the command line that it
// leaves in a map.
#include "bake/light/base/keys.h"
#include "bake/light/base/unheeded.h"

#include "bspkit/faces.h"
#include "core/text.h"

#include <string.h>

// Which entities have a key.
typedef enum owner { OF_MODELS = 1, OF_WORLD = 2 } owner;

typedef struct named {
    const char *name;
    const char *plain[2]; // values that are heeded, or are as if the key were not there
    int owners;
} named;

// Source: q3map2's map.cpp, bspfile_abstract.cpp. Groups of shadows are not followed.
static const named q3map2_keys[] = {
    {"_receiveShadows", {"0", "1"}, OF_MODELS | OF_WORLD},
    {"_rs", {"0", "1"}, OF_MODELS | OF_WORLD},
    {"_castShadows", {"1", "1"}, OF_WORLD},
    {"_cs", {"1", "1"}, OF_WORLD},
};

#define NUM_KEYS (sizeof q3map2_keys / sizeof *q3map2_keys)

// Source: q3map2's light.cpp, light_ydnar.cpp.
static const struct {
    const char *name;
    uint32_t bit;
} shader_keys[] = {
    {"q3map_normalImage", BSP_SHADER_NORMAL_IMAGE},
    {"q3map_splotchfix", BSP_SHADER_SPLOTCH_FIX},
    {"q3map_forceSunlight", BSP_SHADER_FORCE_SUNLIGHT},
    {"q3map_noFast", BSP_SHADER_NO_FAST},
    {"q3map_skyLight (horizon)", BSP_SHADER_SKY_HORIZON},
};

#define NUM_SHADER_KEYS (sizeof shader_keys / sizeof *shader_keys)

static int owner_of(const bsp_map *map, const bsp_entity *entity, uint32_t number) {
    uint32_t model = bsp_entity_model(map, entity);
    return number == 0 ? OF_WORLD : model != BSP_NONE && model < map->num_models ? OF_MODELS : 0;
}

// Has an entity a value of a key that matters?
static bool has(const bsp_entity *entity, const named *key) {
    bsp_text value = bspi_key(entity, key->name);
    return value.size != 0 && !bsp_text_equal(value, bsp_text_of(key->plain[0])) &&
           !bsp_text_equal(value, bsp_text_of(key->plain[1]));
}

// Adds those keys that entities have.
static bool find_keys(bspi_relight *own, const named *keys, size_t num_keys, bsp_relight_key *found,
                      bsp_error *error) {
    const bsp_map *map = own->map;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    for (size_t k = 0; k < num_keys; k++) {
        bsp_relight_key *key = &found[own->relight.num_unheeded];
        for (uint32_t i = 0; i < count; i++) {
            const bsp_entity *entity = &map->entities->list[i];
            if ((owner_of(map, entity, i) & keys[k].owners) != 0 && has(entity, &keys[k])) {
                key->name = keys[k].name;
                key->entity = key->count == 0 ? i : key->entity;
                key->count++;
            }
        }
        own->relight.num_unheeded += key->count != 0;
        if (!bspi_heap_work(&own->heap, 1 + count / 4, error)) {
            return false;
        }
    }
    return true;
}

// --- shaders ------------------------------------------------------------------------------------

// The bits of keys that would change light of a face, or that it gives.
static uint32_t bits_on(const bspi_relight *own, const bspi_q3map2_told *told, uint32_t face,
                        const bsp_shader *shader) {
    bool paged = own->map->face_lights[face].page[0] >= 0; // else light is that of vertices
    uint32_t idle = (paged ? BSP_SHADER_FORCE_SUNLIGHT : 0u) |
                    (told->fast && shader->surface_light > 0 ? 0u : BSP_SHADER_NO_FAST);
    return shader->light_keys & ~idle;
}

// Finds the bits of each material, by the faces that have it.
static uint32_t *find_bits(bspi_relight *own, const bspi_q3map2_told *told, bsp_error *error) {
    const bsp_map *map = own->map;
    uint32_t *bits = bspi_arena_zero(&own->arena, map->num_materials, sizeof *bits, error);
    if (bits == NULL || !bspi_heap_work(&own->heap, map->num_faces / 4, error)) {
        return NULL;
    }
    for (uint32_t f = 0; f < map->num_faces; f++) {
        uint32_t material = bsp_surface_material(map, f);
        const bsp_shader *shader = material < map->num_materials
                                       ? bsp_textures_shader(own->options->textures, material)
                                       : NULL;
        if (shader != NULL) {
            bits[material] |= bits_on(own, told, f, shader);
        }
    }
    return bits;
}

// Adds those keys that shaders of the map's faces have.
static bool find_shader_keys(bspi_relight *own, const bspi_q3map2_told *told,
                             bsp_relight_key *found, bsp_error *error) {
    const uint32_t *bits = own->options->textures == NULL ? NULL : find_bits(own, told, error);
    for (size_t k = 0; k < NUM_SHADER_KEYS && bits != NULL; k++) {
        bsp_relight_key *key = &found[own->relight.num_unheeded];
        for (uint32_t m = 0; m < own->map->num_materials; m++) {
            if ((bits[m] & shader_keys[k].bit) != 0) {
                key->name = shader_keys[k].name;
                key->shader = true;
                key->entity = key->count == 0 ? m : key->entity;
                key->count++;
            }
        }
        own->relight.num_unheeded += key->count != 0;
    }
    return bits != NULL || own->options->textures == NULL;
}

// --- all ----------------------------------------------------------------------------------------

bool bspi_unheeded_find(bspi_relight *own, const bspi_q3map2_told *told, bsp_error *error) {
    bsp_relight_key *found = bspi_arena_zero(
        &own->arena, NUM_KEYS + NUM_SHADER_KEYS + BSPI_TOLD_UNHEEDED + 1, sizeof *found, error);
    own->relight.unheeded = found;
    if (found == NULL) {
        return false;
    }
    if (own->foreign_surfaces) {
        found[own->relight.num_unheeded++] = (bsp_relight_key){.name = ".texinfo.json", .count = 1};
    }
    if (told == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < told->num_unheeded; i++) {
        found[own->relight.num_unheeded++] =
            (bsp_relight_key){.name = told->unheeded[i], .count = 1};
    }
    return find_keys(own, q3map2_keys, NUM_KEYS, found, error) &&
           find_shader_keys(own, told, found, error);
}
