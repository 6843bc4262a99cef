// SPDX-License-Identifier: MIT
// Patterns: * stands for any characters, ? for one. ASCII letters match in any case, whatever the
// locale.
#ifndef CLI_GLOB_H
#define CLI_GLOB_H

#include "bspkit/bspkit.h"

/// The small letter of a capital one (ASCII).
char cli_lower(char c);
bool cli_glob(bsp_text pattern, bsp_text text);

#endif
