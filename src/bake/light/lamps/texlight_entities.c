// SPDX-License-Identifier: MIT
// GoldSrc: entities that let surfaces of a texture give light. Which one a surface takes, and what
// their keys mean: SDHLT, qrad.cpp (FindTexlightEntity, BaseLightForFace), lightmap.cpp
// (CreateDirectLights). Compilers leave them in the map as lights that have a key `_tex`.
#include "bake/light/faces/face_area.h"
#include "bake/light/lamps/texlights.h"

#include "core/curves.h"
#include "core/text.h"
#include "core/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REFLECT_GAMMA 1.76f
#define REFLECT 0.7f
#define LEAST_CHOP 1.0f // units

bool bspi_is_texlight_entity(const bsp_entity *entity) {
    return bspi_text_is(bsp_entity_value(entity, "classname"), "light_surface") ||
           bsp_entity_value(entity, "_tex").size != 0;
}

// --- the list -----------------------------------------------------------------------------------

static bool count_one(void *user, const bsp_entity *entity, bsp_error *error) {
    (void)error;
    *(uint32_t *)user += bspi_is_texlight_entity(entity);
    return true;
}

typedef struct collector {
    bspi_relight *own;
    bspi_texlight_entities *out;
} collector;

static bool add_one(void *user, const bsp_entity *entity, bsp_error *error) {
    const collector *k = user;
    bspi_texlight_entity one = {.entity = entity};
    if (!bspi_is_texlight_entity(entity)) {
        return true;
    }
    if (!bspi_material_named(k->own, bsp_entity_value(entity, "_tex"), &one.material, error)) {
        return false;
    }
    (void)bspi_key_point(entity, "origin", one.origin);
    one.range = bspi_number(entity, "_frange", INFINITY);
    one.off = bspi_number(entity, "_fdist", INFINITY);
    one.class = bsp_entity_value(entity, "_fclass");
    one.name = bsp_entity_value(entity, "_fname");
    if (one.material != BSP_NONE) {
        k->out->list[k->out->count++] = one;
    }
    return true;
}

bool bspi_texlight_entities_find(bspi_relight *own, bspi_texlight_entities *out, bsp_error *error) {
    collector k = {own, out};
    uint32_t room = 0;
    *out = (bspi_texlight_entities){NULL, 0};
    if (!bspi_lights_each(own, count_one, &room, error) || room == 0) {
        return room == 0;
    }
    out->list = bspi_arena_raw(&own->arena, room, sizeof *out->list, error);
    return out->list != NULL && bspi_lights_each(own, add_one, &k, error);
}

// --- one surface --------------------------------------------------------------------------------

static float cosine_of(const bsp_entity *entity, const char *key) {
    float angle = bspi_number(entity, key, 90);
    return angle >= 90 ? 0 : bspi_cosine(bspi_radians(angle));
}

static void read_keys(const bsp_entity *entity, bspi_texlight *out) {
    float texture[3];
    *out = (bspi_texlight){.outer = -2};
    (void)bspi_key_light(entity, "_light", out->light);
    out->scale = fmaxf(0, bspi_number(entity, "_scale", 1));
    out->style = abs(bspi_key_whole(entity, "style", 0, -255, 255));
    out->has_texture = bspi_key_point(entity, "_texcolor", texture);
    for (int c = 0; c < 3; c++) {
        out->light[c] = fmaxf(0, out->light[c]);
        out->texture[c] = REFLECT * bspi_power(floorf(texture[c] + 0.001f) / 255, REFLECT_GAMMA);
    }
    if (bsp_entity_value(entity, "_chop").size != 0) {
        out->chop = fmaxf(LEAST_CHOP, bspi_number(entity, "_chop", 0));
    }
    out->inner = cosine_of(entity, "_cone");
    if (out->inner > 0) {
        out->outer = fminf(out->inner, cosine_of(entity, "_cone2"));
    }
}

// Is a face of the entity that one asks for?
static bool is_of(const bspi_relight *own, const bspi_texlight_entity *t, uint32_t face) {
    if (t->class.size == 0 && t->name.size == 0) {
        return true;
    }
    const bsp_entity *entity = bspi_model_entity(own, own->face_models[face]);
    return entity != NULL &&
           (t->class.size == 0 ||
            bsp_text_equal(bsp_entity_value(entity, "classname"), t->class)) &&
           (t->name.size == 0 || bsp_text_equal(bsp_entity_value(entity, "targetname"), t->name));
}

bool bspi_texlight_of(const bspi_relight *own, const bspi_texlight_entities *entities,
                      uint32_t face, bspi_texlight *out) {
    uint32_t material = bsp_surface_material(own->map, face);
    const bsp_entity *found = NULL;
    float nearest = INFINITY;
    float middle[3];
    float normal[3];
    if (entities->count == 0 || !bspi_face_middle(own, face, middle, normal)) {
        return false;
    }
    for (uint32_t i = 0; i < entities->count; i++) {
        const bspi_texlight_entity *t = &entities->list[i];
        float way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = t->origin[c] - (middle[c] - normal[c]); // from the surface itself
        }
        float dist = sqrtf(bspi_dot(way, way));
        if (t->material == material && dist <= t->range && dist <= nearest &&
            fabsf(bspi_dot(way, normal)) <= t->off && is_of(own, t, face)) {
            nearest = dist;
            found = t->entity;
        }
    }
    if (found != NULL) {
        read_keys(found, out);
    }
    return found != NULL;
}
