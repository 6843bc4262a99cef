// SPDX-License-Identifier: MIT
// What is written counts as output of the budget that the export is paid from.
#ifndef BSPI_EXPORT_SINK_H
#define BSPI_EXPORT_SINK_H

#include "export/content.h"

/// A file that is written: the caller's sink, and what went there.
typedef struct bspi_counted {
    const bspi_content *content;
    bsp_sink sink;
    void *user;
    uint64_t bytes;
    bool begun; ///< it counts as a file
} bspi_counted;

/// A bsp_sink; `user` is a bspi_counted. False as well over a limit of output, which is kept for
/// bspi_sink_failed.
bool bspi_counted_sink(void *user, const char *data, size_t size);
/// Fails: with the limit of output that stopped it, or BSP_E_IO.
bool bspi_sink_failed(const bspi_content *content, bsp_error *error);

#endif
