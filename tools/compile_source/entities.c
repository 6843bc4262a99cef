// SPDX-License-Identifier: MIT
// The entity text: what the drawing has, without the entities that became something else, with the
// model numbers of brush entities and the styles of lights that can be switched.
#include "world.h"

#include <stdio.h>
#include <string.h>

static void put_pair(bytes *out, const char *key, const char *value) {
    bytes_add(out, "\"", 1);
    bytes_add(out, key, strlen(key));
    bytes_add(out, "\" \"", 3);
    bytes_add(out, value, strlen(value));
    bytes_add(out, "\"\n", 2);
}

static void put_place(bytes *out, const char *key, vec3 at) {
    char text[96];
    snprintf(text, sizeof text, "%g %g %g", at.v[0], at.v[1], at.v[2]);
    put_pair(out, key, text);
}

static void put_number(bytes *out, const char *key, const char *before, uint32_t number) {
    char text[32];
    snprintf(text, sizeof text, "%s%u", before, number);
    put_pair(out, key, text);
}

// True if the pair is written from what the compiler knows instead.
static bool replaced(const entity *e, const char *key) {
    return same_text(key, "id") || (same_text(key, "origin") && e->num_brushes != 0) ||
           (same_text(key, "style") && e->style != BSP_NONE);
}

static void put_entity(bytes *out, const world *w, const entity *e) {
    bytes_add(out, "{\n", 2);
    if (e == w->entities) {
        put_place(out, "world_maxs", w->models[0].box.maxs);
        put_place(out, "world_mins", w->models[0].box.mins);
    } else if (e->num_brushes != 0) {
        put_place(out, "origin", e->origin);
        put_number(out, "model", "*", e->model);
    }
    if (e->style != BSP_NONE) {
        put_number(out, "style", "", e->style);
        const char *drawn = kv_value(e->keys, "style", "0");
        if (!same_text(drawn, "0")) {
            put_pair(out, "defaultstyle", drawn);
        }
    }
    for (uint32_t i = 0; i < e->keys->count; i++) {
        const kv *pair = &e->keys->list[i];
        if (pair->value != NULL && !replaced(e, pair->name)) {
            put_pair(out, pair->name, pair->value);
        }
    }
    const kv *connections = kv_block(e->keys, "connections");
    for (uint32_t i = 0; connections != NULL && i < connections->count; i++) {
        put_pair(out, connections->list[i].name, connections->list[i].value);
    }
    put_pair(out, "hammerid", kv_value(e->keys, "id", "0"));
    bytes_add(out, "}\n", 2);
}

char *entity_text(world *w, size_t *size) {
    bytes out = {NULL, 0};
    for (uint32_t i = 0; i < w->num_entities; i++) {
        if (!w->entities[i].dropped) {
            put_entity(&out, w, &w->entities[i]);
        }
    }
    bytes_add(&out, "", 1);
    *size = out.size;
    return (char *)out.data;
}
