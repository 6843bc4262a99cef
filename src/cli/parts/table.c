// SPDX-License-Identifier: MIT
// The table: all text in one growing buffer, all cells in one growing array.
#include "cli/parts/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CELL_TEXT 256

void cli_table_begin(cli_table *table, const cli_column *columns, size_t num_columns) {
    memset(table, 0, sizeof *table);
    table->columns = columns;
    table->num_columns = num_columns;
}

static bool make_room(void **memory, size_t *room, size_t need, size_t size) {
    if (need <= *room) {
        return true;
    }
    size_t wanted = *room == 0 ? 256 : *room;
    while (wanted < need) {
        wanted *= 2;
    }
    void *more = realloc(*memory, wanted * size);
    if (more != NULL) {
        *memory = more;
        *room = wanted;
    }
    return more != NULL;
}

void cli_table_cell(cli_table *table, cli_style style, const char *format, ...) {
    void *text = table->text;
    void *cells = table->cells;
    bool good = make_room(&text, &table->text_room, table->used + CELL_TEXT, 1);
    good = make_room(&cells, &table->room, table->num_cells + 1, sizeof *table->cells) && good;
    table->text = text;
    table->cells = cells;
    if (!good) {
        table->failed = true;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(table->text + table->used, CELL_TEXT, format, arguments);
    va_end(arguments);
    table->cells[table->num_cells].text = table->used;
    table->cells[table->num_cells++].style = style;
    table->used += size < 0 ? 1 : (size_t)(size < CELL_TEXT ? size : CELL_TEXT - 1) + 1;
}

static void measure(const cli_table *table, size_t widths[CLI_MAX_COLUMNS]) {
    for (size_t c = 0; c < table->num_columns; c++) {
        widths[c] = strlen(table->columns[c].title);
    }
    for (size_t i = 0; i < table->num_cells; i++) {
        size_t size = strlen(table->text + table->cells[i].text);
        size_t *width = &widths[i % table->num_columns];
        *width = size > *width ? size : *width;
    }
}

// Blanks are printed outside of the style, and none at the end of a line.
static void print_cell(const cli_table *table, cli_output *output, size_t column, size_t width,
                       const char *text, cli_style style) {
    int blanks = (int)(width - strlen(text));
    bool right = table->columns[column].right;
    bool last = column + 1 == table->num_columns;
    cli_print(output, "%*s", right ? blanks : 0, "");
    cli_print_styled(output, style, text);
    cli_print(output, "%*s", right || last ? 0 : blanks, "");
    cli_print(output, "%s", last ? "\n" : "  ");
}

cli_status cli_table_print(cli_table *table, cli_output *output, unsigned indent) {
    size_t widths[CLI_MAX_COLUMNS];
    measure(table, widths);
    for (size_t c = 0; c < table->num_columns; c++) {
        cli_print(output, "%*s", c == 0 ? (int)indent : 0, "");
        print_cell(table, output, c, widths[c], table->columns[c].title, CLI_STRONG);
    }
    for (size_t i = 0; i < table->num_cells; i++) {
        size_t c = i % table->num_columns;
        cli_print(output, "%*s", c == 0 ? (int)indent : 0, "");
        print_cell(table, output, c, widths[c], table->text + table->cells[i].text,
                   table->cells[i].style);
    }
    free(table->text);
    free(table->cells);
    if (table->failed) {
        cli_message(NULL, "no memory");
    }
    return table->failed ? CLI_FAILED : CLI_DONE;
}
