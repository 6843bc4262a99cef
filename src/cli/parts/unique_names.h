// SPDX-License-Identifier: MIT
// Names of files in one folder: two that differ in no more than the case of ASCII letters would be
// one file on some systems, so the second gets a number.
#ifndef CLI_UNIQUE_NAMES_H
#define CLI_UNIQUE_NAMES_H

#include "bspkit/bspkit.h"

/// All zero: no names yet.
typedef struct cli_unique {
    struct cli_unique_name *slots;
    size_t room; ///< a power of two, or 0
    size_t count;
} cli_unique;

/// Takes a name; one that is taken gets _2 behind it, or the next number that is free, for which
/// `room` bytes leave room. False without memory.
bool cli_unique_take(cli_unique *names, char *name, size_t room);
void cli_unique_free(cli_unique *names);

#endif
