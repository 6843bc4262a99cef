// SPDX-License-Identifier: MIT
// A table that is either aligned text or Markdown: the same cells for a terminal and for a page of
// the documentation.
#ifndef CLI_DOC_TABLE_H
#define CLI_DOC_TABLE_H

#include "cli/parts/table.h"

typedef struct cli_sheet {
    cli_output *output;
    bool markdown;
    size_t num_columns;
    size_t at; ///< column of the next cell
    cli_table table;
} cli_sheet;

/// `columns` must live until the end.
void cli_sheet_begin(cli_sheet *sheet, cli_output *output, bool markdown, const cli_column *columns,
                     size_t num_columns);
/// Adds the next cell of the row. A CLI_STRONG one is code in Markdown.
void cli_sheet_cell(cli_sheet *sheet, cli_style style, const char *format, ...) BSP_PRINTF(3, 4);
/// Prints what is not yet printed, indented if it is text.
void cli_sheet_end(cli_sheet *sheet, unsigned indent);

#endif
