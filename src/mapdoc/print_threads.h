// SPDX-License-Identifier: MIT
// Prints many items, for instance the brushes of an entity, by several threads.
#ifndef BSPI_MAPDOC_PRINT_THREADS_H
#define BSPI_MAPDOC_PRINT_THREADS_H

#include "mapdoc/print.h"

/// Prints item `index` of a run that starts at `first`. It may use nothing of the printer but what
/// it prints to, its losses and its error. Returns false on failure.
typedef bool bspi_print_item(bspi_printer *p, uint32_t first, uint32_t index);

/// Prints items 0 to `count` - 1 in this order: many of them by as many threads as the printer's
/// heap may use. What is printed, the losses and the error are the same at any number of threads.
/// Returns false on failure; then all before the item that failed are printed.
bool bspi_print_items(bspi_printer *p, uint32_t first, uint32_t count, bspi_print_item *print);

#endif
