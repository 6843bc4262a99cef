// SPDX-License-Identifier: MIT
// A file that an edit reads, changes and replaces. It is locked from before it is read until it is
// replaced: of two edits at once, one waits for the other, and reads what that made.
#ifndef CLI_ORIGINAL_H
#define CLI_ORIGINAL_H

#include "bspkit/core.h"

#include <stdbool.h>
#include <sys/stat.h>

typedef struct cli_original {
    int fd;             ///< holds the lock; -1 when it is not open
    struct stat status; ///< of the file, before it was read
} cli_original;

/// Opens and locks the file; waits for another edit of it to end, but not for ever. False after a
/// message. Where the file system knows no locks, what cli_original_is_same says is all there is.
bool cli_original_open(cli_original *original, const char *path);
/// True if that is still the file that was opened, and no program has written to it since.
bool cli_original_is_same(const cli_original *original, const struct stat *now);
/// True if it holds these bytes and no others.
bool cli_original_holds(const cli_original *original, bsp_bytes bytes);
void cli_original_close(cli_original *original);

#endif
