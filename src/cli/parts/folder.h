// SPDX-License-Identifier: MIT
// Folders that results go to, and the files in them.
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/parts/output.h"
#include "cli/parts/path.h"

/// A folder that results go to, open: nothing is written outside of it, whatever links stand in it.
typedef struct cli_folder {
    int fd;
    const char *path; ///< as the user named it
} cli_folder;

/// Opens a folder, and makes it, and those that it is in, if they are not there. Links in its path
/// are followed. False after a message; then there is nothing to close.
bool cli_folder_open(cli_folder *folder, const char *path);
void cli_folder_close(cli_folder *folder);
/// Writes a file below the folder at once; `name` may have folders of its own. What stands there
/// and is no regular file is refused. False after a message.
bool cli_folder_put(const cli_folder *folder, const char *name, bsp_bytes bytes,
                    const struct timespec *date);
/// The same for what is written bit by bit: `path` gets the whole path, and must live as long as
/// the output.
bool cli_folder_output(const cli_folder *folder, const char *name, char *path, size_t room,
                       cli_output *output);

bool cli_is_folder(const char *path);

/// A name out of a map as the name of a file below a folder, NUL-terminated: no part of it is ".",
/// ".." or a device, and what some systems do not take is '_'. May be empty.
void cli_safe_name(bsp_text name, char *out, size_t room);

/// Reads a whole file ("-" is standard input). NULL after a message. Free with free.
uint8_t *cli_read_file(const char *path, size_t *size);
/// Writes a file at once. False after a message.
bool cli_write_file(const char *path, bsp_bytes bytes);

#endif
