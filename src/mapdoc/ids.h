// SPDX-License-Identifier: MIT
// Numbers for the things of a .vmf: those that are given are kept, the others get free ones.
#ifndef BSPI_MAPDOC_IDS_H
#define BSPI_MAPDOC_IDS_H

#include "core/memory.h"

/// Of n things at most n numbers are given: among 1 .. n there is always one left for each of the
/// others. So larger ones need not be remembered.
typedef struct bspi_ids {
    uint8_t *used; ///< a bit a number
    size_t count;
    size_t next;
} bspi_ids;

bool bspi_ids_init(bspi_ids *ids, bspi_heap *heap, uint64_t count, bsp_error *error);
void bspi_ids_free(bspi_ids *ids, bspi_heap *heap);
/// A number that is given; 0 is none.
void bspi_ids_mark(bspi_ids *ids, uint32_t id);
/// The number itself, or for 0 the lowest that is free. All that are given are marked before.
uint32_t bspi_ids_take(bspi_ids *ids, uint32_t id);

#endif
