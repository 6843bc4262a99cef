// SPDX-License-Identifier: MIT
// Records back to bytes.
#ifndef BSPI_RECORDS_ENCODE_H
#define BSPI_RECORDS_ENCODE_H

#include "bspkit/layout.h"
#include "core/memory.h"

/// Decodes the records of a table and encodes them again into `out`, which has the table's size.
/// `heap` counts the memory for a field that is too large for the stack.
bool bspi_encode_table(const bsp_table *table, bspi_heap *heap, uint8_t *out, bsp_error *error);

#endif
