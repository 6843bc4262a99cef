// SPDX-License-Identifier: MIT
// Cells that are done, for one that works at its turn and for one that works ahead.
#include "decompile/tree/region.h"

// Adds a cell to a list. Returns false without memory.
static bool add_cell(bspi_carver *carver, bspi_cell_list *list, uint32_t cell) {
    uint32_t *cells = bspi_grow(carver->flats.heap, list->cells, list->count, &list->room,
                                sizeof *cells, carver->error);
    if (cells == NULL) {
        carver->starved = true;
        return false;
    }
    list->cells = cells;
    cells[list->count++] = cell;
    return true;
}

bool bspi_merger_is_done(const bspi_merger *m, uint32_t cell) {
    bspi_merge_marks *marks = m->marks;
    if (marks == NULL || bspi_cell_is_done(&m->tree->cells[cell])) {
        return bspi_cell_is_done(&m->tree->cells[cell]);
    }
    if (marks->stamps[cell] >= marks->stamp) {
        return marks->stamps[cell] != marks->stamp;
    }
    marks->stamps[cell] = marks->stamp;
    (void)add_cell(m->carver, &marks->open, cell);
    return false;
}

bool bspi_merger_set_done(const bspi_merger *m, uint32_t cell) {
    bspi_merge_marks *marks = m->marks;
    if (marks == NULL) {
        bspi_cell_set_done(&m->tree->cells[cell], true);
        return true;
    }
    marks->stamps[cell] = marks->stamp + 1;
    return add_cell(m->carver, &marks->done, cell);
}
