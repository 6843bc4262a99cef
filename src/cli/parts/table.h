// SPDX-License-Identifier: MIT
// A table as text: cells are collected, then printed in aligned columns.
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/parts/output.h"

#define CLI_MAX_COLUMNS 12

/// A column. Numbers are right-aligned.
typedef struct cli_column {
    const char *title;
    bool right;
} cli_column;

typedef struct cli_cell {
    size_t text; ///< offset in cli_table.text
    cli_style style;
} cli_cell;

/// Rows of cells. Plain data: begin, add cells row by row, print (which frees it).
typedef struct cli_table {
    const cli_column *columns;
    size_t num_columns;
    cli_cell *cells;
    size_t num_cells;
    size_t room;
    char *text; ///< NUL-terminated cells one after the other
    size_t used;
    size_t text_room;
    bool failed; ///< without memory
} cli_table;

void cli_table_begin(cli_table *table, const cli_column *columns, size_t num_columns);
/// Adds the next cell of the row.
void cli_table_cell(cli_table *table, cli_style style, const char *format, ...) BSP_PRINTF(3, 4);
/// Prints title row and rows, each indented, and frees the table. CLI_FAILED without memory.
cli_status cli_table_print(cli_table *table, cli_output *output, unsigned indent);

#endif
