// SPDX-License-Identifier: MIT
// Finds the counterparts of entities in two lists: the one with the same pairs; else with the same
// class, name and position; else with the same class and the editor's number, or name, or position,
// or brush model; else with the same editor's number. The rest was added or removed. Each pass
// sorts what is left.
#include "compare/diff.h"

#include "core/text.h"

#include <string.h>

typedef struct matcher {
    bspi_diff *d;
    const bsp_entities *all[2];
    uint32_t *other[2]; // for each entity its counterpart, or BSP_NONE
    bspi_named *lists[2];
    uint32_t counts[2];
} matcher;

// Keys whose values identify an entity in a pass, which considers entities that have all of them.
#define MOST_KEYS 3
static const char *const passes[][MOST_KEYS] = {
    {"classname", "targetname", "origin"}, {"classname", "hammerid", NULL},
    {"classname", "targetname", NULL},     {"classname", "origin", NULL},
    {"classname", "model", NULL},          {"hammerid", NULL, NULL},
};
#define NUM_PASSES (sizeof passes / sizeof *passes)

static void append(char *out, size_t *used, bsp_text text) {
    if (text.size != 0) {
        memcpy(out + *used, text.data, text.size);
    }
    *used += text.size;
    out[(*used)++] = '\0';
}

bool bspi_name_pairs(bspi_diff *d, const bsp_pair *pairs, uint32_t count, bsp_text *out) {
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += pairs[i].key.size + pairs[i].value.size + 2;
    }
    char *text = bspi_arena_raw(&d->arena, size + 1, 1, d->error);
    size_t used = 0;
    for (uint32_t i = 0; text != NULL && i < count; i++) {
        append(text, &used, pairs[i].key);
        append(text, &used, pairs[i].value);
    }
    *out = (bsp_text){text, used};
    return text != NULL;
}

// Gives the values of the keys of a pass; empty when one of them is missing. Returns false without
// memory.
static bool identity(bspi_diff *d, const bsp_entity *entity, const char *const keys[MOST_KEYS],
                     bsp_text *out) {
    bsp_text values[MOST_KEYS] = {{NULL, 0}};
    size_t size = 0;
    size_t used = 0;
    *out = (bsp_text){NULL, 0};
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

// Lists the entities that have no counterpart yet, by name. `keys` NULL: by all of their pairs.
static bool list_left(matcher *m, int f, const char *const *keys) {
    m->counts[f] = 0;
    if (!bspi_diff_work(m->d, m->all[f]->text.size)) {
        return false;
    }
    for (uint32_t i = 0; i < m->all[f]->count; i++) {
        const bsp_entity *entity = &m->all[f]->list[i];
        bsp_text name;
        if (m->other[f][i] != BSP_NONE) {
            continue;
        }
        if (!(keys == NULL ? bspi_name_pairs(m->d, entity->pairs, entity->num_pairs, &name)
                           : identity(m->d, entity, keys, &name))) {
            return false;
        }
        if (name.data != NULL) {
            m->lists[f][m->counts[f]++] = (bspi_named){name, i};
        }
    }
    bspi_diff_sort(m->lists[f], m->counts[f]);
    return true;
}

static bool run_pass(matcher *m, const char *const *keys) {
    if (!list_left(m, 0, keys) || !list_left(m, 1, keys)) {
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
    bool done = run_pass(&m, NULL);
    for (size_t p = 0; done && p < NUM_PASSES; p++) {
        done = run_pass(&m, passes[p]);
    }
    return done;
}
