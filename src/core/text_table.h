// SPDX-License-Identifier: MIT
// A hash table from texts to numbers; texts are compared by their bytes.
#ifndef BSPI_TEXT_TABLE_H
#define BSPI_TEXT_TABLE_H

#include "core/memory.h"

typedef struct bspi_text_slot {
    bsp_text text; ///< not copied: must outlive the table; without data the slot is free
    uint32_t value;
} bspi_text_slot;

/// A table. All zero but the heap: empty.
typedef struct bspi_text_table {
    bspi_heap *heap;
    bspi_text_slot *slots;
    uint32_t room; ///< number of slots: a power of two, or 0
    uint32_t count;
} bspi_text_table;

/// Returns the slot of a text, or NULL without memory. A free slot is where the text belongs:
/// before the next call the caller fills and counts it, or leaves it free.
bspi_text_slot *bspi_text_slot_of(bspi_text_table *table, bsp_text text, bsp_error *error);
void bspi_text_table_free(bspi_text_table *table);

#endif
