// SPDX-License-Identifier: MIT
// Rights of a file: its mode, owner, group and extended attributes.
#ifndef CLI_REPLACE_RIGHTS_H
#define CLI_REPLACE_RIGHTS_H

#include <stdbool.h>

/// Gives the open file `to` the rights of the file `from` in an open folder; where there is none,
/// those of any new file. Owner and attributes are left where they may not be set. Returns false,
/// with errno set, on failure.
bool cli_rights_take(int folder, const char *from, int to);

#endif
