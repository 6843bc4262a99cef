// SPDX-License-Identifier: MIT
// Help on a command, and the topics that are tables of the library.
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/output.h"

/// Help on one command, on standard output.
cli_status cli_print_help(const cli_command *command);

/// Writes "bspkit NAME [--json] ... FILE..." into `out`.
#define CLI_SYNOPSIS_TEXT 512
void cli_format_synopsis(char out[CLI_SYNOPSIS_TEXT], const cli_command *command);

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

#endif
