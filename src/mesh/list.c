// SPDX-License-Identifier: MIT
// Arrays of meshes under construction.
#include "mesh/list.h"

#include <string.h>

#define FIRST_ROOM 256u

void *bspi_list_add(bspi_list *list, bspi_heap *heap, bsp_error *error) {
    if (list->count == list->room) {
        uint32_t room = list->room == 0 ? FIRST_ROOM : list->room * 2;
        if (room <= list->room) {
            bsp_fail(error, BSP_E_LIMIT, NULL, "more than %u parts of a mesh", list->room);
            return NULL;
        }
        void *data =
            bspi_heap_resize(heap, list->data, list->room * list->size, room * list->size, error);
        if (data == NULL) {
            return NULL;
        }
        list->data = data;
        list->room = room;
    }
    return (uint8_t *)list->data + list->size * list->count++;
}

bool bspi_list_put(bspi_list *list, const void *element, bspi_heap *heap, bsp_error *error) {
    void *to = bspi_list_add(list, heap, error);
    if (to != NULL) {
        memcpy(to, element, list->size);
    }
    return to != NULL;
}

void *bspi_list_settle(bspi_list *list, uint32_t *count, bspi_heap *heap, bsp_error *error) {
    void *data = bspi_heap_resize(heap, list->data, list->room * list->size,
                                  list->count * list->size, error);
    if (data != NULL) {
        *count = list->count;
        *list = (bspi_list){.size = list->size};
    }
    return data;
}

void bspi_list_free(bspi_list *list, bspi_heap *heap) {
    bspi_heap_free(heap, list->data, list->room * list->size);
}

void bspi_list_free_settled(const void *data, uint32_t count, size_t size, bspi_heap *heap) {
    bspi_heap_free(heap, (void *)(uintptr_t)data, count * size);
}
