// SPDX-License-Identifier: MIT
// Opens a map of the command line with the options of the call.
#ifndef CLI_OPEN_MAP_H
#define CLI_OPEN_MAP_H

#include "cli/parts/output.h"

typedef struct cli_opened {
    bsp_file *file;
    bsp_file *own; ///< the file on disk, when --lmp changed what is read
    bsp_blob blob; ///< then the bytes of `file`
} cli_opened;

/// Opens a map, of the disk or of an archive (cli_member_split), with --branch, --no-external and
/// --lmp of the call; `issues` may be NULL. Returns false after a message, with nothing to close.
bool cli_open_map(const cli_call *call, const char *path, bsp_issues *issues, cli_opened *opened);
/// Says whether a map can be opened so, without patches of --lmp and without a message: `error` has
/// why it cannot.
bool cli_map_opens(const cli_call *call, const char *path, bsp_error *error);
void cli_close_map(cli_opened *opened);

#endif
