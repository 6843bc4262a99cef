// SPDX-License-Identifier: MIT
// What an entity shows by its keys and by the definition of its class. Keys: sheet
// entities, section 2.
#include "scene/shows.h"

#include "core/text.h"
#include "map/entity.h"

#include <math.h>

// Endings of files that are models or sprites whatever their game.
static bool is_model_name(bsp_text path) {
    static const char *const endings[] = {".mdl", ".md2", ".md3", ".iqm", ".spr", ".sp2", ".glm",
                                          ".mdr", ".fm",  ".mdx", ".dkm", ".bsp", ".vmt"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (bspi_text_ends_nocase(path, endings[i])) {
            return true;
        }
    }
    return false;
}

static uint32_t number_of(const bsp_entity *entity, const char *key, uint32_t otherwise) {
    int64_t number;
    bool given = bsp_parse_int(bsp_entity_value(entity, key), &number);
    return given && number >= 0 && number <= INT32_MAX ? (uint32_t)number : otherwise;
}

static float factor_of(const bsp_entity *entity, const char *key, float otherwise) {
    float factor;
    bool given = bsp_parse_float(bsp_entity_value(entity, key), &factor);
    return given && isfinite(factor) && factor > 0 && factor < 1e4F ? factor : otherwise;
}

// The keys that change what the class says.
static void apply_keys(const bsp_entity *entity, bspi_shown *out) {
    out->skin = number_of(entity, "skin", out->skin);
    out->body = number_of(entity, "body", out->body);
    out->frame = number_of(entity, "frame", out->frame);
    bsp_text named = bsp_entity_value(entity, "DefaultAnim");
    out->sequence = named.size != 0 ? named : bsp_entity_value(entity, "sequence");
    out->scale = factor_of(entity, "scale", out->scale);
    out->scale = factor_of(entity, "modelscale", out->scale);
}

static bool by_key(const bsp_entity *entity, bspi_shown *out) {
    static const char *const keys[] = {"model", "model2", "mdl"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bsp_text path = bsp_entity_value(entity, keys[i]);
        if (path.size != 0 && !bspi_is_brush_model(path) && is_model_name(path)) {
            *out = (bspi_shown){.path = path, .scale = 1};
            return true;
        }
    }
    return false;
}

// Pictures that only editors draw are not taken.
static bool by_definition(const bsp_definitions *definitions, const bsp_entity *entity,
                          bspi_shown *out) {
    bsp_class_model model;
    if (definitions == NULL || !bsp_definitions_model(definitions, entity, &model) ||
        !is_model_name(model.path)) {
        return false;
    }
    const bsp_entity_class *named =
        bsp_definitions_find(definitions, bsp_entity_value(entity, "classname"));
    const bsp_entity_class *at = bsp_definitions_picture(definitions, named);
    if (at == NULL || at->shows == BSP_CLASS_SPRITE) {
        return false;
    }
    *out = (bspi_shown){.path = model.path,
                        .skin = model.skin,
                        .frame = model.frame,
                        .sequence = model.frame_name,
                        .scale = model.scale,
                        .pitch_negated = model.pitch_negated};
    return true;
}

bool bspi_entity_shows(const bspi_scene_builder *builder, const bsp_entity *entity,
                       bspi_shown *out) {
    bsp_text name = bsp_entity_value(entity, "classname");
    // The compiler of Quake 3 makes this class into faces, and starts are not drawn.
    if (bspi_text_is(name, "misc_model") || bspi_text_begins_nocase(name, "info_player_") ||
        bspi_text_is(name, "worldspawn")) {
        return false;
    }
    if (!by_key(entity, out) && !by_definition(builder->options->definitions, entity, out) &&
        !bspi_class_shows(builder->map, entity, out)) {
        return false;
    }
    apply_keys(entity, out);
    return true;
}

bool bspi_entity_is_drawn(const bsp_map *map, const bsp_entity *entity) {
    enum { NO_DRAW = 32, STARTS_ON = 1 };
    bsp_text name = bsp_entity_value(entity, "classname");
    bool sprite = bspi_text_is(name, "env_sprite") || bspi_text_is(name, "env_glow");
    bool off = sprite && bsp_entity_value(entity, "targetname").size != 0 &&
               (number_of(entity, "spawnflags", 0) & STARTS_ON) == 0;
    bool hidden = (number_of(entity, "effects", 0) & NO_DRAW) != 0 ||
                  number_of(entity, "StartDisabled", 0) != 0;
    return !off && !hidden && bsp_entity_look_of(map, entity).opacity > 0;
}
