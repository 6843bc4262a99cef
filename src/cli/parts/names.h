// SPDX-License-Identifier: MIT
// The maps that a command line names: its operands, then the lines of --files-from.
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "cli/parts/options.h"

typedef struct cli_names {
    const char **list;
    int count;
    char *text; ///< of the file, cut into lines
} cli_names;

/// CLI_DONE, or why not (said). Ended by cli_names_free in any case.
/// `file` is what --files-from names, or NULL.
cli_status cli_names_read(cli_names *names, const cli_call *call, const char *file);
void cli_names_free(cli_names *names);

#endif
