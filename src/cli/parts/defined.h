// SPDX-License-Identifier: MIT
// Definitions of entity classes on the command line: which models entities show.
#ifndef CLI_DEFINED_H
#define CLI_DEFINED_H

#include "bspkit/definitions.h"
#include "cli/parts/options.h"

#define CLI_OPTION_FGD                                                                             \
    {                                                                                              \
        .name = "fgd", CLI_FILE_TO(cli_common, definitions), .argument = "FILE",                   \
        .help = "Take from this file (.fgd, .def, .ent) which models classes of entities show; "   \
                ".fgd files of the game folders are read as well"                                  \
    }

/// Options of commands that show the models that stand in a map.
#define CLI_OPTIONS_PROPS                                                                          \
    CLI_OPTION_FGD,                                                                                \
        {.name = "no-props",                                                                       \
         CLI_FLAG_TO(cli_common, no_props),                                                        \
         .help = "Without the models that stand in the map"},                                      \
    {                                                                                              \
        .name = "no-details", CLI_FLAG_TO(cli_common, no_details),                                 \
        .help = "Without detail props (Source: grass and the like)"                                \
    }

/// Reads the definitions that the options name, and those that lie in the folders of `search` (may
/// be NULL) itself. Returns NULL after a message, or, with `*failed` false, where there are none.
/// Free with bsp_definitions_free.
bsp_definitions *cli_read_definitions(const cli_call *call, const bsp_search *search, bool *failed);

#endif
