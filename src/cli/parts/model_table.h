// SPDX-License-Identifier: MIT
// Help about the formats of models, and its page of the documentation.
#ifndef CLI_MODEL_TABLE_H
#define CLI_MODEL_TABLE_H

#include "cli/parts/output.h"

/// Prints the table of formats.
void cli_print_models(cli_output *output);
/// Prints it with the layouts of the records, as Markdown.
void cli_markdown_models(cli_output *output);

#endif
