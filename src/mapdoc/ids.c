// SPDX-License-Identifier: MIT
// A set of numbers, one bit for each.
#include "mapdoc/ids.h"

#include "core/bits.h"

#include <string.h>

static size_t bytes_of(size_t count) {
    return count / 8 + 1;
}

bool bspi_ids_init(bspi_ids *ids, bspi_heap *heap, uint64_t count, bsp_error *error) {
    *ids = (bspi_ids){.count = (size_t)count, .next = 1};
    ids->used = bspi_heap_alloc(heap, bytes_of(ids->count), error);
    if (ids->used != NULL) {
        memset(ids->used, 0, bytes_of(ids->count));
    }
    return ids->used != NULL;
}

void bspi_ids_free(bspi_ids *ids, bspi_heap *heap) {
    bspi_heap_free(heap, ids->used, bytes_of(ids->count));
}

void bspi_ids_mark(bspi_ids *ids, uint32_t id) {
    if (id != 0 && id <= ids->count) {
        bspi_bit_set(ids->used, id);
    }
}

uint32_t bspi_ids_take(bspi_ids *ids, uint32_t id) {
    if (id != 0) {
        return id;
    }
    while (ids->next < ids->count && bspi_bit_is(ids->used, ids->next)) {
        ids->next++;
    }
    return (uint32_t)ids->next++;
}
