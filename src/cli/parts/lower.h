// SPDX-License-Identifier: MIT
// Letters without their case.
#ifndef CLI_LOWER_H
#define CLI_LOWER_H

/// ASCII lower case, whatever the locale.
static inline char cli_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
