// SPDX-License-Identifier: MIT
// The folders of a game on the command line, as a search path for textures, and reports of missing
// textures.
#ifndef CLI_GAME_H
#define CLI_GAME_H

#include "bspkit/scene.h"
#include "cli/parts/output.h"
#include "cli/parts/path.h"

#define CLI_OPTION_GAME_FOR(what)                                                                  \
    {                                                                                              \
        .name = "game", .letter = 'g', CLI_FILE_TO(cli_common, games), .argument = "DIR",          \
        .help = "Look for " what                                                                   \
                " in this game folder and its archives, or in this archive; the first one given "  \
                "counts most. A folder with a gameinfo.txt stands for the search path that this "  \
                "states"                                                                           \
    }
#define CLI_OPTION_GAME CLI_OPTION_GAME_FOR("textures")

/// Returns the search path of all --game options. NULL after a message. Free with bsp_search_free.
bsp_search *cli_open_search(const cli_call *call, bsp_issues *issues);
/// Returns an empty search path. NULL after a message. Free with bsp_search_free.
bsp_search *cli_new_search(bsp_issues *issues);

/// Gives the folder beside a map that has its name. Returns false where there is none.
bool cli_folder_beside(const char *path, char folder[CLI_PATH_ROOM]);

/// Adds a folder as --game does, or an archive, to a search path. Returns false after a message.
bool cli_add_game(bsp_search *search, const char *path);

/// Reports of missing textures: a line each, one line for all without a name, and their number.
typedef struct cli_missing {
    const char *path; ///< the map
    uint32_t count;
    uint32_t nameless;
} cli_missing;

/// Reports a missing texture; `note` gives the reason, or is empty.
void cli_missing_add(cli_missing *missing, bsp_text name, const char *note);
/// Reports the rest. Call it once.
void cli_missing_end(const cli_missing *missing);

/// Reports of missing models: a line each, and one that says where they were looked for.
typedef struct cli_missing_models {
    const cli_call *call;
    const char *path; ///< the map
    uint32_t count;
    uint32_t props; ///< that would show them
} cli_missing_models;

/// Reports a missing model, with how many props would show it and why it is missing.
void cli_missing_models_add(cli_missing_models *missing, const bsp_scene_missing *model);
/// Reports their number and where they were looked for, if there are any. Call it once.
void cli_missing_models_end(const cli_missing_models *missing);
/// Reports all models of a list.
void cli_missing_models_list(const cli_call *call, const char *path, const bsp_scene_missing *list,
                             uint32_t count);

/// Returns the exit status of a command that shows textures and models, `count` of which are
/// missing: only with --strict they are problems.
cli_status cli_missing_status(const cli_call *call, uint32_t count);

/// Room for a map's name, including the NUL.
#define CLI_NAME_ROOM 256u

/// Reports issues of the texture search: warnings, and a missing palette.
void cli_report_textures(const char *path, const bsp_issues *issues);

/// Gives the name of a file without folders and extension; "stdin" for "-".
void cli_map_name(const char *path, char out[CLI_NAME_ROOM]);

/// For a map whose light may stand in files: adds the folder NAME beside NAME.bsp to the search
/// path. Returns false after a message.
bool cli_add_light_folder(bsp_search *search, const bsp_map *map, const char *path);

#endif
