// SPDX-License-Identifier: MIT
// Finds the counterparts of entities in two lists, in passes: each considers what the ones before
// left, and sorts it by what identifies an entity in this pass. The rest was added or removed.
#include "compare/diff.h"

#include "core/text.h"
#include "map/entity.h"

#include <string.h>

typedef struct matcher {
    bspi_diff *d;
    const bsp_entities *all[2];
    uint32_t *other[2]; // for each entity its counterpart, or BSP_NONE
    bspi_named *lists[2];
    uint32_t counts[2];
} matcher;

// What identifies an entity in a pass. Without keys it is all pairs but those that moving it
// changes, or moving it and compiling the map again.
#define MOST_KEYS 3
typedef struct pass {
    const char *keys[MOST_KEYS]; // entities have all of them
    bool but_origin;
    bool but_brushes;
    bool alone; // entities without another name that are the only ones of their class left
} pass;

static const pass passes[] = {
    {.keys = {NULL}},
    {.keys = {"classname", "targetname", "origin"}},
    {.keys = {"classname", "hammerid"}},
    {.keys = {"classname", "targetname"}},
    {.keys = {"classname", "origin"}},
    {.but_origin = true},
    {.keys = {"classname", "model"}},
    {.keys = {"hammerid"}},
    {.but_origin = true, .but_brushes = true},
    {.keys = {"classname", "target"}},
    {.keys = {"classname"}, .alone = true},
};
#define NUM_PASSES (sizeof passes / sizeof *passes)

static void append(char *out, size_t *used, bsp_text text) {
    if (text.size != 0) {
        memcpy(out + *used, text.data, text.size);
    }
    *used += text.size;
    out[(*used)++] = '\0';
}

static bool leaves_out(const pass *by, const bsp_pair *pair) {
    return (by->but_origin && bspi_text_equal_nocase(pair->key, bsp_text_of("origin"))) ||
           (by->but_brushes && bspi_is_brush_model(pair->value) &&
            bspi_text_equal_nocase(pair->key, bsp_text_of("model")));
}

static bool name_pairs(bspi_diff *d, const bsp_pair *pairs, uint32_t count, const pass *by,
                       bsp_text *out) {
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += pairs[i].key.size + pairs[i].value.size + 2;
    }
    char *text = bspi_arena_raw(&d->arena, size + 1, 1, d->error);
    size_t used = 0;
    for (uint32_t i = 0; text != NULL && i < count; i++) {
        if (!leaves_out(by, &pairs[i])) {
            append(text, &used, pairs[i].key);
            append(text, &used, pairs[i].value);
        }
    }
    *out = (bsp_text){text, used};
    return text != NULL;
}

bool bspi_name_pairs(bspi_diff *d, const bsp_pair *pairs, uint32_t count, bsp_text *out) {
    return name_pairs(d, pairs, count, &passes[0], out);
}

static bool has_other_name(const bsp_entity *entity) {
    return bsp_entity_value(entity, "targetname").size != 0 ||
           bsp_entity_value(entity, "hammerid").size != 0 ||
           bspi_is_brush_model(bsp_entity_value(entity, "model"));
}

// Gives what identifies an entity in a pass; NULL data when the pass does not consider it. Returns
// false without memory.
static bool identity(bspi_diff *d, const bsp_entity *entity, const pass *by, bsp_text *out) {
    const char *const *keys = by->keys;
    bsp_text values[MOST_KEYS] = {{NULL, 0}};
    size_t size = 0;
    size_t used = 0;
    *out = (bsp_text){NULL, 0};
    if (keys[0] == NULL) {
        return name_pairs(d, entity->pairs, entity->num_pairs, by, out);
    }
    if (by->alone && has_other_name(entity)) {
        return true;
    }
    for (int k = 0; k < MOST_KEYS && keys[k] != NULL; k++) {
        values[k] = bsp_entity_value(entity, keys[k]);
        size += values[k].size + 1;
        if (values[k].size == 0) {
            return true;
        }
    }
    char *text = bspi_arena_raw(&d->arena, size + 1, 1, d->error);
    for (int k = 0; text != NULL && k < MOST_KEYS && keys[k] != NULL; k++) {
        append(text, &used, values[k]);
    }
    *out = (bsp_text){text, used};
    return text != NULL;
}

static void match(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b) {
    (void)d;
    (void)name;
    matcher *m = user;
    if (a != BSP_NONE && b != BSP_NONE) {
        m->other[0][a] = b;
        m->other[1][b] = a;
    }
}

// Takes out of a sorted list all names that stand in it more than once.
static uint32_t keep_alone(bspi_named *list, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && bsp_text_equal(list[i].name, list[end].name); end++) {
        }
        if (end == i + 1) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

// Lists the entities that have no counterpart yet, by what identifies them.
static bool list_left(matcher *m, int f, const pass *by) {
    m->counts[f] = 0;
    if (!bspi_diff_work(m->d, m->all[f]->text.size)) {
        return false;
    }
    for (uint32_t i = 0; i < m->all[f]->count; i++) {
        bsp_text name;
        if (m->other[f][i] != BSP_NONE) {
            continue;
        }
        if (!identity(m->d, &m->all[f]->list[i], by, &name)) {
            return false;
        }
        if (name.data != NULL) {
            m->lists[f][m->counts[f]++] = (bspi_named){name, i};
        }
    }
    bspi_diff_sort(m->lists[f], m->counts[f]);
    m->counts[f] = by->alone ? keep_alone(m->lists[f], m->counts[f]) : m->counts[f];
    return true;
}

static bool run_pass(matcher *m, const pass *by) {
    if (!list_left(m, 0, by) || !list_left(m, 1, by)) {
        return false;
    }
    bspi_diff_merge(m->d, m->lists[0], m->counts[0], m->lists[1], m->counts[1], match, m);
    return !m->d->failed;
}

static bool is_world(const bsp_entities *all) {
    return all->count != 0 && bspi_text_equal_nocase(bsp_entity_value(&all->list[0], "classname"),
                                                     bsp_text_of("worldspawn"));
}

bool bspi_pair_entities(bspi_diff *d, const bsp_entities *const lists[2], uint32_t *other[2]) {
    matcher m = {.d = d, .all = {lists[0], lists[1]}};
    for (int f = 0; f < 2; f++) {
        uint32_t count = lists[f]->count;
        m.other[f] = bspi_arena_raw(&d->arena, count, sizeof *m.other[f], d->error);
        m.lists[f] = bspi_arena_raw(&d->arena, count, sizeof *m.lists[f], d->error);
        if (m.other[f] == NULL || m.lists[f] == NULL) {
            return false;
        }
        memset(m.other[f], 0xFF, count * sizeof *m.other[f]); // BSP_NONE
        other[f] = m.other[f];
    }
    if (is_world(lists[0]) && is_world(lists[1])) {
        other[0][0] = other[1][0] = 0;
    }
    bool done = true;
    for (size_t p = 0; done && p < NUM_PASSES; p++) {
        done = run_pass(&m, &passes[p]);
    }
    return done;
}
