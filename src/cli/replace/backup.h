// SPDX-License-Identifier: MIT
// The old file of a replacement, and its names.
#ifndef CLI_REPLACE_BACKUP_H
#define CLI_REPLACE_BACKUP_H

#include "cli/replace/replace.h"

/// Keeps the file that is replaced as NAME.bak. `old` is its content, for file systems without
/// second names. Returns false after a message; then the replacement is abandoned.
bool cli_backup_make(cli_replacement *replacement, cli_backup backup, bsp_bytes old);
/// Returns how many other names than its own and its backup's the file has that is to be replaced.
/// Ask before that, since a file that is open may keep the name that it loses until it is closed.
unsigned cli_backup_links(const cli_replacement *replacement);

#endif
