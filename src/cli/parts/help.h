// SPDX-License-Identifier: MIT
// Help for a command, and the topics that are tables of the library.
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/parts/output.h"

/// Prints help for a command or verb on standard output.
cli_status cli_print_help(const cli_command *command);

/// Room for a piece of a synopsis, including the NUL.
#define CLI_PIECE_ROOM 128u
/// Writes piece `n` of "bspkit NAME [--json] ... FILE...": the name, an option (empty: it is not
/// shown) or, last, the operands. Returns false after that.
bool cli_synopsis_piece(char out[CLI_PIECE_ROOM], const cli_command *command, size_t n);

/// Calls `print` with each option of a command. For one with verbs: with each option of any verb,
/// once if its help is the same, and `verbs` names those that have it ("leaf, vis"; empty: all).
typedef void (*cli_option_printer)(cli_output *output, const cli_option *option, const char *verbs);
void cli_each_option(cli_output *output, const cli_command *command, cli_option_printer print);

/// Returns the title of a group of commands in help: "Look at a map". NULL for hidden commands.
const char *cli_group_title(cli_group group);

/// A topic of bspkit help.
typedef struct cli_topic {
    const char *name;
    const char *summary;
    void (*print)(cli_output *output);
    void (*markdown)(cli_output *output);
} cli_topic;

/// Returns the topics; ends in a NULL name.
const cli_topic *cli_topics(void);

/// Help about cli_confine.
extern const char cli_sandbox_help[];
/// Help about the name of a map in an archive.
extern const char cli_member_help[];
/// Help about the forms without a command.
extern const char cli_plain_help[];

#endif
