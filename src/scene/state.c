// SPDX-License-Identifier: MIT
// What a state changes: keys of entities, and the factors of light styles. Patterns: world.qc of
// Quake's programs, which GoldSrc, Quake 2 and Source took over (the twelfth is GoldSrc's);
// switched styles: their light entities (misc.qc, g_misc.c, lights.cpp).
#include "scene/scene.h"

#include "core/text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define STEPS_A_SECOND 10.0
#define WHOLE 12 // letters from "a", which is dark, to "m"
#define FIRST_SWITCHED 32u
#define STARTS_DARK 1

// --- keys ---------------------------------------------------------------------------------------

static const bsp_scene_key *find_key(const bsp_scene_state *state, uint32_t entity, bsp_text key) {
    const bsp_scene_key *found = NULL;
    for (uint32_t i = 0; state != NULL && i < state->num_keys; i++) {
        const bsp_scene_key *it = &state->keys[i];
        if (it->entity == entity && bspi_text_equal_nocase(key, bsp_text_of(it->key))) {
            found = it;
        }
    }
    return found;
}

bsp_text bspi_state_value(const bsp_scene_state *state, const bsp_map *map, uint32_t entity,
                          const char *key) {
    const bsp_scene_key *set = find_key(state, entity, bsp_text_of(key));
    return set != NULL ? set->value : bsp_entity_value(&map->entities->list[entity], key);
}

static bool is_changed(const bsp_scene_state *state, uint32_t entity) {
    for (uint32_t i = 0; state != NULL && i < state->num_keys; i++) {
        if (state->keys[i].entity == entity) {
            return true;
        }
    }
    return false;
}

// The set values precede the entity's own pairs: the first pair with a key counts.
bool bspi_state_entity(bspi_scene_builder *builder, uint32_t entity, const bsp_entity **out) {
    const bsp_scene_state *state = builder->options->state;
    const bsp_entity *from = &builder->map->entities->list[entity];
    *out = from;
    if (state != NULL && !bspi_meter_add(&builder->meter, state->num_keys)) {
        return false;
    }
    if (!is_changed(state, entity)) {
        return true;
    }
    bspi_arena *arena = &builder->own->arena;
    size_t room = (size_t)state->num_keys + from->num_pairs;
    bsp_entity *copy = bspi_arena_raw(arena, 1, sizeof *copy, builder->error);
    bsp_pair *pairs = bspi_arena_raw(arena, room, sizeof *pairs, builder->error);
    if (copy == NULL || pairs == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = state->num_keys; i-- > 0;) {
        if (state->keys[i].entity == entity) {
            pairs[count++] = (bsp_pair){bsp_text_of(state->keys[i].key), state->keys[i].value};
        }
    }
    for (uint32_t i = 0; i < from->num_pairs; i++) {
        pairs[count++] = from->pairs[i];
    }
    *copy = *from;
    copy->pairs = pairs;
    copy->num_pairs = count;
    *out = copy;
    return true;
}

// --- light styles -------------------------------------------------------------------------------

static const char *const patterns[] = {
    "m",
    "mmnmmommommnonmmonqnmmo",
    "abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba",
    "mmmmmaaaaammmmmaaaaaabcdefgabcdefg",
    "mamamamamama",
    "jklmnopqrstuvwxyzyxwvutsrqponmlkj",
    "nmonqnmomnmomomno",
    "mmmaaaabcdefgmmmmaaaammmaamm",
    "mmmaaammmaaammmabcdefaaaammmmabcdefmmmaaaa",
    "aaaaaaaazzzzzzzz",
    "mmamammmmammamamaaamammma",
    "abcdefghijklmnopqrrqponmlkjihgfedcba",
    "mmnnmmnnnmmnn",
};

static float value_at(bsp_text pattern, float time) {
    double step = isfinite(time) && time > 0 ? floor((double)time * STEPS_A_SECOND) : 0;
    size_t at = pattern.size == 0 ? 0 : (size_t)fmod(step, (double)pattern.size);
    int letter = pattern.size == 0 ? 'm' : pattern.data[at];
    letter = letter < 'a' ? 'a' : letter > 'z' ? 'z' : letter;
    return (float)(letter - 'a') / WHOLE;
}

static uint32_t style_of(bsp_text text) {
    int64_t style;
    bool given = bsp_parse_int(text, &style) && style >= 0 && style < BSP_LIGHT_STYLES;
    return given ? (uint32_t)style : 0;
}

static void set_switched(const bsp_map *map, const bsp_scene_state *state, uint32_t entity,
                         float styles[BSP_LIGHT_STYLES]) {
    uint32_t style = style_of(bspi_state_value(state, map, entity, "style"));
    int64_t flags = 0;
    if (style < FIRST_SWITCHED) {
        return;
    }
    (void)bsp_parse_int(bspi_state_value(state, map, entity, "spawnflags"), &flags);
    bool dark = (flags & STARTS_DARK) != 0;
    bsp_text pattern = bspi_state_value(state, map, entity, "pattern");
    styles[style] = dark ? 0 : value_at(pattern, state == NULL ? 0 : state->time);
}

void bsp_scene_styles(const bsp_map *map, const bsp_scene_state *state,
                      float styles[BSP_LIGHT_STYLES]) {
    assert(map != NULL && styles != NULL);
    for (uint32_t i = 0; i < BSP_LIGHT_STYLES; i++) {
        styles[i] = i < sizeof patterns / sizeof *patterns
                        ? value_at(bsp_text_of(patterns[i]), state == NULL ? 0 : state->time)
                        : 1;
    }
    for (uint32_t i = 0; map->entities != NULL && i < map->entities->count; i++) {
        if (bspi_text_begins_nocase(bspi_state_value(state, map, i, "classname"), "light")) {
            set_switched(map, state, i, styles);
        }
    }
    for (uint32_t i = 0; state != NULL && i < state->num_styles; i++) {
        float value = state->styles[i].value;
        if (state->styles[i].style < BSP_LIGHT_STYLES && isfinite(value) && value >= 0) {
            styles[state->styles[i].style] = value;
        }
    }
}
