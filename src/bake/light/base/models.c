// SPDX-License-Identifier: MIT
// The models of a map, and what keys of the entities that show them say of their light. Sources:
// the documentation of ericw-tools, of hlrad ("zhlt_lightflags": 2 is opaque) and of vrad.
#include "bake/light/base/keys.h"
#include "bake/light/base/models.h"
#include "bake/light/base/style_names.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

#define KEYS 32u // looked at for a target that count as one of work

// Sets the place whose light a model's luxels in solid take: its middle, or a target that its
// entity names.
static void set_middle(const bsp_map *map, const bsp_entity *entity, uint32_t model, float out[3]) {
    const bsp_entities *entities = map->entities;
    bsp_text target = bspi_key(entity, "_autominlight_target");
    for (int i = 0; i < 3; i++) {
        out[i] = (map->models[model].mins[i] + map->models[model].maxs[i]) / 2;
    }
    for (uint32_t i = 0; target.size != 0 && i < entities->count; i++) {
        if (bsp_text_equal(bsp_entity_value(&entities->list[i], "targetname"), target)) {
            (void)bspi_key_point(&entities->list[i], "origin", out);
            return;
        }
    }
}

// Do the keys of an entity say that its model casts shadows? Those of q3map2 are numbers of groups:
// what belongs to none takes the shadows of all groups above 0.
static bool casts(const bspi_relight *own, const bsp_entity *entity) {
    if (own->drawn != NULL) {
        float group = bspi_key_number(entity, "_cs", 0);
        return bspi_key_number(entity, "_castShadows", group) >= 1;
    }
    int flags = bspi_key_whole(entity, "zhlt_lightflags", 0, 0, 255);
    return bspi_number(entity, "_shadow", 0) == 1 || (flags & 2) != 0 ||
           bspi_number(entity, "vrad_brush_cast_shadows", 0) == 1;
}

// Returns the style of a shadow that switches: ericw-tools gave one to the name of the model, or a
// light names that. 0: it does not switch.
static int switching_style(const bspi_relight *own, const bsp_entity *entity) {
    const bsp_entities *entities = bspi_lit_entities(own);
    bsp_text name = bsp_entity_value(entity, "targetname");
    for (uint32_t i = 0; entities != NULL && name.size != 0 && i < entities->count; i++) {
        if (bsp_text_equal(bspi_key(&entities->list[i], "_switchableshadow_target"), name)) {
            return bspi_key_whole(&entities->list[i], "_style", 0, 0, 254);
        }
    }
    return bspi_key_number(entity, "_switchableshadow", 0) > 0 ? bspi_style_switched(own, entity)
                                                               : 0;
}

// Sets how a model casts shadows.
static void set_shadow(const bspi_relight *own, const bsp_entity *entity, bspi_lit_model *model) {
    bool itself = bspi_key_number(entity, "_shadowself", 0) == 1 ||
                  bspi_key_number(entity, "_selfshadow", 0) == 1;
    bool world = bspi_number(entity, "_shadowworldonly", 0) == 1;
    model->channels = bspi_key_channels(entity, "_object_channel_mask", BSPI_CHANNEL);
    model->shades = casts(own, entity);
    model->only = model->shades ? BSPI_SHADES_ALL
                  : itself      ? BSPI_SHADES_ITSELF
                  : world       ? BSPI_SHADES_WORLD
                                : BSPI_SHADES_ALL;
    model->style = switching_style(own, entity);
    if (model->style != 0) {
        model->shades = false;
        model->only = BSPI_SHADES_STYLE;
    }
    model->opacity = bspi_key_number(entity, "_alpha", NAN);
}

// Sets how a model is lit.
static void set_light(const bspi_relight *own, const bsp_entity *entity, bspi_lit_model *model) {
    model->unlit = bspi_key_number(entity, "_lightignore", 0) != 0;
    model->both = bspi_key_number(entity, "_light_twosided", 0) != 0;
    model->absorbs = bspi_key_number(entity, "_bounce", 0) == -1;
    model->clean = bspi_key_number(entity, "_dirt", 0) == -1;
    model->most = own->map->traits->lights.unit * bspi_key_number(entity, "_maxlight", 0);
    model->pale = 1 - bspi_key_number(entity, "_lightcolorscale", 1);
}

static void take_entity(bspi_relight *own, const bsp_entity *entity, uint32_t number) {
    const bsp_map *map = own->map;
    bspi_lit_model *model = &own->models[number];
    bsp_placement place = bsp_entity_placement(map, entity);
    if (model->entity == NULL) {
        model->entity = entity;
    }
    memcpy(model->origin, place.origin, sizeof place.origin);
    set_shadow(own, entity, model);
    set_light(own, entity, model);
    set_middle(map, entity, number, model->middle);
    own->any_switches |= model->style != 0;
}

// Returns what looking at all entities takes.
static uint64_t steps_of(const bsp_entities *entities) {
    uint64_t steps = 1;
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        steps += 1 + (uint64_t)entities->list[i].num_pairs;
    }
    return steps / KEYS;
}

bool bspi_models_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    own->models =
        bspi_arena_zero(&own->arena, (size_t)map->num_models + 1, sizeof *own->models, error);
    own->face_models =
        bspi_arena_zero(&own->arena, map->num_faces, sizeof *own->face_models, error);
    own->shading =
        bspi_arena_zero(&own->arena, (size_t)map->num_models + 1, sizeof *own->shading, error);
    if (own->models == NULL || own->face_models == NULL || own->shading == NULL ||
        !bspi_style_names_find(own, error)) {
        return false;
    }
    for (uint32_t m = 0; m <= map->num_models; m++) {
        own->models[m].opacity = NAN;
        own->models[m].channels = BSPI_CHANNEL;
    }
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    uint64_t steps = 1 + steps_of(map->entities) + steps_of(bspi_lit_entities(own));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(map, &map->entities->list[i]);
        if (model != BSP_NONE && model != 0 && model < map->num_models) {
            take_entity(own, &map->entities->list[i], model);
            if (!bspi_heap_work(&own->heap, steps, error)) {
                return false;
            }
        }
    }
    for (uint32_t m = 0; m < map->num_models; m++) {
        const bsp_model *model = &map->models[m];
        uint32_t end = model->first_face + model->num_faces;
        if (own->models[m].shades) {
            own->shading[own->num_shading++] = m;
        }
        for (uint32_t f = model->first_face; f < end && f < map->num_faces; f++) {
            own->face_models[f] = m;
        }
        if (!bspi_heap_work(&own->heap, 1 + model->num_faces / 8, error)) {
            return false;
        }
    }
    return true;
}
