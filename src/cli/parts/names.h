// SPDX-License-Identifier: MIT
// The maps of a command line: its operands, then the lines of --files-from.
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "cli/parts/options.h"

typedef struct cli_names {
    const char **list;
    int count;
    char *text; ///< of the file, split into lines
} cli_names;

/// Reads the names. CLI_DONE, or another status after a message. Call cli_names_free in any case.
/// `file` is the value of --files-from, or NULL.
cli_status cli_names_read(cli_names *names, const cli_call *call, const char *file);
void cli_names_free(cli_names *names);

#endif
