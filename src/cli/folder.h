// SPDX-License-Identifier: MIT
// Folders that results go to.
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>

/// Makes a folder if it is not there. False, with errno set, if it cannot be made or is a file.
bool cli_make_folder(const char *path);

#endif
