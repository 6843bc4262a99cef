// SPDX-License-Identifier: MIT
#include "cli/parts/member.h"

#include <string.h>
#include <sys/stat.h>

bool cli_member_split(const char *path, char archive[CLI_PATH_ROOM], const char **name) {
    struct stat status;
    size_t size = strlen(path);
    if (size >= CLI_PATH_ROOM || stat(path, &status) == 0) {
        return false;
    }
    for (size_t i = 1; i + 1 < size; i++) {
        if (path[i] != ':' && path[i] != '/') {
            continue;
        }
        memcpy(archive, path, i);
        archive[i] = '\0';
        if (stat(archive, &status) == 0 && S_ISREG(status.st_mode)) {
            *name = path + i + 1;
            return true;
        }
    }
    return false;
}
