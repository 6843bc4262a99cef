// SPDX-License-Identifier: MIT
// The entity text: what the drawing has, without the entities that became something else, with the
// model numbers of brush entities and the styles of lights that can be switched.
#include "keys.h"

#include "core/text.h"

static void put_text(bspi_buffer *out, bsp_text text) {
    bspi_buffer_add(out, text.data, text.size);
}

static void put_pair(bspi_buffer *out, const char *key, bsp_text value) {
    put_text(out, text_format("\"%s\" \"%.*s\"\n", key, TEXT_ARGS(value)));
}

static void put_place(bspi_buffer *out, const char *key, vec3 at) {
    put_pair(out, key, text_format("%g %g %g", at.v[0], at.v[1], at.v[2]));
}

// True if the pair is written from what the compiler knows instead.
static bool replaced(const entity *e, bsp_text key) {
    return (bspi_text_is(key, "origin") && e->num_brushes != 0) ||
           (bspi_text_is(key, "style") && e->style != BSP_NONE);
}

static void put_pairs(bspi_buffer *out, const world *w, const entity *e, bool outputs) {
    const bsp_mapdoc_entity *drawn = &w->drawing->entities[e->number];
    for (uint32_t i = 0; i < drawn->num_pairs; i++) {
        const bsp_mapdoc_pair *pair = &w->drawing->pairs[drawn->first_pair + i];
        if (pair->output == outputs && (outputs || !replaced(e, pair->key))) {
            put_text(out, text_format("\"%.*s\" \"%.*s\"\n", TEXT_ARGS(pair->key),
                                      TEXT_ARGS(pair->value)));
        }
    }
}

static void put_entity(bspi_buffer *out, const world *w, const entity *e) {
    bspi_buffer_add(out, "{\n", 2);
    if (e == w->entities) {
        put_place(out, "world_maxs", w->models[0].box.maxs);
        put_place(out, "world_mins", w->models[0].box.mins);
    } else if (e->num_brushes != 0) {
        put_place(out, "origin", e->origin);
        put_pair(out, "model", text_format("*%u", e->model));
    }
    if (e->style != BSP_NONE) {
        put_pair(out, "style", text_format("%u", e->style));
        bsp_text drawn = key_text(w, e, "style");
        if (drawn.size != 0 && !bspi_text_is(drawn, "0")) {
            put_pair(out, "defaultstyle", drawn);
        }
    }
    put_pairs(out, w, e, false);
    put_pairs(out, w, e, true);
    put_pair(out, "hammerid", text_format("%u", w->drawing->entities[e->number].id));
    bspi_buffer_add(out, "}\n", 2);
}

bsp_text entity_text(world *w) {
    bspi_buffer *out = &w->entity_text;
    for (uint32_t i = 0; i < w->num_entities; i++) {
        if (!w->entities[i].dropped) {
            put_entity(out, w, &w->entities[i]);
        }
    }
    bspi_buffer_add(out, "", 1);
    return (bsp_text){(const char *)out->data, out->size};
}
