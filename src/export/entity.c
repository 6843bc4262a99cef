// SPDX-License-Identifier: MIT
// The place of an entity by its keys. Values come from a file and may be any text.
#include "export/entity.h"

#include "core/memory.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return (unsigned char)c <= ' ';
}

int bspi_numbers(bsp_text value, float *out, int count) {
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        while (at < value.size && is_blank(value.data[at])) {
            at++;
        }
        size_t start = at;
        while (at < value.size && !is_blank(value.data[at])) {
            at++;
        }
        float number;
        bsp_text word = {value.data == NULL ? NULL : value.data + start, at - start};
        if (word.size == 0 || !bsp_parse_float(word, &number) || !isfinite(number)) {
            return i;
        }
        out[i] = number;
    }
    return count;
}

float bspi_number(const bsp_entity *entity, const char *key, float otherwise) {
    (void)bspi_numbers(bsp_entity_value(entity, key), &otherwise, 1);
    return otherwise;
}

bool bspi_has(const bsp_entity *entity, const char *key) {
    return bsp_entity_value(entity, key).size != 0;
}

void bspi_area_name(uint32_t id, char *out) {
    static const char start[] = "nav_area.";
    memcpy(out, start, sizeof start - 1);
    out[sizeof start - 1 + bspi_format_uint(out + sizeof start - 1, id)] = '\0';
}

void bspi_model_name(uint32_t model, char *out) {
    out[0] = '*';
    out[1 + bspi_format_uint(out + 1, model)] = '\0';
}

bsp_text bspi_entity_name(const bsp_entity *entity) {
    static const char *const keys[] = {"targetname", "classname"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bsp_text name = bsp_entity_value(entity, keys[i]);
        if (name.size != 0) {
            return name;
        }
    }
    return bsp_text_of("entity");
}

bspi_stand bspi_stand_of(const bsp_placement *place) {
    bspi_stand stand = {.turn = bspi_turn_of_angles(place->angles), .scale = 1};
    memcpy(stand.origin, place->origin, sizeof stand.origin);
    return stand;
}

// --- extras -------------------------------------------------------------------------------------

// A pair, sorted by key, and the next one with the same key.
typedef struct ordered {
    const bsp_pair *pair;
    uint32_t index;
} ordered;

static int by_key(const void *left, const void *right) {
    const ordered *a = left;
    const ordered *b = right;
    int order = bspi_text_compare(a->pair->key, b->pair->key);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Gives for each pair BSP_NONE if an earlier one has its key, else its place in `order`.
static void find_first(ordered *order, uint32_t *first, const bsp_entity *entity) {
    uint32_t count = entity->num_pairs;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (ordered){&entity->pairs[i], i};
    }
    qsort(order, count, sizeof *order, by_key);
    for (uint32_t i = 0; i < count; i++) {
        bool again = i != 0 && bsp_text_equal(order[i].pair->key, order[i - 1].pair->key);
        first[order[i].index] = again ? BSP_NONE : i;
    }
}

// Writes a key, which may contain any bytes including NUL.
static void write_key(bsp_json *json, bsp_text key) {
    bsp_json_text(json, key);
    if (json->used == sizeof json->buffer) {
        (void)bsp_json_flush(json);
    }
    json->buffer[json->used++] = ':';
    json->comma = false;
}

static void write_pairs(const bsp_entity *entity, const ordered *order, const uint32_t *first,
                        bsp_json *json) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (first[i] == BSP_NONE) {
            continue;
        }
        uint32_t end = first[i] + 1;
        while (end < entity->num_pairs &&
               bsp_text_equal(order[end].pair->key, entity->pairs[i].key)) {
            end++;
        }
        write_key(json, entity->pairs[i].key);
        if (end == first[i] + 1) {
            bsp_json_text(json, entity->pairs[i].value);
            continue;
        }
        bsp_json_array(json);
        for (uint32_t n = first[i]; n < end; n++) {
            bsp_json_text(json, order[n].pair->value);
        }
        bsp_json_array_end(json);
    }
}

bool bspi_entity_extras(const bsp_entity *entity, const bsp_allocator *allocator, bsp_json *json,
                        bsp_error *error) {
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    size_t count = entity->num_pairs;
    ordered *order = bspi_heap_alloc(&heap, count * sizeof *order, error);
    uint32_t *first = bspi_heap_alloc(&heap, count * sizeof *first, error);
    bool done = order != NULL && first != NULL;
    if (done) {
        find_first(order, first, entity);
        write_pairs(entity, order, first, json);
    }
    bspi_heap_free(&heap, order, count * sizeof *order);
    bspi_heap_free(&heap, first, count * sizeof *first);
    return done;
}
