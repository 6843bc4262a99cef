// SPDX-License-Identifier: MIT
// Folders that results go to.
#define _POSIX_C_SOURCE 200809L // mkdir

#include "cli/folder.h"

#include <errno.h>
#include <sys/stat.h>

bool cli_make_folder(const char *path) {
    struct stat status;
    return mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &status) == 0 &&
                                      (S_ISDIR(status.st_mode) || (errno = ENOTDIR) == 0));
}
