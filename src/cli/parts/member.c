// SPDX-License-Identifier: MIT
// Splits names of maps in archives. What is on the disk goes first: a path that exists is no
// member.
#define _POSIX_C_SOURCE 200809L // stat

#include "cli/parts/member.h"

#include "core/os_calls.h"

#include <string.h>

bool cli_is_map_name(bsp_text name) {
    return cli_name_ends(name, ".bsp") || cli_name_ends(name, ".bsp.gz") ||
           cli_name_ends(name, ".bsp.bz2");
}

// pak01_000.vpk and so on hold the bytes of files that pak01_dir.vpk names.
static bool is_vpk_part(bsp_text name) {
    const char *end = name.data + name.size;
    bool part = name.size > 8 && end[-8] == '_';
    for (int i = -7; part && i < -4; i++) {
        part = end[i] >= '0' && end[i] <= '9';
    }
    return part;
}

bool cli_is_archive_name(bsp_text name) {
    static const char *const endings[] = {".pak", ".pk3", ".pkz", ".pk4", ".zip", ".gma", ".gcf"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (cli_name_ends(name, endings[i])) {
            return true;
        }
    }
    return cli_name_ends(name, ".vpk") && !is_vpk_part(name);
}

bool cli_member_inner(bsp_text name, bsp_text *archive, bsp_text *inner) {
    for (size_t i = 1; i + 1 < name.size; i++) {
        *archive = (bsp_text){name.data, i};
        if (name.data[i] == ':' && cli_is_archive_name(*archive)) {
            *inner = (bsp_text){name.data + i + 1, name.size - i - 1};
            return true;
        }
    }
    return false;
}

const char *cli_member_file(const char *path) {
    const char *name = cli_last_part(path);
    bsp_text rest = bsp_text_of(name);
    for (bsp_text archive; cli_member_inner(rest, &archive, &rest);) {
    }
    return rest.data;
}

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
