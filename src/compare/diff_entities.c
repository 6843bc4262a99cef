// SPDX-License-Identifier: MIT
// Entities of two maps: who is who, and which keys differ. An entity is the one with the same
// pairs; else that of the same class and name and place; else of the same class and the editor's
// number, or name, or place, or brush model. What is left was added or removed. Each pass sorts
// what is left.
#include "compare/diff.h"

#include "core/text.h"

#include <string.h>

#define PART "entities"

typedef struct matcher {
    bspi_diff *d;
    const bsp_entities *all[2];
    uint32_t *other[2]; // for each entity its counterpart, or BSP_NONE
    bspi_named *lists[2];
    uint32_t counts[2];
} matcher;

// --- who is who ---------------------------------------------------------------------------------

// Keys whose values make the identity of a pass; a pass counts for entities that have all of them.
#define MOST_KEYS 3
static const char *const passes[][MOST_KEYS] = {
    {"classname", "targetname", "origin"}, {"classname", "hammerid", NULL},
    {"classname", "targetname", NULL},     {"classname", "origin", NULL},
    {"classname", "model", NULL},
};
#define NUM_PASSES (sizeof passes / sizeof *passes)

static void append(char *out, size_t *used, bsp_text text) {
    if (text.size != 0) {
        memcpy(out + *used, text.data, text.size);
    }
    *used += text.size;
    out[(*used)++] = '\0';
}

static bsp_text all_pairs(matcher *m, const bsp_entity *entity) {
    size_t size = 0;
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        size += entity->pairs[i].key.size + entity->pairs[i].value.size + 2;
    }
    char *text = bspi_arena_raw(&m->d->arena, size + 1, 1, m->d->error);
    size_t used = 0;
    for (uint32_t i = 0; text != NULL && i < entity->num_pairs; i++) {
        append(text, &used, entity->pairs[i].key);
        append(text, &used, entity->pairs[i].value);
    }
    return (bsp_text){text, used};
}

// The values of the keys of a pass; empty when one of them is missing.
static bsp_text identity(matcher *m, const bsp_entity *entity, const char *const keys[MOST_KEYS]) {
    bsp_text values[MOST_KEYS] = {{NULL, 0}};
    size_t size = 0;
    size_t used = 0;
    for (int k = 0; k < MOST_KEYS && keys[k] != NULL; k++) {
        values[k] = bsp_entity_value(entity, keys[k]);
        size += values[k].size + 1;
        if (values[k].size == 0) {
            return (bsp_text){NULL, 0};
        }
    }
    char *text = bspi_arena_raw(&m->d->arena, size + 1, 1, m->d->error);
    for (int k = 0; text != NULL && k < MOST_KEYS && keys[k] != NULL; k++) {
        append(text, &used, values[k]);
    }
    return (bsp_text){text, used};
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

static bool run_pass(matcher *m, const char *const *keys) {
    for (int f = 0; f < 2; f++) {
        m->counts[f] = 0;
        if (!bspi_diff_work(m->d, m->all[f]->text.size)) {
            return false;
        }
        for (uint32_t i = 0; i < m->all[f]->count; i++) {
            const bsp_entity *entity = &m->all[f]->list[i];
            if (m->other[f][i] != BSP_NONE) {
                continue;
            }
            bsp_text name = keys == NULL ? all_pairs(m, entity) : identity(m, entity, keys);
            if (name.data != NULL) {
                m->lists[f][m->counts[f]++] = (bspi_named){name, i};
            } else if (keys == NULL) {
                return false;
            }
        }
        bspi_diff_sort(m->lists[f], m->counts[f]);
    }
    bspi_diff_merge(m->d, m->lists[0], m->counts[0], m->lists[1], m->counts[1], match, m);
    return true;
}

static bool is_world(const bsp_entities *all) {
    return all->count != 0 && bspi_text_equal_nocase(bsp_entity_value(&all->list[0], "classname"),
                                                     bsp_text_of("worldspawn"));
}

static bool find_counterparts(matcher *m) {
    for (int f = 0; f < 2; f++) {
        uint32_t count = m->all[f]->count;
        m->other[f] = bspi_arena_raw(&m->d->arena, count, sizeof *m->other[f], m->d->error);
        m->lists[f] = bspi_arena_raw(&m->d->arena, count, sizeof *m->lists[f], m->d->error);
        if (m->other[f] == NULL || m->lists[f] == NULL) {
            return false;
        }
        memset(m->other[f], 0xFF, count * sizeof *m->other[f]); // BSP_NONE
    }
    if (is_world(m->all[0]) && is_world(m->all[1])) {
        m->other[0][0] = m->other[1][0] = 0;
    }
    bool done = run_pass(m, NULL);
    for (size_t p = 0; done && p < NUM_PASSES; p++) {
        done = run_pass(m, passes[p]);
    }
    return done;
}

// --- what differs -------------------------------------------------------------------------------

// The class, and the name behind it.
static bsp_text title(matcher *m, const bsp_entity *entity) {
    bsp_text class = bsp_entity_value(entity, "classname");
    bsp_text name = bsp_entity_value(entity, "targetname");
    char *text = bspi_arena_raw(&m->d->arena, class.size + name.size + 2, 1, m->d->error);
    if (text == NULL || name.size == 0) {
        return class;
    }
    if (class.size != 0) {
        memcpy(text, class.data, class.size);
    }
    text[class.size] = ' ';
    memcpy(text + class.size + 1, name.data, name.size);
    return (bsp_text){text, class.size + 1 + name.size};
}

static void tell_pair(matcher *m, bsp_difference_kind kind, uint32_t record, bsp_text name,
                      bsp_text key, bsp_text before, bsp_text after) {
    char *field = bspi_arena_text(&m->d->arena, key, m->d->error);
    bspi_diff_tell(m->d, kind, PART, bsp_place_at("ENTITIES", record, field, UINT64_MAX), name,
                   before, after);
}

// The pairs of two entities, and which of them belong together.
typedef struct pairing {
    const bsp_entity *entities[2];
    uint32_t *other[2];
} pairing;

static void pair_up(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b) {
    (void)d;
    (void)name;
    pairing *p = user;
    if (a != BSP_NONE && b != BSP_NONE) {
        p->other[0][a] = b;
        p->other[1][b] = a;
    }
}

// Pairs that have no counterpart yet, by their key or by key and value.
static bool run_pairing(matcher *m, pairing *p, bool values) {
    bspi_named *lists[2];
    uint32_t counts[2] = {0, 0};
    for (int f = 0; f < 2; f++) {
        const bsp_entity *entity = p->entities[f];
        lists[f] = bspi_arena_raw(&m->d->arena, entity->num_pairs, sizeof **lists, m->d->error);
        for (uint32_t i = 0; lists[f] != NULL && i < entity->num_pairs; i++) {
            const bsp_pair *pair = &entity->pairs[i];
            if (p->other[f][i] == BSP_NONE) {
                const bsp_entity one = {.pairs = pair, .num_pairs = 1};
                bsp_text name = values ? all_pairs(m, &one) : pair->key;
                lists[f][counts[f]++] = (bspi_named){name, i};
            }
        }
        if (lists[f] == NULL) {
            return false;
        }
        bspi_diff_sort(lists[f], counts[f]);
    }
    bspi_diff_merge(m->d, lists[0], counts[0], lists[1], counts[1], pair_up, p);
    return true;
}

static void tell_pairs(matcher *m, const pairing *p, uint32_t record) {
    const bsp_text none = {NULL, 0};
    bsp_text name = title(m, p->entities[0]);
    for (uint32_t i = 0; i < p->entities[0]->num_pairs; i++) {
        const bsp_pair *a = &p->entities[0]->pairs[i];
        uint32_t j = p->other[0][i];
        bsp_text after = j == BSP_NONE ? none : p->entities[1]->pairs[j].value;
        if (j == BSP_NONE || !bsp_text_equal(a->value, after)) {
            tell_pair(m, j == BSP_NONE ? BSP_REMOVED : BSP_CHANGED, record, name, a->key, a->value,
                      after);
        }
    }
    for (uint32_t j = 0; j < p->entities[1]->num_pairs; j++) {
        const bsp_pair *b = &p->entities[1]->pairs[j];
        if (p->other[1][j] == BSP_NONE) {
            tell_pair(m, BSP_ADDED, record, name, b->key, none, b->value);
        }
    }
}

static bool same_pairs(const bsp_entity *a, const bsp_entity *b) {
    bool same = a->num_pairs == b->num_pairs;
    for (uint32_t i = 0; same && i < a->num_pairs; i++) {
        same = bsp_text_equal(a->pairs[i].key, b->pairs[i].key) &&
               bsp_text_equal(a->pairs[i].value, b->pairs[i].value);
    }
    return same;
}

// Equal pairs first, so that of several outputs of one name only the one that changed is told.
static bool compare_pairs(matcher *m, const bsp_entity *a, const bsp_entity *b, uint32_t record) {
    pairing p = {.entities = {a, b}};
    if (same_pairs(a, b)) {
        return true;
    }
    for (int f = 0; f < 2; f++) {
        size_t size = p.entities[f]->num_pairs * sizeof *p.other[f];
        p.other[f] = bspi_arena_raw(&m->d->arena, size, 1, m->d->error);
        if (p.other[f] == NULL) {
            return false;
        }
        memset(p.other[f], 0xFF, size); // BSP_NONE
    }
    if (!run_pairing(m, &p, true) || !run_pairing(m, &p, false)) {
        return false;
    }
    tell_pairs(m, &p, record);
    return true;
}

static void tell_entity(matcher *m, bsp_difference_kind kind, int f, uint32_t i) {
    const bsp_entity *entity = &m->all[f]->list[i];
    const bsp_text none = {NULL, 0};
    bsp_text text = {m->all[f]->text.data + entity->offset, entity->size};
    bspi_diff_tell(m->d, kind, PART, bsp_place_at("ENTITIES", i, NULL, UINT64_MAX),
                   title(m, entity), f == 0 ? text : none, f == 1 ? text : none);
}

bool bspi_diff_entities(bspi_diff *d) {
    matcher m = {.d = d, .all = {d->maps[0]->entities, d->maps[1]->entities}};
    if (m.all[0] == NULL || m.all[1] == NULL) {
        return true;
    }
    if (!find_counterparts(&m)) {
        return false;
    }
    for (uint32_t i = 0; i < m.all[0]->count; i++) {
        uint32_t j = m.other[0][i];
        if (j == BSP_NONE) {
            tell_entity(&m, BSP_REMOVED, 0, i);
        } else if (!compare_pairs(&m, &m.all[0]->list[i], &m.all[1]->list[j], i)) {
            return false;
        }
    }
    for (uint32_t j = 0; j < m.all[1]->count; j++) {
        if (m.other[1][j] == BSP_NONE) {
            tell_entity(&m, BSP_ADDED, 1, j);
        }
    }
    return true;
}
