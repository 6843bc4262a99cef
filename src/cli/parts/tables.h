// SPDX-License-Identifier: MIT
// The help topic about --csv and --tsv.
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include "cli/parts/output.h"

void cli_print_tables(cli_output *output);
void cli_markdown_tables(cli_output *output);

#endif
