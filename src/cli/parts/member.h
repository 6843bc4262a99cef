// SPDX-License-Identifier: MIT
// Maps in archives, as a command line names them: pak0.pak:maps/e1m1.bsp, and for an archive in an
// archive mod.zip:pak0.pak:maps/e1m1.bsp.
#ifndef CLI_MEMBER_H
#define CLI_MEMBER_H

#include "cli/parts/path.h"

/// The most archives inside each other.
#define CLI_MEMBER_DEEPEST 4

/// True for a name that ends as those of maps do: .bsp, also packed by gzip or bzip2.
bool cli_is_map_name(bsp_text name);
/// True for a name that ends as those of archives with maps do.
bool cli_is_archive_name(bsp_text name);

/// True if `path` names a file in an archive: nothing has that path, and a file has what stands
/// before one of its ':' or '/'. `archive` receives the path of that file, `*name` the rest.
bool cli_member_split(const char *path, char archive[CLI_PATH_ROOM], const char **name);
/// Returns the name of a map without folders and archives: what follows the last '/', and in that
/// the last ':' after the ending of an archive.
const char *cli_member_file(const char *path);
/// Splits the name of a file in an archive that is in an archive, at the first ':' after the ending
/// of an archive. False if it has none.
bool cli_member_inner(bsp_text name, bsp_text *archive, bsp_text *inner);

#endif
