// SPDX-License-Identifier: MIT
// Textures of Quake and GoldSrc, put into maps or taken out.
#ifndef CLI_TEXTURE_EDIT_H
#define CLI_TEXTURE_EDIT_H

#include "cli/parts/write_map.h"

/// The options of bspkit textures.
typedef struct cli_texture_options {
    cli_common common;
    const char *wad;
    bool embed;
    bool take_out;
    bool pak;      ///< write the textures of the pak too
    bool cubemaps; ///< of them only the captured cubemaps
} cli_texture_options;

/// Returns the options of a call.
static inline const cli_texture_options *cli_texture_options_of(const cli_call *call) {
    return call->options;
}

/// Returns true if the call writes a WAD or a changed map instead of images.
bool cli_texture_edits(const cli_call *call);

cli_status cli_texture_edit(const cli_call *call);

#endif
