// SPDX-License-Identifier: MIT
// The textures of an embedded pak as images.
#ifndef CLI_TEXTURE_PAK_H
#define CLI_TEXTURE_PAK_H

#include "cli/parts/folder.h"
#include "cli/parts/unique_names.h"

/// Which textures of a pak are written, and where.
typedef struct cli_pak_textures {
    const char *path;         ///< of the map, for messages
    const cli_folder *folder; ///< open
    cli_unique *names;        ///< of the files that are there
    bool cubemaps_only;
    bsp_json *json;  ///< an open array that gets an object for each texture; NULL: text
    uint32_t files;  ///< counts what is written
    uint32_t failed; ///< textures that are no images; each had its message
} cli_pak_textures;

/// Writes them: a cubemap as its six sides, NAME_right and so on. Returns CLI_DONE, or another
/// status after a message.
cli_status cli_write_pak_textures(const bsp_file *file, cli_pak_textures *job);

#endif
