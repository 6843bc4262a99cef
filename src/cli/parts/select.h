// SPDX-License-Identifier: MIT
// The entities that a command line selects: --where KEY=GLOB, --index N.
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include "cli/parts/output.h"

#define CLI_OPTION_WHERE                                                                           \
    {                                                                                              \
        .name = "where", CLI_TEXT_TO(cli_common, where), .argument = "KEY=GLOB",                   \
        .help = "Only entities with this key and a value that matches; * stands for any "          \
                "characters, ? for one, the case of letters does not matter. Given several "       \
                "times, all must match"                                                            \
    }
#define CLI_OPTION_INDEX                                                                           \
    {                                                                                              \
        .name = "index", CLI_NUMBER_TO(cli_common, indices), .argument = "N",                      \
        .help = "Only the entity of this number, as --json prints them, the world 0. Given "       \
                "several times, all of them"                                                       \
    }

/// Returns false after a message when a --where is not KEY=GLOB.
bool cli_where_check(const cli_call *call);

/// What --where and --index mean.
typedef struct cli_filter {
    bsp_entity_filter filter;
    bsp_pair *where;
    uint32_t *indices;
} cli_filter;

/// Makes the filter of a call that cli_where_check has passed. False after a message; else call
/// cli_filter_close.
bool cli_filter_open(cli_filter *filter, const cli_call *call);
/// A filter of zeros is allowed.
void cli_filter_close(cli_filter *filter);

#endif
