// SPDX-License-Identifier: MIT
// What edits of entities hand out: new text, and the list that is read from it.
#ifndef BSPI_EDIT_ENTITY_RESULT_H
#define BSPI_EDIT_ENTITY_RESULT_H

#include "bspkit/entity_edit.h"
#include "core/memory.h"

typedef struct bspi_entity_result {
    bsp_entity_edit face;
    bspi_heap heap;
    bsp_blob text; ///< of the new list
    bsp_entities *entities;
    uint32_t *before_of;
    uint32_t num_before_of;
} bspi_entity_result;

/// An empty result, paid for as the entities are. NULL without memory.
bspi_entity_result *bspi_entity_result_new(const bsp_entities *old, const bsp_allocator *allocator,
                                           bsp_error *error);
/// Reads the new list from `text`. False with the error filled.
bool bspi_entity_result_read(bspi_entity_result *result, bsp_issues *issues, bsp_error *error);
/// Says that the old entities but those `removed` follow each other as before, and all others come
/// after them; and counts what went, came and changed. False with the error filled.
bool bspi_entity_result_follow(bspi_entity_result *result, const bsp_entities *old,
                               const bool *removed, bsp_error *error);

#endif
