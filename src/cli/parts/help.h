// SPDX-License-Identifier: MIT
// Help on a command, and the topics that are tables of the library.
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/parts/output.h"

/// Help on one command or verb, on standard output.
cli_status cli_print_help(const cli_command *command);

/// Writes "bspkit NAME [--json] ... FILE..." into `out`.
#define CLI_SYNOPSIS_TEXT 512
void cli_format_synopsis(char out[CLI_SYNOPSIS_TEXT], const cli_command *command);

/// Calls `print` with each option of a command. For one with verbs: with each option of any verb,
/// once if its help is the same, and `verbs` names those that have it ("leaf, vis"; empty: all).
typedef void (*cli_option_printer)(cli_output *output, const cli_option *option, const char *verbs);
void cli_each_option(cli_output *output, const cli_command *command, cli_option_printer print);

/// What help calls a group of commands: "Look at a map". NULL for that of hidden commands.
const char *cli_group_title(cli_group group);

/// A topic of bspkit help.
typedef struct cli_topic {
    const char *name;
    const char *summary;
    void (*print)(cli_output *output);
    void (*markdown)(cli_output *output);
} cli_topic;

/// The topics; ends in a NULL name.
const cli_topic *cli_topics(void);

/// What people should know about cli_confine.
extern const char cli_sandbox_help[];
/// The forms that work without a command.
extern const char cli_plain_help[];

#endif
