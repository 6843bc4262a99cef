// SPDX-License-Identifier: MIT
// Parts of a visibility run on the command line: --part K/N, and the files that --merge takes.
#ifndef CLI_COMMANDS_VIS_PARTS_H
#define CLI_COMMANDS_VIS_PARTS_H

#include "cli/parts/input.h"

/// Reads "K/N". Returns false after a message.
bool cli_part_parse(const char *text, uint32_t *number, uint32_t *count);

/// Files of parts, as they were read.
typedef struct cli_parts {
    bsp_blob *blobs;
    bsp_bytes *bytes; ///< of `blobs`
    const char **paths;
    uint32_t count;
    char **maps; ///< the operands that are no parts; borrowed texts
    int num_maps;
} cli_parts;

/// Reads the operands that are parts: by the ending .part, or by what they begin with. Returns
/// false after a message. Free with cli_parts_drop in any case.
bool cli_parts_open(const cli_call *call, cli_parts *out);
void cli_parts_drop(cli_parts *parts);
/// Reports the first part that is no part, or one of another map. Returns CLI_DONE if there is
/// none.
cli_status cli_parts_check(const cli_parts *parts, const bsp_portals *portals, double distance);

#endif
