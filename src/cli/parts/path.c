// SPDX-License-Identifier: MIT
// Operations on paths as text; nothing here accesses the disk.
#include "cli/parts/path.h"

#include "cli/parts/lower.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *cli_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bsp_text cli_stem(const char *path) {
    const char *name = cli_last_part(path);
    const char *dot = strrchr(name, '.');
    return (bsp_text){name, dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name)};
}

bool cli_ends_in(const char *text, const char *ending) {
    size_t size = strlen(text);
    size_t end = strlen(ending);
    return size > end && strcmp(text + size - end, ending) == 0;
}

bool cli_name_ends(bsp_text name, const char *ending) {
    size_t size = strlen(ending);
    if (name.size <= size) {
        return false;
    }
    const char *end = name.data + name.size - size;
    for (size_t i = 0; i < size; i++) {
        if (cli_lower(end[i]) != cli_lower(ending[i])) {
            return false;
        }
    }
    return true;
}

bool cli_join(const char *folder, const char *name, char *out, size_t room) {
    size_t size = strlen(folder);
    bool ends = size != 0 && folder[size - 1] == '/';
    int length = snprintf(out, room, "%s%s%s", folder, ends ? "" : "/", name);
    errno = ENAMETOOLONG;
    return length >= 0 && (size_t)length < room;
}

bool cli_join_beside(const char *path, const char *name, char out[CLI_PATH_ROOM]) {
    int folder = (int)(cli_last_part(path) - path);
    int length = snprintf(out, CLI_PATH_ROOM, "%.*s%s", folder, path, name);
    errno = ENAMETOOLONG;
    return length >= 0 && (size_t)length < CLI_PATH_ROOM;
}
