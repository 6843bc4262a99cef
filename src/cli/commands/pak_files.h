// SPDX-License-Identifier: MIT
// Files on disk that are added to a map: named one by one, by their folder, or in a list.
#ifndef CLI_PAK_FILES_H
#define CLI_PAK_FILES_H

#include "cli/parts/output.h"

typedef struct cli_pak_file {
    char *name; ///< in the pak, with slashes
    char *path; ///< on disk
} cli_pak_file;

typedef struct cli_pak_files {
    cli_pak_file *list;
    size_t count;
    size_t room;
} cli_pak_files;

/// Collects all files that the operands after the map name, and those of the list of --list (NULL:
/// none), in a fixed order. A folder stands for all files below it, with names relative to it; a
/// file has the name as given, or the name relative to the folder of --root (NULL: none). Returns
/// false after a message. Free with cli_pak_files_free.
bool cli_pak_files_collect(cli_pak_files *files, const cli_call *call, const char *list,
                           const char *root);
void cli_pak_files_free(cli_pak_files *files);

#endif
