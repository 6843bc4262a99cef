// SPDX-License-Identifier: MIT
// What every product must do with its budget: a row for each call, and one test for all rows.
#ifndef TEST_PRODUCTS_H
#define TEST_PRODUCTS_H

#include "bspkit/bspkit.h"

/// How a product is made: all of it with this budget and allocator.
typedef struct product_how {
    bsp_budget *budget;
    const bsp_allocator *allocator;
    uint32_t threads; ///< 1 or 4, where the call takes a number of threads
} product_how;

/// A product. `make` makes it and frees it again, and returns what the call returned; it fails the
/// test itself if a failed call leaves a result.
typedef struct product_row {
    const char *name;
    bool (*make)(const void *user, const product_how *how, bsp_error *error);
    bool no_work; ///< it counts no work
} product_row;

/// For each row: without limits it succeeds, with the same work each time and at any number of
/// threads; with limits of just that memory or work it succeeds; with less it fails with
/// BSP_E_LIMIT, a message that names the limit, and no leak; stopped it fails with BSP_E_CANCELLED.
void products_check(const product_row *rows, size_t count, const void *user, const char *what);

#endif
