// SPDX-License-Identifier: MIT
// The folders of a game that a command line names, as a search path for textures.
#ifndef CLI_GAME_H
#define CLI_GAME_H

#include "cli/output.h"

#define CLI_OPTION_GAME                                                                            \
    {                                                                                              \
        "game", 'g', CLI_FILE, true, "DIR",                                                        \
            "Look for textures in this game folder and its archives; the first one given counts "  \
            "most"                                                                                 \
    }

/// The search path of all --game options. NULL after a message. Free with bsp_search_free.
bsp_search *cli_open_search(const cli_call *call, bsp_issues *issues);

/// Room for a map's name, its end included.
#define CLI_NAME_ROOM 256u

/// The name of a file without folders and ending; "stdin" for "-".
void cli_map_name(const char *path, char out[CLI_NAME_ROOM]);

/// For a map whose light may lie in files: adds the folder NAME beside NAME.bsp to the search path.
/// False after a message.
bool cli_add_light_folder(bsp_search *search, const bsp_map *map, const char *path);

#endif
