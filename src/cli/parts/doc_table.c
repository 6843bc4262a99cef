// SPDX-License-Identifier: MIT
// Prints rows of cells: aligned in columns for a terminal, or with bars as Markdown has them.
#include "cli/parts/doc_table.h"

#include <stdarg.h>
#include <stdio.h>

void cli_doc_table_begin(cli_doc_table *table, cli_output *output, bool markdown,
                         const cli_column *columns, size_t num_columns) {
    *table = (cli_doc_table){.output = output, .markdown = markdown, .num_columns = num_columns};
    if (!markdown) {
        cli_table_begin(&table->aligned, columns, num_columns);
        return;
    }
    for (size_t i = 0; i < num_columns; i++) {
        cli_print(output, "| %s ", columns[i].title);
    }
    cli_print(output, "|\n");
    for (size_t i = 0; i < num_columns; i++) {
        cli_print(output, "|%s", columns[i].right ? "---:" : "---");
    }
    cli_print(output, "|\n");
}

void cli_doc_table_cell(cli_doc_table *table, cli_style style, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!table->markdown) {
        cli_table_cell(&table->aligned, style, "%s", text);
        return;
    }
    bool code = style == CLI_STRONG && text[0] != '\0';
    table->at = (table->at + 1) % table->num_columns;
    cli_print(table->output, code ? "| `%s` %s" : "| %s %s", text, table->at == 0 ? "|\n" : "");
}

void cli_doc_table_end(cli_doc_table *table, unsigned indent) {
    if (!table->markdown) {
        (void)cli_table_print(&table->aligned, table->output, indent);
    }
}
