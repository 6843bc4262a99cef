// SPDX-License-Identifier: MIT
// The matcher. On a mismatch only the last * is widened: that is enough, and keeps the time at
// pattern times text.
#include "cli/parts/glob.h"

char cli_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool cli_glob(bsp_text pattern, bsp_text text) {
    size_t p = 0;
    size_t t = 0;
    size_t star = SIZE_MAX; // behind the last * seen
    size_t tried = 0;       // where in the text its match ends
    while (t < text.size) {
        if (p < pattern.size && pattern.data[p] == '*') {
            star = ++p;
            tried = t;
        } else if (p < pattern.size && (pattern.data[p] == '?' ||
                                        cli_lower(pattern.data[p]) == cli_lower(text.data[t]))) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star;
            t = ++tried;
        } else {
            return false;
        }
    }
    while (p < pattern.size && pattern.data[p] == '*') {
        p++;
    }
    return p == pattern.size;
}
