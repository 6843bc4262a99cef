// SPDX-License-Identifier: MIT
// What stands at a path: links, folders, devices and pipes.
#ifndef CLI_REPLACE_PLACE_H
#define CLI_REPLACE_PLACE_H

#include "core/os_calls.h"
#include "cli/parts/path.h"

#include <stdio.h>

/// Returns what a file is, for messages: "a folder".
const char *cli_kind_of_file(const struct stat *status);
/// Makes the path with an ending. Returns false, with errno set, if it does not fit.
bool cli_add_ending(char out[CLI_PATH_ROOM], const char *path, const char *ending);

/// Gives the path that a link at `path` finally leads to, which may not exist. Returns false, with
/// errno set, if it is too long or a cycle.
bool cli_follow_links(char out[CLI_PATH_ROOM], const char *path);

/// Opens a device or a pipe, which is written directly. Returns NULL after a message.
FILE *cli_open_stream(const char *path);

/// Makes a folder if it does not exist, below an open one (AT_FDCWD: the current one). Returns
/// false, with errno set, on failure.
bool cli_make_folder_at(int folder, const char *name);
/// Opens the folder of the name `path + name`, below `folder`, and makes missing folders. Links are
/// not followed. Returns -1 after a message.
int cli_open_folder_of(int folder, const char *path, size_t *name);
/// Opens the folder of a path, or returns -1 with errno set. Links are followed.
int cli_open_parent(const char *path);

#endif
