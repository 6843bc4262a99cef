// SPDX-License-Identifier: MIT
// BSPX: the directory of additional lumps behind the last lump of Quake's descendants.
#ifndef BSPI_BSPX_H
#define BSPI_BSPX_H

#include "bspkit/core.h"

/// Finds the directory behind the lumps, which end at byte `end_of_lumps`. `*offset` receives the
/// byte of its first entry (bspi_bspx_entry_t), `*count` how many entries are there: fewer than
/// stated if the file ends before. False if there is no directory.
bool bspi_bspx_find(bsp_bytes file, uint64_t end_of_lumps, size_t *offset, uint32_t *count);

#endif
