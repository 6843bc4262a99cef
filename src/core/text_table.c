// SPDX-License-Identifier: MIT
// A hash table with open addressing. At least half of the slots are free, so that searches are
// short.
#include "core/text_table.h"

#include "core/text.h"

#include <string.h>

static bspi_text_slot *find(const bspi_text_table *table, bsp_text text) {
    for (uint32_t at = bspi_text_hash(text);; at++) {
        bspi_text_slot *slot = &table->slots[at & (table->room - 1)];
        if (slot->text.data == NULL || bsp_text_equal(slot->text, text)) {
            return slot;
        }
    }
}

static bool grow(bspi_text_table *table, bsp_error *error) {
    bspi_text_table larger = *table;
    larger.room = table->room != 0 ? table->room * 2 : 64;
    size_t size = larger.room * sizeof *larger.slots;
    larger.slots = bspi_heap_alloc(table->heap, size, error);
    if (larger.slots == NULL) {
        return false;
    }
    memset(larger.slots, 0, size);
    for (uint32_t i = 0; i < table->room; i++) {
        if (table->slots[i].text.data != NULL) {
            *find(&larger, table->slots[i].text) = table->slots[i];
        }
    }
    bspi_heap_free(table->heap, table->slots, table->room * sizeof *table->slots);
    *table = larger;
    return true;
}

bspi_text_slot *bspi_text_slot_of(bspi_text_table *table, bsp_text text, bsp_error *error) {
    return 2 * table->count < table->room || grow(table, error) ? find(table, text) : NULL;
}

void bspi_text_table_free(bspi_text_table *table) {
    bspi_heap_free(table->heap, table->slots, table->room * sizeof *table->slots);
    *table = (bspi_text_table){.heap = table->heap};
}
