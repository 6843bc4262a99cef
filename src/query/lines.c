// SPDX-License-Identifier: MIT
// Memory of the index that begins at a cache line.
#include "map/heap.h"
#include "query/index.h"
#include "query/visits.h"

#define CACHE_LINE 64u

void *bspi_keep_lines(bsp_trace_index *index, size_t count, size_t size, bsp_error *error) {
    size_t bytes;
    if (!bspi_multiply(count + CACHE_LINE / size + 1, size, &bytes)) {
        bsp_fail(error, BSP_E_LIMIT, NULL, "%zu records are too many", count);
        return NULL;
    }
    uint8_t *memory = bspi_arena_raw(&index->arena, bytes, 1, error);
    return memory == NULL ? NULL
                          : memory + (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) % CACHE_LINE;
}
