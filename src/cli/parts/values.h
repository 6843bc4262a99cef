// SPDX-License-Identifier: MIT
// Values of options, checked by their kind.
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "bspkit/bspkit.h"
#include "cli/parts/options.h"

/// The choice of that word, or NULL.
const cli_choice *cli_find_choice(const cli_option *option, const char *value);
/// The branch of that name. NULL after a message about the command.
const bsp_branch *cli_find_branch(const cli_command *command, const char *name);
/// True if the option takes the value. False after a message, for which the command is named.
bool cli_check_value(const cli_command *command, const cli_option *option, const char *value);

#endif
