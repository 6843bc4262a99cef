// SPDX-License-Identifier: MIT
// The forms of bspkit pak.
#ifndef CLI_PAK_H
#define CLI_PAK_H

#include "cli/parts/write_map.h"

/// The options of bspkit pak add and replace.
typedef struct cli_pak_options {
    cli_common common;
    int method; ///< a bsp_pak_method, or -1
    const char *list;
    const char *root;
} cli_pak_options;

/// Returns the options of a call.
static inline const cli_pak_options *cli_pak_options_of(const cli_call *call) {
    return call->options;
}

/// The embedded zip of a map, open.
typedef struct cli_pak {
    uint32_t lump; ///< BSP_NONE: the branch has none
    bsp_pak *pak;
} cli_pak;

/// Opens the zip. CLI_DONE with `lump` BSP_NONE after a message when maps of that branch have none;
/// CLI_FAILED after a message. Free with cli_pak_close.
cli_status cli_pak_open(const cli_input *input, cli_pak *out);
void cli_pak_close(cli_pak *pak);

/// Writes the map with changes to its zip.
cli_status cli_pak_write(const cli_input *input, const cli_pak *pak, const bsp_pak_change *changes,
                         uint32_t count);

/// Returns true if the name matches one of the patterns after the map, or there are none.
bool cli_pak_matches(const cli_call *call, bsp_text name);

cli_status cli_pak_add(const cli_input *input);
cli_status cli_pak_replace(const cli_input *input);
cli_status cli_pak_remove(const cli_input *input);

/// The options of bspkit pak rename.
typedef struct cli_pak_rename_options {
    cli_common common;
    const char *from; ///< the old name; NULL: it is found
} cli_pak_rename_options;

/// Writes the map with another name in its zip: the second operand.
cli_status cli_pak_rename(const cli_input *input);

#endif
