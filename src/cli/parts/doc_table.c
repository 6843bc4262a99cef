// SPDX-License-Identifier: MIT
#include "cli/parts/doc_table.h"

#include <stdarg.h>
#include <stdio.h>

void cli_sheet_begin(cli_sheet *sheet, cli_output *output, bool markdown, const cli_column *columns,
                     size_t num_columns) {
    *sheet = (cli_sheet){.output = output, .markdown = markdown, .num_columns = num_columns};
    if (!markdown) {
        cli_table_begin(&sheet->table, columns, num_columns);
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

void cli_sheet_cell(cli_sheet *sheet, cli_style style, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!sheet->markdown) {
        cli_table_cell(&sheet->table, style, "%s", text);
        return;
    }
    bool code = style == CLI_STRONG && text[0] != '\0';
    sheet->at = (sheet->at + 1) % sheet->num_columns;
    cli_print(sheet->output, code ? "| `%s` %s" : "| %s %s", text, sheet->at == 0 ? "|\n" : "");
}

void cli_sheet_end(cli_sheet *sheet, unsigned indent) {
    if (!sheet->markdown) {
        (void)cli_table_print(&sheet->table, sheet->output, indent);
    }
}
