// SPDX-License-Identifier: MIT
// The operating system, behind one file.
#ifndef BSPI_OS_H
#define BSPI_OS_H

#include "bspkit/core.h"

/// A file's bytes, mapped or read. Plain data; unmap once.
typedef struct bspi_mapping {
    bsp_bytes bytes;
    bool mapped; ///< else allocated
} bspi_mapping;

/// Maps the whole file at `path` for reading (a pipe or a device is read to its end, at most
/// `limit` bytes). The error names what the system said.
bool bspi_map_file(const char *path, size_t limit, bspi_mapping *out, bsp_error *error);
void bspi_unmap_file(bspi_mapping *mapping);

#endif
