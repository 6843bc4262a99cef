// SPDX-License-Identifier: MIT
// The compiler as one call.
#ifndef COMPILE_H
#define COMPILE_H

#include "bspkit/core.h"

typedef struct compile_options {
    const char *in;       ///< path of the .vmf; materials are looked for in its folder
    const char *map_name; ///< "lobby"
    const char *branch;   ///< that the map is written for
    bool big_endian;
    uint32_t static_props; ///< version of the game lump
} compile_options;

/// Makes a map and prints a line about it. Ends the program where that is not possible. Free `out`
/// with bsp_blob_free. One call at a time.
void compile_map(const compile_options *options, bsp_blob *out);

#endif
