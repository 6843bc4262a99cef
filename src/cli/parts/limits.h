// SPDX-License-Identifier: MIT
// What --limit says, for the whole command.
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include "cli/parts/output.h"

/// What --limit takes: NAME=VALUE or "none" or "report". False if `text` is none of it. `limits`
/// receives what it says, or may be NULL.
bool cli_limit_parse(const char *text, bsp_limits *limits, bool *report);

/// Sets the limits of the call. False after a message.
bool cli_limits_begin(const cli_call *call);
/// Prints what was used if --limit report was given, and frees the budget.
void cli_limits_end(void);

/// The budget of the command; NULL before cli_limits_begin.
bsp_budget *cli_budget(void);

/// bspkit help limits.
void cli_print_limits(cli_output *output);
void cli_markdown_limits(cli_output *output);

#endif
