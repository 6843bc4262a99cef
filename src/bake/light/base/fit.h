// SPDX-License-Identifier: MIT
// Numbers between bounds by which many sums come out best: least squares that outliers do not pull.
#ifndef BSPI_BAKE_FIT_H
#define BSPI_BAKE_FIT_H

#include "core/memory.h"

#define BSPI_FIT_MOST 16u // numbers that are looked for at once

/// A number that is looked for.
typedef struct bspi_fit_number {
    float least;
    float most;
    float value; ///< set by bspi_fit_find
} bspi_fit_number;

/// A sum that is to come out.
typedef struct bspi_fit_row {
    float sum;
    float weight; ///< factor of what it is off by, 1 being just seen; 0: it does not count
} bspi_fit_row;

/// All of it, borrowed. Row n is the sum of each number times its part in that row.
typedef struct bspi_fit {
    bspi_fit_number *numbers;
    uint32_t count; ///< at most BSPI_FIT_MOST
    const bspi_fit_row *rows;
    size_t num_rows;
    const float *parts; ///< of all numbers in the first row, then in the others; 0 or more
} bspi_fit;

/// Finds the numbers. Rows that are far off count less: by how far, not by its square. Fails only
/// over a limit of the heap's work.
bool bspi_fit_find(const bspi_fit *fit, bspi_heap *heap, bsp_error *error);

#endif
