// SPDX-License-Identifier: MIT
// Textures of Quake and GoldSrc, put into maps and taken out.
#ifndef CLI_TEXTURE_EDIT_H
#define CLI_TEXTURE_EDIT_H

#include "cli/edited.h"

/// True if the call wants a WAD or a changed map, and no pictures.
bool cli_texture_edits(const cli_call *call);

cli_status cli_texture_edit(const cli_call *call);

#endif
