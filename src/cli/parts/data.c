// SPDX-License-Identifier: MIT
// Files that come with the command are found from where the command itself is.
#define _POSIX_C_SOURCE 200809L // readlink

#include "core/os_calls.h"

#include "cli/parts/data.h"

#include <string.h>

#ifdef __linux__
static bool own_folder(char out[CLI_PATH_ROOM]) {
    ssize_t size = readlink("/proc/self/exe", out, CLI_PATH_ROOM - 1);
    if (size <= 0) {
        return false;
    }
    out[size] = '\0';
    out[cli_last_part(out) - out] = '\0';
    return true;
}
#else
static bool own_folder(char out[CLI_PATH_ROOM]) {
    (void)out;
    return false;
}
#endif

// Where the files may stand, from the folder of the command on: as they are installed, and in a
// clone.
static const char *const places[] = {"../share/bspkit", "../web/dist", "../../web/dist"};

bool cli_data_path(const char *name, char out[CLI_PATH_ROOM]) {
    char folder[CLI_PATH_ROOM];
    char inside[CLI_PATH_ROOM];
    struct stat status;
    if (!own_folder(folder)) {
        return false;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (cli_join(folder, places[i], inside, sizeof inside) &&
            cli_join(inside, name, out, CLI_PATH_ROOM) && stat(out, &status) == 0 &&
            S_ISREG(status.st_mode)) {
            return true;
        }
    }
    return false;
}
