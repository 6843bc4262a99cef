// SPDX-License-Identifier: MIT
// What is written counts as output in the budget of the export.
#ifndef BSPI_EXPORT_SINK_H
#define BSPI_EXPORT_SINK_H

#include "export/content.h"

/// A file being written: the caller's sink, and how much was written.
typedef struct bspi_counted {
    const bspi_content *content;
    bsp_sink sink;
    void *user;
    uint64_t bytes;
    bool begun; ///< it was counted as a file
} bspi_counted;

/// A bsp_sink; `user` is a bspi_counted. Also returns false over a limit of output, which is stored
/// for bspi_sink_failed.
bool bspi_counted_sink(void *user, const char *data, size_t size);
/// Fails with the limit of output that stopped the export, or with BSP_E_IO.
bool bspi_sink_failed(const bspi_content *content, bsp_error *error);

#endif
