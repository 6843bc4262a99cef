// SPDX-License-Identifier: MIT
// Output folders, and the files in them.
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/parts/output.h"
#include "cli/parts/path.h"

/// An open output folder: nothing is written outside of it, even if it contains links.
typedef struct cli_folder {
    int fd;
    const char *path; ///< as the user gave it
} cli_folder;

/// Opens a folder, and makes it and its parents if they do not exist. Links in its path are
/// followed. Returns false after a message; then there is nothing to close.
bool cli_folder_open(cli_folder *folder, const char *path);
void cli_folder_close(cli_folder *folder);
/// Writes a file below the folder in one call; `name` may contain folders. An existing entry that
/// is not a regular file is refused. Returns false after a message.
bool cli_folder_put(const cli_folder *folder, const char *name, bsp_bytes bytes,
                    const struct timespec *date);
/// Opens an output below the folder: `path` receives the whole path, and must outlive the output.
bool cli_folder_output(const cli_folder *folder, const char *name, char *path, size_t room,
                       cli_output *output);

bool cli_is_folder(const char *path);
bool cli_is_file(const char *path);

/// Converts a name from a map to the name of a file below a folder, NUL-terminated: no part of it
/// is ".", ".." or a device, and characters that some systems refuse, with a dot or space at the
/// end of a part, are '_'. The same on every system. May be empty.
void cli_safe_name(bsp_text name, char *out, size_t room);

/// Reads a whole file ("-" is standard input). Returns NULL after a message. Free with free.
uint8_t *cli_read_file(const char *path, size_t *size);
/// Writes a file in one call. Returns false after a message.
bool cli_write_file(const char *path, bsp_bytes bytes);

#endif
