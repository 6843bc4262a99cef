// SPDX-License-Identifier: MIT
// Source's files that replace one lump of a map: NAME_l_N.lmp, a head of 20 bytes and the lump.
#ifndef CLI_PATCH_H
#define CLI_PATCH_H

#include "cli/input.h"

#define CLI_PATCH_HEAD 20u

#define CLI_OPTION_LMP                                                                             \
    {                                                                                              \
        "lmp", 0, CLI_FILE, true, "FILE",                                                          \
            "Read the map with the lump of this .lmp file in the place of its own, as Source does" \
    }

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

/// True if the call names files with --lmp.
bool cli_patch_given(const cli_call *call);
/// Opens a map again with the lumps of all files that --lmp names. `blob` receives its bytes, to be
/// freed when the file is closed. NULL after a message.
bsp_file *cli_patch_open(const cli_input *input, const bsp_file *file, bsp_blob *blob);

#endif
