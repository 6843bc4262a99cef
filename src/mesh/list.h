// SPDX-License-Identifier: MIT
// An array of a mesh under construction: it grows by doubling in the mesh's heap, and is given to
// the mesh without its spare room.
#ifndef BSPI_MESH_LIST_H
#define BSPI_MESH_LIST_H

#include "core/memory.h"

typedef struct bspi_list {
    void *data;
    size_t size; ///< of an element
    uint32_t count;
    uint32_t room;
} bspi_list;

/// Returns the place of a new element, which is not set. NULL without memory, and with
/// BSP_E_LIMIT for more elements than 32 bits count.
void *bspi_list_add(bspi_list *list, bspi_heap *heap, bsp_error *error);
/// The same with a copy of an element. False on failure.
bool bspi_list_put(bspi_list *list, const void *element, bspi_heap *heap, bsp_error *error);
/// Takes the spare room from a list and gives its elements away: they are `count` of `size` bytes
/// in the heap, and the list is empty. NULL without memory.
void *bspi_list_settle(bspi_list *list, uint32_t *count, bspi_heap *heap, bsp_error *error);
void bspi_list_free(bspi_list *list, bspi_heap *heap);
/// Frees elements that a list gave away.
void bspi_list_free_settled(const void *data, uint32_t count, size_t size, bspi_heap *heap);

#endif
