// SPDX-License-Identifier: MIT
// The differences of two lists of entities: each entity once, and the pairs that differ.
#include "compare/diff.h"

#include "core/text.h"
#include "records/entities.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

// --- the pairs of two entities ------------------------------------------------------------------

typedef struct pairing {
    const bsp_entity *entities[2];
    uint32_t *other[2]; // for each pair its counterpart, or BSP_NONE
    uint32_t first;     // number of equal pairs at the start
    uint32_t end[2];    // in each list, the start of the equal pairs at the end
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

// Matches pairs that have no counterpart yet, by their key or by key and value.
static bool match_pairs(bspi_diff *d, pairing *p, bool values) {
    bspi_named *lists[2];
    uint32_t counts[2] = {0, 0};
    for (int f = 0; f < 2; f++) {
        const bsp_entity *entity = p->entities[f];
        lists[f] = bspi_arena_raw(&d->arena, entity->num_pairs, sizeof **lists, d->error);
        for (uint32_t i = p->first; lists[f] != NULL && i < p->end[f]; i++) {
            const bsp_pair *pair = &entity->pairs[i];
            bsp_text name = pair->key;
            if (p->other[f][i] != BSP_NONE) {
                continue;
            }
            if (values && !bspi_name_pairs(d, pair, 1, &name)) {
                return false;
            }
            lists[f][counts[f]++] = (bspi_named){name, i};
        }
        if (lists[f] == NULL) {
            return false;
        }
        bspi_diff_sort(lists[f], counts[f]);
    }
    bspi_diff_merge(d, lists[0], counts[0], lists[1], counts[1], pair_up, p);
    return !d->failed;
}

static bool is_equal(const bsp_pair *a, const bsp_pair *b) {
    return bsp_text_equal(a->key, b->key) && bsp_text_equal(a->value, b->value);
}

static void skip_equal(pairing *p) {
    const bsp_pair *a = p->entities[0]->pairs;
    const bsp_pair *b = p->entities[1]->pairs;
    p->end[0] = p->entities[0]->num_pairs;
    p->end[1] = p->entities[1]->num_pairs;
    while (p->first < p->end[0] && p->first < p->end[1] && is_equal(&a[p->first], &b[p->first])) {
        p->first++;
    }
    while (p->end[0] > p->first && p->end[1] > p->first &&
           is_equal(&a[p->end[0] - 1], &b[p->end[1] - 1])) {
        p->end[0]--;
        p->end[1]--;
    }
}

static bool is_same(const pairing *p, uint32_t i, uint32_t j) {
    return i != BSP_NONE && j != BSP_NONE &&
           bsp_text_equal(p->entities[0]->pairs[i].value, p->entities[1]->pairs[j].value);
}

static void list_pairs(const pairing *p, bsp_pair_difference *out, uint32_t *came,
                       bsp_entity_match *match) {
    for (uint32_t i = p->first; i < p->end[0]; i++) {
        uint32_t j = p->other[0][i];
        if (!is_same(p, i, j)) {
            out[match->num_pairs++] =
                (bsp_pair_difference){j == BSP_NONE ? BSP_REMOVED : BSP_CHANGED, i, j};
        }
    }
    for (uint32_t j = p->first; j < p->end[1]; j++) {
        uint32_t i = p->other[1][j];
        if (i == BSP_NONE) {
            out[match->num_pairs++] = (bsp_pair_difference){BSP_ADDED, BSP_NONE, j};
        }
        if (!is_same(p, i, j)) {
            came[match->num_came++] = j;
        }
    }
    match->pairs = out;
    match->came = came;
}

// Matches equal pairs first, so that of several outputs with one name only the changed one is
// reported.
static bool compare_pairs(bspi_diff *d, const bsp_entity *a, const bsp_entity *b, bspi_arena *keep,
                          bsp_entity_match *out) {
    pairing p = {.entities = {a, b}};
    skip_equal(&p);
    size_t most = (size_t)(p.end[0] - p.first) + (p.end[1] - p.first);
    if (most == 0) {
        return true;
    }
    for (int f = 0; f < 2; f++) {
        size_t size = p.entities[f]->num_pairs * sizeof *p.other[f];
        p.other[f] = bspi_arena_raw(&d->arena, size, 1, d->error);
        if (p.other[f] == NULL) {
            return false;
        }
        memset(p.other[f], 0xFF, size); // BSP_NONE
    }
    bsp_pair_difference *list = bspi_arena_raw(keep, most, sizeof *list, d->error);
    uint32_t *came = bspi_arena_raw(keep, p.end[1] - p.first, sizeof *came, d->error);
    if (list == NULL || came == NULL || !match_pairs(d, &p, true) || !match_pairs(d, &p, false)) {
        return false;
    }
    list_pairs(&p, list, came, out);
    return true;
}

// --- the lists ----------------------------------------------------------------------------------

static bool use_known(bspi_diff *d, const bsp_entities *const lists[2], const uint32_t *before_of,
                      uint32_t *other[2]) {
    for (int f = 0; f < 2; f++) {
        size_t size = lists[f]->count * sizeof *other[f];
        other[f] = bspi_arena_raw(&d->arena, size, 1, d->error);
        if (other[f] == NULL) {
            return false;
        }
        memset(other[f], 0xFF, size); // BSP_NONE
    }
    for (uint32_t j = 0; j < lists[1]->count; j++) {
        uint32_t i = before_of[j];
        if (i != BSP_NONE && (i >= lists[0]->count || other[0][i] != BSP_NONE)) {
            return bsp_fail(d->error, BSP_E_ARGUMENT, NULL,
                            "entity %u cannot have been entity %u: %s", j, i,
                            i >= lists[0]->count ? "there is none" : "another one was");
        }
        other[1][j] = i;
        if (i != BSP_NONE) {
            other[0][i] = j;
        }
    }
    return true;
}

bool bspi_diff_lists(bspi_diff *d, const bsp_entities *const lists[2], const uint32_t *before_of,
                     bspi_arena *keep, bsp_entity_diff *out) {
    uint32_t *other[2];
    size_t most = (size_t)lists[0]->count + lists[1]->count;
    bsp_entity_match *matches = bspi_arena_zero(keep, most, sizeof *matches, d->error);
    *out = (bsp_entity_diff){.matches = matches};
    if (matches == NULL || !(before_of == NULL ? bspi_pair_entities(d, lists, other)
                                               : use_known(d, lists, before_of, other))) {
        return false;
    }
    for (uint32_t i = 0; i < lists[0]->count; i++) {
        bsp_entity_match *match = &matches[out->count++];
        uint32_t j = other[0][i];
        match->before = i;
        match->after = j;
        out->num_removed += j == BSP_NONE ? 1 : 0;
        if (j != BSP_NONE &&
            (!bspi_diff_work(d, 1) ||
             !compare_pairs(d, &lists[0]->list[i], &lists[1]->list[j], keep, match))) {
            return false;
        }
        out->num_changed += match->num_pairs != 0 ? 1 : 0;
    }
    for (uint32_t j = 0; j < lists[1]->count; j++) {
        if (other[1][j] == BSP_NONE) {
            matches[out->count++] = (bsp_entity_match){.before = BSP_NONE, .after = j};
            out->num_added++;
        }
    }
    return true;
}

// --- the public result ---------------------------------------------------------------------------

typedef struct owner {
    bsp_entity_diff face;
    bspi_heap heap;
    bspi_arena keep;
} owner;

// Returns the budget of the entities, and how many bytes they were made from.
static bsp_budget *budget_of(const bsp_entities *entities, uint64_t *bytes) {
    const bspi_heap *heap = bspi_entities_parent(entities);
    bsp_budget *budget = heap == NULL ? NULL : heap->budget;
    while (heap != NULL && heap->bytes == 0) {
        heap = heap->parent;
    }
    *bytes += heap == NULL ? entities->text.size : heap->bytes;
    return budget;
}

bsp_entity_diff *bsp_entities_diff(const bsp_entities *before, const bsp_entities *after,
                                   const uint32_t *before_of, const bsp_allocator *allocator,
                                   bsp_error *error) {
    assert(before != NULL && after != NULL);
    const bsp_entities *const lists[2] = {before, after};
    uint64_t bytes = 0;
    bsp_budget *budget = budget_of(before, &bytes);
    bsp_budget *other = budget_of(after, &bytes);
    owner *o = bspi_object_new(allocator, sizeof *o, error);
    if (o == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&o->heap, BSP_PRODUCT_DIFF, bytes, budget != NULL ? budget : other,
                       allocator);
    bspi_arena_init(&o->keep, &o->heap);
    bspi_diff d = {.error = error, .heap = &o->heap};
    bspi_arena_init(&d.arena, &o->heap);
    bool done = bspi_diff_lists(&d, lists, before_of, &o->keep, &o->face);
    bspi_arena_free(&d.arena);
    o->face.owner = o;
    if (!done) {
        bsp_entity_diff_free(&o->face);
        return NULL;
    }
    return &o->face;
}

void bsp_entity_diff_free(bsp_entity_diff *diff) {
    if (diff == NULL || diff->owner == NULL) {
        return;
    }
    owner *o = diff->owner;
    bspi_arena_free(&o->keep);
    bspi_object_free(o, sizeof *o, &o->heap.allocator);
}
