// SPDX-License-Identifier: MIT
// A file that an edit reads, changes and replaces. It is locked from before it is read until it is
// replaced: of two edits at once, one waits for the other, and reads its result.
#ifndef CLI_ORIGINAL_H
#define CLI_ORIGINAL_H

#include "core/os_calls.h"
#include "bspkit/core.h"

#include <stdbool.h>

typedef struct cli_original {
    int fd;             ///< holds the lock; -1 when it is not open
    struct stat status; ///< of the file, before it was read
} cli_original;

/// Opens and locks the file; waits for another edit of it to end, for a limited time. Returns false
/// after a message. Where the file system has no locks, only cli_original_is_same protects the
/// file.
bool cli_original_open(cli_original *original, const char *path);
/// Returns true if that is still the opened file, unchanged since.
bool cli_original_is_same(const cli_original *original, const struct stat *now);
/// Returns true if it holds exactly these bytes.
bool cli_original_holds(const cli_original *original, bsp_bytes bytes);
void cli_original_close(cli_original *original);

#endif
