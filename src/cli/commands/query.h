// SPDX-License-Identifier: MIT
// Parts of bspkit query.
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "cli/parts/input.h"

/// The most numbers of a line.
#define CLI_QUERY_NUMBERS 12

/// The options of bspkit query contents and trace.
typedef struct cli_query_options {
    cli_common common;
    const char *mask;
    uint32_t model;
    bool all;
    uint32_t hull; ///< BSP_NONE: not given
} cli_query_options;

/// Returns the options of a call.
static inline const cli_query_options *cli_query_options_of(const cli_call *call) {
    return call->options;
}

/// Traces the segments of standard input.
cli_status cli_query_trace(const cli_input *input, const bsp_map *map);

/// Reads the next line of standard input with numbers; `what` names its content, for messages.
/// Returns false at the end, or after a message with *bad set.
bool cli_query_next_line(const char *what, int *line, float numbers[CLI_QUERY_NUMBERS], int *count,
                         bool *bad);

/// Prints contents as text: hexadecimal flags, or a signed number in maps of Quake and GoldSrc.
void cli_query_print_contents(cli_output *output, const bsp_map *map, int32_t contents);

/// Begins the object of a result, with the map's path.
void cli_query_begin_json(const cli_input *input, bsp_json *json);
/// Ends the object and its line.
void cli_query_end_json(const cli_input *input, bsp_json *json);
/// Writes an index, or -1 for none, as files have it.
void cli_query_json_index(bsp_json *json, const char *key, uint32_t value);
/// Writes contents as a number: flags are positive, contents of Quake and GoldSrc negative.
void cli_query_json_contents(bsp_json *json, const bsp_map *map, int32_t contents);
/// Writes the names of contents flags; none where contents are numbers.
void cli_query_json_names(bsp_json *json, const bsp_map *map, int32_t contents);

#endif
