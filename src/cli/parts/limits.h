// SPDX-License-Identifier: MIT
// Help about limits.
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include "cli/parts/output.h"

/// Prints bspkit help limits.
void cli_print_limits(cli_output *output);
void cli_markdown_limits(cli_output *output);

#endif
