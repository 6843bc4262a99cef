// SPDX-License-Identifier: MIT
// Reads through a mapped file without filling the memory with it.
#ifndef BSPI_RECORDS_PAGE_WINDOW_H
#define BSPI_RECORDS_PAGE_WINDOW_H

#include "records/file.h"

/// Follows a pass through a file and releases its pages after some MiB of them. Initialise as
/// {file}; nothing to free. Without a file, or for one that is not mapped, it does nothing.
typedef struct bspi_window {
    const bsp_file *file;
    const uint8_t *low; ///< start of the pages that are still loaded
    const uint8_t *high;
    const uint8_t *last; ///< end of the bytes that were read last
    size_t touched;      ///< bytes loaded since the last release
    bool large;          ///< more was read than a window holds
} bspi_window;

/// Reports that these bytes were read and are not needed again soon.
void bspi_window_pass(bspi_window *window, bsp_bytes bytes);

/// Ends a pass: the rest of one that was larger than the window is released too.
void bspi_window_end(bspi_window *window);

/// Computes as bsp_crc32 does, and passes the bytes.
uint32_t bspi_window_crc32(bspi_window *window, uint32_t crc, bsp_bytes data);

/// Returns the next part of `*rest` of a size that fits the window, and removes it; empty at the
/// end.
bsp_bytes bspi_window_step(bsp_bytes *rest);

#endif
