// SPDX-License-Identifier: MIT
// Differences between lists of entities as a configuration file of Stripper:Source, a plugin of
// game servers.
#include "bspkit/compare.h"

#include <assert.h>

typedef struct writer {
    bsp_sink sink;
    void *user;
    bool failed;
} writer;

static void put(writer *w, bsp_text text) {
    w->failed = w->failed || (text.size != 0 && !w->sink(w->user, text.data, text.size));
}

static void put_line(writer *w, const char *line) {
    put(w, bsp_text_of(line));
}

static void put_pair(writer *w, const char *indent, const bsp_pair *pair) {
    put_line(w, indent);
    put_line(w, "\"");
    put(w, pair->key);
    put_line(w, "\" \"");
    put(w, pair->value);
    put_line(w, "\"\n");
}

static void put_addition(writer *w, const bsp_entity *entity) {
    put_line(w, "add:\n{\n");
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        put_pair(w, "", &entity->pairs[i]);
    }
    put_line(w, "}\n");
}

// Returns true for a value between slashes, which the plugin would take for a regular expression.
static bool is_pattern(const bsp_pair *pair) {
    size_t size = pair->value.size;
    return size > 1 && pair->value.data[0] == '/' && pair->value.data[size - 1] == '/';
}

static void put_match(writer *w, const char *indent, const bsp_entity *entity) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (!is_pattern(&entity->pairs[i])) {
            put_pair(w, indent, &entity->pairs[i]);
        }
    }
}

static bool has_gone(const bsp_entity_match *m) {
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        if (m->pairs[i].before != BSP_NONE) {
            return true;
        }
    }
    return false;
}

// Writes a changed pair as one to delete and one to insert.
static void put_modification(writer *w, const bsp_entity_match *m, const bsp_entity *before,
                             const bsp_entity *after) {
    put_line(w, "modify:\n{\n    match:\n    {\n");
    put_match(w, "        ", before);
    put_line(w, "    }\n");
    if (has_gone(m)) {
        put_line(w, "    delete:\n    {\n");
        for (uint32_t i = 0; i < m->num_pairs; i++) {
            if (m->pairs[i].before != BSP_NONE) {
                put_pair(w, "        ", &before->pairs[m->pairs[i].before]);
            }
        }
        put_line(w, "    }\n");
    }
    if (m->num_came != 0) {
        put_line(w, "    insert:\n    {\n");
        for (uint32_t i = 0; i < m->num_came; i++) {
            put_pair(w, "        ", &after->pairs[m->came[i]]);
        }
        put_line(w, "    }\n");
    }
    put_line(w, "}\n");
}

static void put_match_of(writer *w, const bsp_entity_match *m, const bsp_entities *before,
                         const bsp_entities *after) {
    if (m->before == BSP_NONE) {
        put_addition(w, &after->list[m->after]);
    } else if (m->after == BSP_NONE) {
        put_line(w, "filter:\n{\n");
        put_match(w, "", &before->list[m->before]);
        put_line(w, "}\n");
    } else if (m->num_pairs != 0) {
        put_modification(w, m, &before->list[m->before], &after->list[m->after]);
    }
}

static bool finish(const writer *w, bsp_error *error) {
    return !w->failed || bsp_fail(error, BSP_E_IO, NULL, "the configuration cannot be written");
}

bool bsp_entity_diff_stripper(const bsp_entity_diff *diff, const bsp_entities *before,
                              const bsp_entities *after, bsp_sink sink, void *user,
                              bsp_error *error) {
    assert(diff != NULL && before != NULL && after != NULL && sink != NULL);
    writer w = {.sink = sink, .user = user};
    for (uint32_t i = 0; i < diff->count && !w.failed; i++) {
        put_match_of(&w, &diff->matches[i], before, after);
    }
    return finish(&w, error);
}

bool bsp_entity_stripper(const bsp_entity *entity, bsp_sink sink, void *user, bsp_error *error) {
    assert(entity != NULL && sink != NULL);
    writer w = {.sink = sink, .user = user};
    put_addition(&w, entity);
    return finish(&w, error);
}
