// SPDX-License-Identifier: MIT
// The list of branches, for the command, the help topic and the README.
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "cli/parts/output.h"

void cli_print_formats(cli_output *output);
void cli_markdown_formats(cli_output *output);

#endif
