// SPDX-License-Identifier: MIT
// Reads entities. JSON text is UTF-8 and entity text is any bytes: the old entities are printed as
// JSON too, and only what differs from that is taken from the file.
#include "cli/commands/entity_import.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct importer {
    const char *path;
    const bsp_entities *old;
    json_t *before; // the old entities
    json_t *after;  // those of the file
    bsp_entity_source *list;
    bsp_pair *pairs; // of all new entities
    size_t num_pairs;
} importer;

static bool refuse(const importer *m, size_t entity, const char *what) {
    cli_message(m->path, "entity %zu of the list: %s", entity, what);
    return false;
}

// --- the old entities as JSON -------------------------------------------------------------------

typedef struct text_room {
    char *data;
    size_t size;
    size_t room;
} text_room;

static bool collect(void *user, const char *data, size_t size) {
    text_room *t = user;
    if (size > t->room - t->size) {
        size_t room = (t->size + size) * 2;
        char *more = realloc(t->data, room);
        if (more == NULL) {
            return false;
        }
        t->data = more;
        t->room = room;
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
    return true;
}

static json_t *print_old(const bsp_entities *old) {
    text_room text = {0};
    bsp_json json;
    bsp_json_begin(&json, collect, &text);
    bsp_json_array(&json);
    for (uint32_t i = 0; i < old->count; i++) {
        bsp_entity_json(&old->list[i], i, &json);
    }
    bsp_json_array_end(&json);
    json_t *read = NULL;
    if (bsp_json_flush(&json)) {
        read = json_loadb(text.data, text.size, JSON_ALLOW_NUL, NULL);
    }
    free(text.data);
    return read;
}

// --- the list -----------------------------------------------------------------------------------

static bool is_pair(const json_t *pair) {
    return json_array_size(pair) == 2 && json_is_string(json_array_get(pair, 0)) &&
           json_is_string(json_array_get(pair, 1));
}

static bsp_text text_of(const json_t *string) {
    return (bsp_text){json_string_value(string), json_string_length(string)};
}

// Finds the old pair that prints the same, so that its bytes are kept: at its old place or
// elsewhere.
static bool find_old(const importer *m, uint32_t entity, size_t at, const json_t *pair,
                     bsp_pair *out) {
    const json_t *pairs = json_object_get(json_array_get(m->before, entity), "pairs");
    size_t count = json_array_size(pairs);
    for (size_t i = 0; i < count; i++) {
        size_t place = (at + i) % count;
        if (json_equal(json_array_get(pairs, place), pair)) {
            *out = m->old->list[entity].pairs[place];
            return true;
        }
    }
    return false;
}

static bool add_new(importer *m, size_t number, uint32_t entity, const json_t *pairs) {
    bsp_entity_source *source = &m->list[number];
    source->entity = BSP_NONE;
    source->pairs = &m->pairs[m->num_pairs];
    source->num_pairs = (uint32_t)json_array_size(pairs);
    for (size_t i = 0; i < source->num_pairs; i++) {
        const json_t *pair = json_array_get(pairs, i);
        bsp_pair *out = &m->pairs[m->num_pairs++];
        if (entity == BSP_NONE || !find_old(m, entity, i, pair, out)) {
            *out = (bsp_pair){text_of(json_array_get(pair, 0)), text_of(json_array_get(pair, 1))};
        }
    }
    return true;
}

static bool add(importer *m, size_t number) {
    const json_t *object = json_array_get(m->after, number);
    const json_t *index = json_object_get(object, "index");
    const json_t *pairs = json_object_get(object, "pairs");
    if (!json_is_array(pairs)) {
        return refuse(m, number, "it has no \"pairs\"");
    }
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        if (!is_pair(json_array_get(pairs, i))) {
            return refuse(m, number, "a pair is not [\"key\", \"value\"]");
        }
    }
    if (index == NULL) {
        return add_new(m, number, BSP_NONE, pairs);
    }
    json_int_t value = json_integer_value(index);
    if (!json_is_integer(index) || value < 0 || value >= m->old->count) {
        return refuse(m, number, "its \"index\" is none of the map's (a new entity has none)");
    }
    const json_t *before = json_array_get(m->before, (size_t)value);
    if (json_equal(json_object_get(before, "pairs"), pairs)) {
        m->list[number].entity = (uint32_t)value;
        return true;
    }
    return add_new(m, number, (uint32_t)value, pairs);
}

static bool compose(importer *m, bsp_blob *out) {
    size_t count = json_array_size(m->after);
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) {
        pairs += json_array_size(json_object_get(json_array_get(m->after, i), "pairs"));
    }
    m->list = calloc(count + 1, sizeof *m->list);
    m->pairs = calloc(pairs + 1, sizeof *m->pairs);
    if (m->list == NULL || m->pairs == NULL || m->before == NULL) {
        cli_message(m->path, "no memory");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!add(m, i)) {
            return false;
        }
    }
    bsp_error error;
    if (!bsp_entities_compose(m->old, m->list, (uint32_t)count, NULL, out, &error)) {
        (void)cli_report(m->path, &error);
        return false;
    }
    return true;
}

// --- any form -----------------------------------------------------------------------------------

static bsp_entity_edit *import_text(const char *path, bsp_text text, const bsp_entities *old) {
    bsp_error error;
    bsp_entity_edit *edit = bsp_entities_import(old, text, NULL, NULL, &error);
    if (edit == NULL) {
        (void)cli_report(path, &error);
    }
    return edit;
}

static bsp_entity_edit *import_json(const char *path, bsp_bytes bytes, const bsp_entities *old) {
    json_error_t wrong;
    bsp_blob blob = {0};
    bsp_entity_edit *edit = NULL;
    importer m = {.path = path, .old = old};
    m.after = json_loadb((const char *)bytes.data, bytes.size, JSON_ALLOW_NUL, &wrong);
    if (m.after == NULL) {
        cli_message(path, "line %d: %s", wrong.line, wrong.text);
        return NULL;
    }
    m.before = print_old(old);
    if (compose(&m, &blob)) {
        edit = import_text(path, (bsp_text){(const char *)blob.data, blob.size}, old);
    }
    bsp_blob_free(&blob);
    free(m.list);
    free(m.pairs);
    json_decref(m.before);
    json_decref(m.after);
    return edit;
}

bsp_entity_edit *cli_entity_import(const char *path, bsp_bytes bytes, const bsp_entities *old) {
    size_t first = 0;
    while (first < bytes.size && bytes.data[first] <= ' ') {
        first++;
    }
    bool json = first < bytes.size && bytes.data[first] == '[';
    return json ? import_json(path, bytes, old)
                : import_text(path, (bsp_text){(const char *)bytes.data, bytes.size}, old);
}
