// SPDX-License-Identifier: MIT
// The folders of a game that a command line names, as a search path for textures, and what was not
// found there.
#ifndef CLI_GAME_H
#define CLI_GAME_H

#include "cli/parts/output.h"

#define CLI_OPTION_GAME_FOR(what)                                                                  \
    {                                                                                              \
        .name = "game", .letter = 'g', CLI_FILE_TO(cli_common, games), .argument = "DIR",          \
        .help = "Look for " what                                                                   \
                " in this game folder and its archives; the first one given counts most"           \
    }
#define CLI_OPTION_GAME CLI_OPTION_GAME_FOR("textures")

/// The search path of all --game options. NULL after a message. Free with bsp_search_free.
bsp_search *cli_open_search(const cli_call *call, bsp_issues *issues);

/// What is said of textures that were not found: a line each, one for all that have no name, and
/// how many they are.
typedef struct cli_missing {
    const char *path; ///< the map
    uint32_t count;
    uint32_t nameless;
} cli_missing;

/// Says that a texture is missing; `note` says why, or is empty.
void cli_missing_add(cli_missing *missing, bsp_text name, const char *note);
/// Says the rest. Call it once.
void cli_missing_end(const cli_missing *missing);

/// Room for a map's name, its end included.
#define CLI_NAME_ROOM 256u

/// Says what is odd about where textures come from: warnings, and a palette that is missing.
void cli_report_textures(const char *path, const bsp_issues *issues);

/// The name of a file without folders and ending; "stdin" for "-".
void cli_map_name(const char *path, char out[CLI_NAME_ROOM]);

/// For a map whose light may lie in files: adds the folder NAME beside NAME.bsp to the search path.
/// False after a message.
bool cli_add_light_folder(bsp_search *search, const bsp_map *map, const char *path);

#endif
