// SPDX-License-Identifier: MIT
// Maps in archives, as a command line names them: pak0.pak:maps/e1m1.bsp.
#ifndef CLI_MEMBER_H
#define CLI_MEMBER_H

#include "cli/parts/path.h"

/// True if `path` names a file in an archive: nothing has that path, and a file has what stands
/// before one of its ':' or '/'. `archive` receives the path of that file, `*name` the rest.
bool cli_member_split(const char *path, char archive[CLI_PATH_ROOM], const char **name);

#endif
