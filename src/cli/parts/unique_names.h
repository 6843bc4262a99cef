// SPDX-License-Identifier: MIT
// Names of files in one folder: two that differ only in the case of ASCII letters would be one file
// on some systems, so the second gets a number.
#ifndef CLI_UNIQUE_NAMES_H
#define CLI_UNIQUE_NAMES_H

#include "bspkit/bspkit.h"

/// A set of names; all zero: empty.
typedef struct cli_unique {
    struct cli_unique_name *slots;
    size_t room; ///< number of slots: a power of two, or 0
    size_t count;
} cli_unique;

/// Adds a name. If it exists, appends _2 to it, or the next free number; `room` is the size of the
/// buffer. Returns false without memory.
bool cli_unique_take(cli_unique *names, char *name, size_t room);
void cli_unique_free(cli_unique *names);

#endif
