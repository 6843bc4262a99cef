// SPDX-License-Identifier: MIT
// The lines that bspkit info prints of maps and of models.
#ifndef CLI_INFO_TEXT_H
#define CLI_INFO_TEXT_H

#include "cli/parts/input.h"

/// Begins a line with the name of a fact, at most 11 characters.
void cli_info_heading(const cli_input *input, const char *name);
/// Prints three numbers.
void cli_info_point(cli_output *output, const float point[3]);

#endif
