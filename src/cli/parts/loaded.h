// SPDX-License-Identifier: MIT
// The input of products: a map, the search path of --game, the textures found there, and light from
// files.
#ifndef CLI_LOADED_H
#define CLI_LOADED_H

#include "cli/parts/game.h"

/// What to load besides the search path. Lists of issues may be NULL: nothing is reported.
typedef struct cli_wanted {
    uint32_t parts; ///< bsp_load_mask bits of the map; 0: all
    bool textures;  ///< find the textures
    bool light; ///< search the folder beside the map too, and with `textures` read the light from
                ///< files
    bool drawn; ///< for a picture: without the light grid where no model can be found
    bsp_issues *search_issues;  ///< of the search path
    bsp_issues *map_issues;     ///< of the map
    bsp_issues *texture_issues; ///< of the textures
} cli_wanted;

/// Everything that was loaded; the rest is NULL.
typedef struct cli_loaded {
    bsp_search *search;
    bsp_map *map;
    bsp_textures *textures;
    bsp_external_light *light;
    char name[CLI_NAME_ROOM]; ///< of the map, from cli_map_name
} cli_loaded;

/// Loads. CLI_DONE, or another status after a message. Free with cli_unload in any case.
cli_status cli_load(cli_loaded *loaded, const cli_call *call, const char *path,
                    const bsp_file *file, const cli_wanted *wanted);
void cli_unload(cli_loaded *loaded);

#endif
