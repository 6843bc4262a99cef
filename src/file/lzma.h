// SPDX-License-Identifier: MIT
// What unpacking costs.
#ifndef BSPI_LZMA_H
#define BSPI_LZMA_H

#include "bspkit/file.h"

/// Bytes that unpacking a lump allocates besides the output, at most.
size_t bspi_lzma_memory(bsp_bytes packed);

#endif
