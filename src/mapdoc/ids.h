// SPDX-License-Identifier: MIT
// Numbers for the objects of a .vmf: given ones are kept, the others get free ones.
#ifndef BSPI_MAPDOC_IDS_H
#define BSPI_MAPDOC_IDS_H

#include "core/memory.h"

/// The used numbers. Of n objects at most n have a given number, so among 1 .. n there is always
/// one left for each of the others, and larger ones need not be stored.
typedef struct bspi_ids {
    uint8_t *used; ///< one bit per number
    size_t count;
    size_t next;
} bspi_ids;

bool bspi_ids_init(bspi_ids *ids, bspi_heap *heap, uint64_t count, bsp_error *error);
void bspi_ids_free(bspi_ids *ids, bspi_heap *heap);
/// Marks a given number; 0 is none.
void bspi_ids_mark(bspi_ids *ids, uint32_t id);
/// Returns the number itself, or for 0 the lowest free number. All given numbers must be marked
/// before.
uint32_t bspi_ids_take(bspi_ids *ids, uint32_t id);

#endif
