// SPDX-License-Identifier: MIT
// Tables as CSV and TSV: the JSON that a command prints, turned into rows as it is written. So both
// always have the same values, and only this file knows how a table is quoted.
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "bspkit/core.h"

/// How rows are written.
typedef enum cli_rows_kind {
    CLI_ROWS_NONE,
    CLI_ROWS_CSV, ///< RFC 4180, but lines end in a newline alone
    CLI_ROWS_TSV, ///< tab, newline, carriage return and backslash as \t, \n, \r, \\ .
} cli_rows_kind;

/// Which values of a command's JSON are rows, and which their columns.
///
/// A path names a value: keys and numbers with dots between them ("bounds.mins.0"), and [] for an
/// element of an array that is on the way to the rows ("lumps[]"; "" is the whole value). `columns`
/// are paths: of values in the row, or of earlier ones around it. "TITLE=PATH" gives the column
/// another title than what follows the last "[]."; a path that ends in ".*" takes all below it,
/// with blanks between; "@" is the input's name. A column "error" makes a row of an input without
/// rows that says why it has none. NULL ends the list.
typedef struct cli_row_form {
    const char *rows;
    const char *const *columns;
} cli_row_form;

/// The columns of three coordinates.
#define CLI_ROWS_VECTOR(path) path ".0", path ".1", path ".2"

/// Room for the title of a column.
#define CLI_ROWS_TITLE 64
/// Writes the title of a column, as cli_row_form describes it.
void cli_rows_title(const char *column, char title[CLI_ROWS_TITLE]);

typedef struct cli_rows cli_rows;

/// Begins a table that is written to `sink`, by its line of titles. Returns NULL after a message
/// without memory.
cli_rows *cli_rows_new(cli_rows_kind kind, const cli_row_form *form, bsp_sink sink, void *user);
void cli_rows_free(cli_rows *rows);

/// Sets the name of the input whose JSON follows; it is borrowed.
void cli_rows_input(cli_rows *rows, const char *path);
/// Adds a piece of JSON. Returns false, at once or later, if the sink refuses or memory ends;
/// a message says so unless it was the sink.
bool cli_rows_put(cli_rows *rows, const char *data, size_t size);

#endif
