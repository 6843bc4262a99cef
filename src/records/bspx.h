// SPDX-License-Identifier: MIT
// BSPX: the directory of additional lumps after the last lump, in Quake and its successors.
#ifndef BSPI_BSPX_H
#define BSPI_BSPX_H

#include "bspkit/core.h"

/// Finds the directory after the lumps, which end at byte `end_of_lumps`. `*offset` receives the
/// byte of its first entry (bspi_bspx_entry_t), `*count` the number of entries in the file: fewer
/// than stated if the file ends before. Returns false if there is no directory.
bool bspi_bspx_find(bsp_bytes file, uint64_t end_of_lumps, size_t *offset, uint32_t *count);

#endif
