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

#endif
