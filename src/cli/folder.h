// SPDX-License-Identifier: MIT
// Folders that results go to, and the files in them.
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/output.h"

/// Makes a folder if it is not there. False, with errno set, if it cannot be made or is a file.
bool cli_make_folder(const char *path);
/// Makes all folders of a path, from character `from` on, up to its last '/'. The path is changed
/// meanwhile.
bool cli_make_folders(char *path, size_t from);
bool cli_is_folder(const char *path);

/// The path of a file in a folder. False, with errno set, if it does not fit.
bool cli_join(const char *folder, const char *name, char *out, size_t room);

/// A name out of a map as the name of a file below a folder, NUL-terminated: no part of it is ".",
/// ".." or a device, and what some systems do not take is '_'. May be empty.
void cli_safe_name(bsp_text name, char *out, size_t room);

/// Reads a whole file ("-" is standard input). NULL after a message. Free with free.
uint8_t *cli_read_file(const char *path, size_t *size);
/// Writes a file at once. False after a message.
bool cli_write_file(const char *path, bsp_bytes bytes);

#endif
