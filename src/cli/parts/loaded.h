// SPDX-License-Identifier: MIT
// What products are made of: a map, the search path of --game, the textures found there, and light
// that lies in files.
#ifndef CLI_LOADED_H
#define CLI_LOADED_H

#include "cli/parts/game.h"

/// What to load beside the search path. The issues may be NULL: nothing is noted.
typedef struct cli_wanted {
    uint32_t parts;             ///< bsp_load_mask bits of the map; 0: all
    bool textures;              ///< find the textures
    bool light;                 ///< look in the folder beside the map too, and with `textures` read
                                ///< the light that lies in files
    bsp_issues *search_issues;  ///< what is odd about the search path
    bsp_issues *map_issues;     ///< about the map
    bsp_issues *texture_issues; ///< about the textures
} cli_wanted;

/// All of it; what was not wanted is NULL.
typedef struct cli_loaded {
    bsp_search *search;
    bsp_map *map;
    bsp_textures *textures;
    bsp_external_light *light;
    char name[CLI_NAME_ROOM]; ///< of the map, as cli_map_name tells it
} cli_loaded;

/// CLI_DONE, or another status after a message. Free with cli_unload in any case.
cli_status cli_load(cli_loaded *loaded, const cli_call *call, const char *path,
                    const bsp_file *file, const cli_wanted *wanted);
void cli_unload(cli_loaded *loaded);

#endif
