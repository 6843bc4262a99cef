// SPDX-License-Identifier: MIT
// Checks the values of options by their kind.
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "bspkit/bspkit.h"
#include "cli/parts/options.h"

/// Returns the choice with that word, or NULL.
const cli_choice *cli_find_choice(const cli_option *option, const char *value);
/// Returns the branch of that name. NULL after a message about the command.
const bsp_branch *cli_find_branch(const cli_command *command, const char *name);
/// Returns true if the option takes the value; else false after a message, which names the command.
bool cli_check_value(const cli_command *command, const cli_option *option, const char *value);

#endif
