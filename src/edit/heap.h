// SPDX-License-Identifier: MIT
// The heap of an edit: it counts for the budget of what is edited.
#ifndef BSPI_EDIT_HEAP_H
#define BSPI_EDIT_HEAP_H

#include "map/heap.h"
#include "records/entities.h"
#include "records/file.h"

/// Initialises the heap of an edit of a file. `file` may be NULL: bytes without a file have no
/// budget.
static inline void bspi_edit_heap(bspi_heap *heap, const bsp_file *file,
                                  const bsp_allocator *allocator) {
    bspi_heap_init_for(heap, BSP_PRODUCT_EDIT, file == NULL ? 0 : bspi_file_size(file),
                       file == NULL ? NULL : bspi_file_budget(file), allocator);
}

/// Initialises the heap of an edit of entities: for the file that they belong to, or for their text
/// alone.
static inline void bspi_edit_heap_of_entities(bspi_heap *heap, const bsp_entities *entities,
                                              const bsp_allocator *allocator) {
    const bspi_heap *parent = bspi_entities_parent(entities);
    bsp_budget *budget = parent == NULL ? NULL : parent->budget;
    while (parent != NULL && parent->bytes == 0) {
        parent = parent->parent;
    }
    uint64_t bytes = parent == NULL ? entities->text.size : parent->bytes;
    bspi_heap_init_for(heap, BSP_PRODUCT_EDIT, bytes, budget, allocator);
}

#endif
