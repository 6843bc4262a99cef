// SPDX-License-Identifier: MIT
// The cheapest pairing of rows and columns: the Hungarian method with potentials, one row at a time
// along the shortest augmenting path. Time grows with rows * rows * columns.
#include "decompile/source/steps.h"

#include <float.h>

// Column 0 is the start of a path; rows and columns count from 1, so that 0 is "none".
typedef struct pairing {
    bspi_heap *heap; // counts each step as work
    bsp_error *error;
    const double *cost;
    uint32_t rows;
    uint32_t columns;
    bool turned;    // transposed: cost[i][j] stands at [j][i]
    double *row;    // potentials
    double *column; // potentials
    double *slack;  // the lowest reduced cost of a step to each column
    uint32_t *row_of;
    uint32_t *from; // the previous column on the path
    bool *done;
} pairing;

static double cost_of(const pairing *p, uint32_t i, uint32_t j) {
    return p->turned ? p->cost[(size_t)(j - 1) * p->rows + (i - 1)]
                     : p->cost[(size_t)(i - 1) * p->columns + (j - 1)];
}

// Relaxes all columns from the row of column `at`. Returns the next column on the path.
static uint32_t step(pairing *p, uint32_t at) {
    uint32_t i = p->row_of[at];
    uint32_t next = 0;
    double least = DBL_MAX;
    p->done[at] = true;
    for (uint32_t j = 1; j <= p->columns; j++) {
        if (p->done[j]) {
            continue;
        }
        double reduced = cost_of(p, i, j) - p->row[i] - p->column[j];
        if (reduced < p->slack[j]) {
            p->slack[j] = reduced;
            p->from[j] = at;
        }
        if (p->slack[j] < least || next == 0) {
            least = p->slack[j];
            next = j;
        }
    }
    for (uint32_t j = 0; j <= p->columns; j++) {
        if (p->done[j]) {
            p->row[p->row_of[j]] += least;
            p->column[j] -= least;
        } else {
            p->slack[j] -= least;
        }
    }
    return next;
}

static bool pair_row(pairing *p, uint32_t i) {
    p->row_of[0] = i;
    for (uint32_t j = 0; j <= p->columns; j++) {
        p->slack[j] = DBL_MAX;
        p->done[j] = false;
    }
    uint32_t at = 0;
    do {
        if (!bspi_heap_work(p->heap, p->columns, p->error)) {
            return false;
        }
        at = step(p, at);
    } while (p->row_of[at] != 0);
    while (at != 0) {
        uint32_t before = p->from[at];
        p->row_of[at] = p->row_of[before];
        at = before;
    }
    return true;
}

bool bspi_pair_up(bspi_heap *heap, const double *cost, uint32_t rows, uint32_t columns,
                  uint32_t *column_of, bsp_error *error) {
    for (uint32_t i = 0; i < rows; i++) {
        column_of[i] = BSP_NONE;
    }
    pairing p = {.heap = heap,
                 .error = error,
                 .cost = cost,
                 .rows = rows,
                 .columns = columns,
                 .turned = rows > columns};
    if (p.turned) {
        p.rows = columns;
        p.columns = rows;
    }
    bspi_arena arena;
    bspi_arena_init(&arena, heap);
    size_t room = (size_t)p.columns + 1;
    p.row = bspi_arena_zero(&arena, (size_t)p.rows + 1, sizeof *p.row, error);
    p.column = bspi_arena_zero(&arena, room, sizeof *p.column, error);
    p.slack = bspi_arena_zero(&arena, room, sizeof *p.slack, error);
    p.row_of = bspi_arena_zero(&arena, room, sizeof *p.row_of, error);
    p.from = bspi_arena_zero(&arena, room, sizeof *p.from, error);
    p.done = bspi_arena_zero(&arena, room, sizeof *p.done, error);
    bool ready = p.row != NULL && p.column != NULL && p.slack != NULL && p.row_of != NULL &&
                 p.from != NULL && p.done != NULL;
    for (uint32_t i = 1; i <= p.rows && ready; i++) {
        ready = pair_row(&p, i);
    }
    for (uint32_t j = 1; j <= p.columns && ready; j++) {
        uint32_t i = p.row_of[j];
        if (i != 0) {
            column_of[p.turned ? j - 1 : i - 1] = p.turned ? i - 1 : j - 1;
        }
    }
    bspi_arena_free(&arena);
    return ready;
}
