// SPDX-License-Identifier: MIT
// Reading through a mapped file without filling the memory with it.
#ifndef BSPI_RECORDS_PAGE_WINDOW_H
#define BSPI_RECORDS_PAGE_WINDOW_H

#include "records/file.h"

/// Follows whoever reads through a file, and lets its pages go once some MiB of them have come.
/// Begins as {file}; nothing to free. Without a file, or for one that is not mapped, it does
/// nothing.
typedef struct bspi_window {
    const bsp_file *file;
    const uint8_t *low; ///< what is still there
    const uint8_t *high;
    const uint8_t *last; ///< end of what was read last
    size_t touched;      ///< bytes that came with it
} bspi_window;

/// These bytes have been read, and will not be for a while.
void bspi_window_pass(bspi_window *trail, bsp_bytes bytes);

/// As bsp_crc32, of bytes that are passed.
uint32_t bspi_window_crc32(bspi_window *trail, uint32_t crc, bsp_bytes data);

/// The next bytes of `*rest` that are good to work on at one time; empty at its end.
bsp_bytes bspi_window_step(bsp_bytes *rest);

#endif
