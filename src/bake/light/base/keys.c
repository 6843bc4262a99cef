// SPDX-License-Identifier: MIT
// Keys of light entities, and the directions that they state.
#include "bake/light/base/keys.h"

#include "core/text.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

bsp_text bspi_key(const bsp_entity *entity, const char *name) {
    bsp_text value = bsp_entity_value(entity, name);
    return value.size != 0 || name[0] != '_' ? value : bsp_entity_value(entity, name + 1);
}

float bspi_key_number(const bsp_entity *entity, const char *name, float otherwise) {
    float value = otherwise;
    bsp_text text = bspi_key(entity, name);
    return text.size != 0 && bspi_numbers(text, &value, 1) == 1 && isfinite(value) ? value
                                                                                   : otherwise;
}

int bspi_key_whole(const bsp_entity *entity, const char *name, int otherwise, int least, int most) {
    float value = bspi_key_number(entity, name, (float)otherwise);
    return value < (float)least ? least : value > (float)most ? most : (int)value;
}

uint32_t bspi_key_channels(const bsp_entity *entity, const char *name, uint32_t otherwise) {
    int value = bspi_key_whole(entity, name, 0, 0, 1 << 24);
    return value != 0 ? (uint32_t)value : otherwise;
}

bool bspi_key_color(const bsp_entity *entity, const char *name, float out[3]) {
    float value[3] = {0, 0, 0};
    if (bspi_numbers(bspi_key(entity, name), value, 3) != 3) {
        out[0] = out[1] = out[2] = 1;
        return false;
    }
    float most = fmaxf(value[0], fmaxf(value[1], value[2]));
    for (int i = 0; i < 3; i++) { // 0..1 or 0..255
        out[i] = most > 1 ? value[i] / 255 : value[i];
    }
    return true;
}

bool bspi_key_point(const bsp_entity *entity, const char *name, float out[3]) {
    float value[3] = {0, 0, 0};
    bool there = bspi_numbers(bsp_entity_value(entity, name), value, 3) == 3 &&
                 isfinite(value[0]) && isfinite(value[1]) && isfinite(value[2]);
    memcpy(out, value, sizeof value);
    return there;
}

bool bspi_light_value(bsp_text value, float out[3]) {
    float v[4] = {0, 0, 0, 0};
    int count = bspi_numbers(value, v, 4);
    for (int c = 0; c < 3; c++) {
        out[c] = count == 1 ? v[0] : count == 4 ? v[c] / 255 * v[3] : v[c];
    }
    return count == 1 || count >= 3;
}

bool bspi_key_light(const bsp_entity *entity, const char *key, float out[3]) {
    return bspi_light_value(bsp_entity_value(entity, key), out);
}

const bsp_entity *bspi_world_of(const bsp_entities *entities) {
    return entities != NULL && entities->count != 0 ? &entities->list[0] : NULL;
}

const bsp_entities *bspi_lit_entities(const bspi_relight *own) {
    return own->options->lights != NULL ? own->options->lights : own->map->entities;
}

bool bspi_material_named(bspi_relight *own, bsp_text name, uint32_t *material, bsp_error *error) {
    uint32_t count = name.size == 0 ? 0 : own->map->num_materials;
    uint32_t m = 0;
    while (m < count && !bspi_text_equal_nocase(own->map->materials[m].name, name)) {
        m++;
    }
    *material = m < count ? m : BSP_NONE;
    return bspi_heap_work(&own->heap, count, error);
}

bool bspi_is_light(const bsp_entity *entity) {
    return bspi_text_begins_nocase(bsp_entity_value(entity, "classname"), "light");
}

const bsp_entity *bspi_lit_world(const bspi_relight *own) {
    const bsp_entity *world = bspi_world_of(bspi_lit_entities(own));
    return world != NULL && !bspi_is_light(world) ? world : NULL;
}

const bsp_entity *bspi_model_entity(const bspi_relight *own, uint32_t model) {
    return model == 0 ? bspi_lit_world(own) : own->models[model].entity;
}

bool bspi_lights_each(const bspi_relight *own, bspi_light_add *add, void *user, bsp_error *error) {
    const bsp_entities *entities = bspi_lit_entities(own);
    bool done = true;
    for (uint32_t i = 0; entities != NULL && i < entities->count && done; i++) {
        const bsp_entity *entity = &entities->list[i];
        done = !bspi_is_light(entity) || add(user, entity, error);
    }
    return done;
}

bool bspi_aim_at(const bspi_relight *own, const bsp_entity *entity, const float origin[3],
                 float out[3]) {
    const bsp_entity *target = bspi_target_of(&own->targets, entity);
    if (target == NULL || !bspi_key_point(target, "origin", out)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out[i] -= origin[i];
    }
    return bspi_normalize(out) > 0;
}
