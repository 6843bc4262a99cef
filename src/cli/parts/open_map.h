// SPDX-License-Identifier: MIT
// A map that a command line names, open as its options ask for.
#ifndef CLI_OPEN_MAP_H
#define CLI_OPEN_MAP_H

#include "cli/parts/output.h"

typedef struct cli_opened {
    bsp_file *file;
    bsp_file *own; ///< the file as it stands on the disk, when --lmp changed what is read
    bsp_blob blob; ///< the bytes of `file` then
} cli_opened;

/// Opens a map with --branch, --no-external and --lmp of the call; `issues` may be NULL. False
/// after a message, with nothing to close.
bool cli_open_map(const cli_call *call, const char *path, bsp_issues *issues, cli_opened *opened);
void cli_close_map(cli_opened *opened);

#endif
