// SPDX-License-Identifier: MIT
// What edits of entities hand out. One free releases all of it.
#include "edit/entity_result.h"

#include "edit/heap.h"
#include "records/entities.h"

#include <string.h>

bspi_entity_result *bspi_entity_result_new(const bsp_entities *old, const bsp_allocator *allocator,
                                           bsp_error *error) {
    bspi_heap first;
    bspi_heap_init(&first, allocator, 0);
    bspi_entity_result *result = bspi_heap_alloc(&first, sizeof *result, error);
    if (result != NULL) {
        memset(result, 0, sizeof *result);
        bspi_edit_heap_of_entities(&result->heap, old, allocator);
        result->face.owner = result;
    }
    return result;
}

bool bspi_entity_result_read(bspi_entity_result *result, bsp_issues *issues, bsp_error *error) {
    bsp_text text = {(const char *)result->text.data, result->text.size};
    bspi_heap_extend(&result->heap, text.size);
    result->entities =
        bspi_entities_parse(text, &result->heap, &result->heap.allocator, issues, error);
    result->face.entities = result->entities;
    return result->entities != NULL;
}

static bool same_text(const bsp_entities *a, uint32_t i, const bsp_entities *b, uint32_t j) {
    const bsp_entity *x = &a->list[i];
    const bsp_entity *y = &b->list[j];
    return x->size == y->size && (x->size == 0 || memcmp(a->text.data + x->offset,
                                                         b->text.data + y->offset, x->size) == 0);
}

bool bspi_entity_result_follow(bspi_entity_result *result, const bsp_entities *old,
                               const bool *removed, bsp_error *error) {
    const bsp_entities *new = result->entities;
    bsp_entity_edit *face = &result->face;
    result->before_of =
        bspi_heap_alloc(&result->heap, new->count * sizeof *result->before_of, error);
    if (result->before_of == NULL) {
        return false;
    }
    result->num_before_of = new->count;
    face->before_of = result->before_of;
    for (uint32_t i = 0, next = 0; i < new->count; i++) {
        while (next < old->count && removed[next]) {
            next++;
        }
        result->before_of[i] = next < old->count ? next++ : BSP_NONE;
        uint32_t before = result->before_of[i];
        face->num_added += before == BSP_NONE ? 1 : 0;
        face->num_changed += before != BSP_NONE && !same_text(old, before, new, i) ? 1 : 0;
    }
    for (uint32_t i = 0; i < old->count; i++) {
        face->num_removed += removed[i] ? 1 : 0;
    }
    return true;
}

void bsp_entity_edit_free(bsp_entity_edit *edit) {
    if (edit == NULL || edit->owner == NULL) {
        return;
    }
    bspi_entity_result *result = edit->owner;
    bsp_entities_free(result->entities);
    bspi_heap_free(&result->heap, result->before_of,
                   result->num_before_of * sizeof *result->before_of);
    bsp_blob_free(&result->text);
    bsp_allocator allocator = result->heap.allocator;
    allocator.resize(allocator.user, result, sizeof *result, 0);
}
