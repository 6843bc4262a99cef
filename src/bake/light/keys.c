// SPDX-License-Identifier: MIT
// Keys of light entities, and the directions that they state.
#include "bake/light/keys.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

#define GOLDEN_ANGLE 2.39996322972865332f

bsp_text bspi_key(const bsp_entity *entity, const char *name) {
    bsp_text value = bsp_entity_value(entity, name);
    return value.size != 0 ? value : bsp_entity_value(entity, name + 1);
}

float bspi_key_number(const bsp_entity *entity, const char *name, float otherwise) {
    float value = otherwise;
    bsp_text text = bspi_key(entity, name);
    return text.size != 0 && bspi_numbers(text, &value, 1) == 1 && isfinite(value) ? value
                                                                                   : otherwise;
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

void bspi_look(float yaw, float pitch, float out[3]) {
    const float radians = 3.14159265358979f / 180;
    out[0] = bspi_cosine(yaw * radians) * bspi_cosine(pitch * radians);
    out[1] = bspi_sine(yaw * radians) * bspi_cosine(pitch * radians);
    out[2] = bspi_sine(pitch * radians);
}

const bsp_entities *bspi_lit_entities(const bspi_relight *own) {
    return own->options->lights != NULL ? own->options->lights : own->map->entities;
}

const bsp_entity *bspi_entity_named(const bsp_entities *entities, bsp_text name) {
    for (uint32_t i = 0; entities != NULL && name.size != 0 && i < entities->count; i++) {
        bsp_text other = bsp_entity_value(&entities->list[i], "targetname");
        if (bsp_text_equal(other, name)) {
            return &entities->list[i];
        }
    }
    return NULL;
}

bool bspi_aim_at(const bspi_relight *own, const bsp_entity *entity, const float origin[3],
                 float out[3]) {
    const bsp_entity *target =
        bspi_entity_named(bspi_lit_entities(own), bsp_entity_value(entity, "target"));
    float square = 0;
    if (target == NULL || !bspi_key_point(target, "origin", out)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out[i] -= origin[i];
        square += out[i] * out[i];
    }
    float length = sqrtf(square);
    for (int i = 0; i < 3; i++) {
        out[i] = length > 0 ? out[i] / length : 0;
    }
    return length > 0;
}

// --- directions ---------------------------------------------------------------------------------

void bspi_dome_direction(uint32_t number, uint32_t count, float lowest, float out[3]) {
    float z = 1 - (1 - lowest) * ((float)number + 0.5f) / (float)count;
    float ring = sqrtf(1 - z * z > 0 ? 1 - z * z : 0);
    float turn = GOLDEN_ANGLE * (float)number;
    out[0] = ring * bspi_cosine(turn);
    out[1] = ring * bspi_sine(turn);
    out[2] = z;
}

void bspi_turn_frame(const float axis[3], float up[3], float side[3]) {
    int least = fabsf(axis[0]) < fabsf(axis[1]) ? 0 : 1;
    least = fabsf(axis[2]) < fabsf(axis[least]) ? 2 : least;
    float along = axis[least];
    float square = 0;
    for (int i = 0; i < 3; i++) {
        up[i] = (i == least ? 1 : 0) - axis[i] * along;
        square += up[i] * up[i];
    }
    float length = sqrtf(square);
    for (int i = 0; i < 3; i++) {
        up[i] /= length > 0 ? length : 1;
    }
    for (int i = 0; i < 3; i++) {
        side[i] = axis[(i + 1) % 3] * up[(i + 2) % 3] - axis[(i + 2) % 3] * up[(i + 1) % 3];
    }
}
