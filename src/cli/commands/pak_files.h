// SPDX-License-Identifier: MIT
// Files of the disk that go into a map: named one by one, by their folder, or in a list.
#ifndef CLI_PAK_FILES_H
#define CLI_PAK_FILES_H

#include "cli/parts/output.h"

typedef struct cli_pak_file {
    char *name; ///< in the pak, with slashes
    char *path; ///< on the disk
} cli_pak_file;

typedef struct cli_pak_files {
    cli_pak_file *list;
    size_t count;
    size_t room;
} cli_pak_files;

/// All files that the operands after the map name, and the list of --list (NULL: none), in a fixed
/// order. A folder stands for all files below it, with their names from there on; a file has the
/// name it is given by, or that below the folder of --root (NULL: none). False after a message.
/// Free with cli_pak_files_free.
bool cli_pak_files_collect(cli_pak_files *files, const cli_call *call, const char *list,
                           const char *root);
void cli_pak_files_free(cli_pak_files *files);

#endif
