// SPDX-License-Identifier: MIT
// Source's files that replace one lump of a map: NAME_l_N.lmp, a head of 20 bytes and the lump.
#ifndef CLI_PATCH_H
#define CLI_PATCH_H

#include "cli/input.h"

#define CLI_PATCH_HEAD 20u

/// A lump as such a file has it. `data` is borrowed from the file's bytes.
typedef struct cli_patch {
    uint32_t lump;
    uint32_t version;
    uint32_t revision; ///< of the map it was made for
    bsp_bytes data;
} cli_patch;

/// Takes a file apart, of a map in that byte order. False after a message about `path`.
bool cli_patch_read(const char *path, bsp_bytes bytes, bool big_endian, cli_patch *patch);
/// Its head for a lump of a map.
void cli_patch_head(const bsp_file *file, const bsp_lump *lump, size_t size,
                    uint8_t out[CLI_PATCH_HEAD]);

#endif
