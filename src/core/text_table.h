// SPDX-License-Identifier: MIT
// Numbers by texts: a hash table, by the bytes of the text (case counts).
#ifndef BSPI_TEXT_TABLE_H
#define BSPI_TEXT_TABLE_H

#include "core/memory.h"

typedef struct bspi_text_slot {
    bsp_text text; ///< not copied: lives as long as the table; no data: free
    uint32_t value;
} bspi_text_slot;

/// All zero but the heap: empty.
typedef struct bspi_text_table {
    bspi_heap *heap;
    bspi_text_slot *slots;
    uint32_t room; ///< a power of two, or 0
    uint32_t count;
} bspi_text_table;

/// The slot of a text; NULL without memory. One that is free is where the text belongs: the caller
/// fills it and counts it, or leaves it, before the next call.
bspi_text_slot *bspi_text_slot_of(bspi_text_table *table, bsp_text text, bsp_error *error);
void bspi_text_table_free(bspi_text_table *table);

#endif
