// SPDX-License-Identifier: MIT
// The entities that a command line selects: --where KEY=GLOB, --index N.
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include "cli/parts/output.h"

#define CLI_OPTION_WHERE                                                                           \
    {                                                                                              \
        .name = "where", CLI_TEXT_TO(cli_common, where), .argument = "KEY=GLOB",                   \
        .help = "Only entities with this key and a value that matches (* any characters, ? one); " \
                "also KEY!=GLOB, KEY~REGEX, KEY!~REGEX, KEY<N, KEY<=N, KEY>N, KEY>=N (bspkit "     \
                "help where). Given several times, all must hold"                                  \
    }
#define CLI_OPTION_INDEX                                                                           \
    {                                                                                              \
        .name = "index", CLI_NUMBER_TO(cli_common, indices), .argument = "N",                      \
        .help = "Only the entity of this number, as --json prints them, the world 0. Given "       \
                "several times, all of them"                                                       \
    }

/// CLI_DONE if every --where is a condition; else, after a message, CLI_USAGE, or CLI_FAILED
/// without memory.
cli_status cli_where_check(const cli_call *call);

/// What --where and --index mean.
typedef struct cli_filter {
    bsp_entity_filter filter;
    bsp_where *where;
    uint32_t *indices;
    bool failed; ///< an answer was not found, for the reason of `error`
    bsp_error error;
} cli_filter;

/// Makes the filter of a call that cli_where_check has passed. False after a message; else call
/// cli_filter_close.
bool cli_filter_open(cli_filter *filter, const cli_call *call);
/// True if the filter means an entity. Once an answer is not found, all are false: look at `failed`
/// after the last one.
bool cli_filter_matches(cli_filter *filter, const bsp_entity *entity, uint32_t index);
/// A filter of zeros is allowed.
void cli_filter_close(cli_filter *filter);

/// Prints bspkit help where.
void cli_print_where(cli_output *output);
void cli_markdown_where(cli_output *output);

#endif
