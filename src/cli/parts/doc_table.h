// SPDX-License-Identifier: MIT
// A table that is printed as aligned text or as Markdown, with the same cells for a terminal and
// for a page of the documentation.
#ifndef CLI_DOC_TABLE_H
#define CLI_DOC_TABLE_H

#include "cli/parts/table.h"

typedef struct cli_doc_table {
    cli_output *output;
    bool markdown;
    size_t num_columns;
    size_t at;         ///< column of the next cell
    cli_table aligned; ///< unless `markdown`
} cli_doc_table;

/// Begins a table. `columns` must outlive it.
void cli_doc_table_begin(cli_doc_table *table, cli_output *output, bool markdown,
                         const cli_column *columns, size_t num_columns);
/// Adds the next cell of the row. A CLI_STRONG one is code in Markdown.
void cli_doc_table_cell(cli_doc_table *table, cli_style style, const char *format, ...)
    BSP_PRINTF(3, 4);
/// Prints the rest; text is indented.
void cli_doc_table_end(cli_doc_table *table, unsigned indent);

#endif
