// SPDX-License-Identifier: MIT
// Names of files as maps and archives write them.
#include "asset/archive/search.h"

static bool is_parent(const char *part, size_t size) {
    return size == 2 && part[0] == '.' && part[1] == '.';
}

bool bspi_clean_name(bsp_text name, char out[BSPI_NAME_ROOM]) {
    size_t used = 0;
    size_t part = 0; // where the last part begins
    for (size_t i = 0; i <= name.size; i++) {
        char c = i < name.size ? name.data[i] : '/';
        if (c == '\0') {
            return false;
        }
        if (c != '/' && c != '\\') {
            if (used + 2 > BSPI_NAME_ROOM) {
                return false;
            }
            out[used++] = c;
            continue;
        }
        if (is_parent(out + part, used - part)) {
            return false;
        }
        bool nothing = used == part || (used - part == 1 && out[part] == '.');
        used = nothing ? part : used;
        if (!nothing && used + 2 <= BSPI_NAME_ROOM) {
            out[used++] = '/';
        }
        part = used;
    }
    used -= used != 0 && out[used - 1] == '/' ? 1 : 0;
    out[used] = '\0';
    return used != 0;
}
