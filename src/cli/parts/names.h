// SPDX-License-Identifier: MIT
// The maps of a command line: what its operands, and the lines of --files-from, stand for.
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "cli/parts/options.h"

/// Returns true for a command whose operands may be folders and archives.
bool cli_names_of_many(const cli_command *command);
/// Replaces the operands of a command that reads any number of maps: a folder by the maps and
/// archives in it (with --recursive, or `whole_folders`, also those below it), in the order of
/// their names, an archive by its maps (ARCHIVE:NAME), and adds those of --files-from. What cannot
/// be read, or holds no map, is kept. CLI_DONE, or another status after a message. Call
/// cli_names_free in any case.
cli_status cli_names_expand(cli_call *call);
void cli_names_free(cli_call *call);

#endif
