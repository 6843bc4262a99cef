// SPDX-License-Identifier: MIT
// Edits of whole lists of entities: changes of those that a filter means, and another list.
#include "bspkit/entity_edit.h"

#include "core/buffer.h"
#include "edit/entity_result.h"

#include <assert.h>
#include <string.h>

// --- changes ------------------------------------------------------------------------------------

// The changes of a call, one for each entity that they concern.
typedef struct spread {
    bspi_heap *heap;
    bsp_entity_change *list;
    size_t room;
    uint32_t count;
    bool *removed; // of the old entities
    bsp_error *error;
} spread;

static bool note(spread *s, const bsp_entity_change *change, uint32_t entity) {
    bsp_entity_change *list =
        bspi_grow(s->heap, s->list, s->count, &s->room, sizeof *list, s->error);
    if (list == NULL) {
        return false;
    }
    s->list = list;
    list[s->count] = *change;
    list[s->count++].entity = entity;
    return true;
}

static bool spread_one(spread *s, const bsp_entity_change *changes, uint32_t count,
                       uint32_t entity) {
    if (!bspi_heap_work(s->heap, 1 + (uint64_t)count, s->error)) {
        return false;
    }
    for (uint32_t c = 0; c < count; c++) {
        if (changes[c].action == BSP_ENTITY_ADD) {
            continue;
        }
        if (!note(s, &changes[c], entity)) {
            return false;
        }
        s->removed[entity] = s->removed[entity] || changes[c].action == BSP_ENTITY_REMOVE;
    }
    return true;
}

static bool spread_all(spread *s, const bsp_entities *entities, const bsp_entity_filter *filter,
                       const bsp_entity_change *changes, uint32_t count, uint32_t *selected) {
    for (uint32_t i = 0; i < entities->count; i++) {
        bool meant = true;
        if (filter != NULL &&
            !bsp_entity_filter_matches(filter, &entities->list[i], i, &meant, s->error)) {
            return false;
        }
        *selected += meant ? 1 : 0;
        if (meant && !spread_one(s, changes, count, i)) {
            return false;
        }
    }
    for (uint32_t c = 0; c < count; c++) {
        if (changes[c].action == BSP_ENTITY_ADD && !note(s, &changes[c], 0)) {
            return false;
        }
    }
    return true;
}

bsp_entity_edit *bsp_entities_edit(const bsp_entities *entities, const bsp_entity_filter *filter,
                                   const bsp_entity_change *changes, uint32_t count,
                                   const bsp_allocator *allocator, bsp_error *error) {
    assert(entities != NULL && (changes != NULL || count == 0));
    bspi_entity_result *result = bspi_entity_result_new(entities, allocator, error);
    if (result == NULL) {
        return NULL;
    }
    size_t flags = entities->count * sizeof(bool);
    spread s = {.heap = &result->heap, .error = error};
    s.removed = bspi_heap_alloc(s.heap, flags, error);
    if (s.removed != NULL) {
        memset(s.removed, 0, flags);
    }
    bool done = s.removed != NULL &&
                spread_all(&s, entities, filter, changes, count, &result->face.num_selected) &&
                bsp_entities_change(entities, s.list, s.count, allocator, &result->text, error) &&
                bspi_entity_result_read(result, NULL, error) &&
                bspi_entity_result_follow(result, entities, s.removed, error);
    bspi_heap_free(s.heap, s.list, s.room * sizeof *s.list);
    bspi_heap_free(s.heap, s.removed, flags);
    if (!done) {
        bsp_entity_edit_free(&result->face);
        return NULL;
    }
    return &result->face;
}

// --- another list -------------------------------------------------------------------------------

static size_t count_nuls(bsp_text text) {
    size_t count = 0;
    while (count < text.size && text.data[text.size - 1 - count] == '\0') {
        count++;
    }
    return count;
}

static bool copy_text(bspi_entity_result *result, bsp_text text, size_t nuls, bsp_error *error) {
    bspi_buffer buffer = {.heap = &result->heap, .error = error};
    bspi_heap_extend(&result->heap, text.size);
    bspi_buffer_add(&buffer, text.data, text.size);
    (void)bspi_buffer_grow(&buffer, nuls);
    if (buffer.failed || buffer.size == 0) {
        bspi_buffer_free(&buffer);
        return !buffer.failed;
    }
    return bspi_buffer_give(&buffer, &result->text);
}

bsp_entity_edit *bsp_entities_import(const bsp_entities *entities, bsp_text text,
                                     const bsp_allocator *allocator, bsp_issues *issues,
                                     bsp_error *error) {
    assert(entities != NULL);
    bspi_entity_result *result = bspi_entity_result_new(entities, allocator, error);
    if (result == NULL) {
        return NULL;
    }
    text.size -= count_nuls(text);
    if (!copy_text(result, text, count_nuls(entities->text), error) ||
        !bspi_entity_result_read(result, issues, error)) {
        bsp_entity_edit_free(&result->face);
        return NULL;
    }
    result->face.num_removed = entities->count;
    result->face.num_added = result->entities->count;
    return &result->face;
}
