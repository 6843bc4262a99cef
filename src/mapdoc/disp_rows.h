// SPDX-License-Identifier: MIT
// The blocks of rows of a displacement in a .vmf. Format: sheet outputs, section 2.1.
#ifndef BSPI_MAPDOC_DISP_ROWS_H
#define BSPI_MAPDOC_DISP_ROWS_H

#include "bspkit/mapdoc.h"

/// A block: where its numbers stand in a vertex, and how many there are.
typedef struct bspi_disp_rows {
    const char *name;
    size_t offset;
    uint32_t width;
} bspi_disp_rows;

/// The number of blocks. The first ones are in every displacement, the others only with multiblend.
#define BSPI_DISP_ROWS 11u
#define BSPI_DISP_PLAIN 5u
extern const bspi_disp_rows bspi_disp_rows_of[BSPI_DISP_ROWS];

static inline const double *bspi_disp_numbers(const bsp_mapdoc_disp_vert *vert,
                                              const bspi_disp_rows *rows) {
    return (const double *)(const void *)((const char *)vert + rows->offset);
}

#endif
