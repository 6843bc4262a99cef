// SPDX-License-Identifier: MIT
// Parts of the work on one map on the command line: --part K/N, and the files that --merge takes.
#ifndef CLI_PART_FILES_H
#define CLI_PART_FILES_H

#include "cli/parts/input.h"

/// Options of commands whose work on one map is done in parts.
#define CLI_OPTIONS_PARTS                                                                          \
    {.name = "part",                                                                               \
     CLI_TEXT_TO(cli_common, part),                                                                \
     .argument = "K/N",                                                                            \
     .help = "Do part K of N of the work on one map, and write it to the file of -o: parts can "   \
             "be made on several machines"},                                                       \
    {                                                                                              \
        .name = "merge", CLI_FLAG_TO(cli_common, merge),                                           \
        .help = "The other operands are all parts of the map (.part): the result is the same, to " \
                "the byte, as without parts"                                                       \
    }

/// Returns false after a message where --part and --merge do not go with one another or the rest.
/// `others`: an option was given that goes with neither, of those that `names` names.
bool cli_parts_allowed(const cli_call *call, bool others, const char *names);
/// Reads "K/N". Returns false after a message.
bool cli_part_parse(const char *text, uint32_t *number, uint32_t *count);

/// Files of parts, as they were read.
typedef struct cli_parts {
    bsp_blob *blobs;
    bsp_bytes *bytes; ///< of `blobs`
    const char **paths;
    uint32_t count;
    char **maps; ///< the operands that are no parts; borrowed texts
    int num_maps;
} cli_parts;

/// Reports the first part that `check` fails for. Returns CLI_DONE if there is none.
cli_status cli_parts_check(const cli_parts *parts,
                           bool (*check)(void *user, bsp_bytes part, bsp_error *error), void *user);
/// Changes the one map among the operands with the help of its parts, which `parts` holds during
/// the call.
cli_status cli_parts_merge(const cli_call *call, cli_parts *parts,
                           cli_status (*change)(const cli_input *input));

#endif
