// SPDX-License-Identifier: MIT
// Files of Source that replace one lump of a map (NAME_l_N.lmp), read and written.
#ifndef CLI_PATCH_H
#define CLI_PATCH_H

#include "cli/parts/output.h"

#define CLI_OPTION_LMP                                                                             \
    {                                                                                              \
        .name = "lmp", CLI_FILE_TO(cli_common, lmp), .argument = "FILE",                           \
        .help = "Read the map with the lump of this .lmp file instead of its own, as Source does"  \
    }

/// Parses a file that is meant for a map. Returns false after a message about `path`.
bool cli_patch_read(const char *path, bsp_bytes bytes, const bsp_file *file, bsp_lump_file *patch);
/// Writes such a file: `data` as a lump of a map.
void cli_patch_write(const bsp_file *file, const bsp_lump *lump, bsp_bytes data,
                     cli_output *output);

/// Returns true if the call names files with --lmp.
bool cli_patch_given(const cli_call *call);
/// Opens a map again with the lumps of all files that --lmp names. `blob` receives its bytes, to be
/// freed when the file is closed. Returns NULL after a message about `path`.
bsp_file *cli_patch_open(const cli_call *call, const char *path, const bsp_file *file,
                         bsp_issues *issues, bsp_blob *blob);

#endif
