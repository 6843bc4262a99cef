// SPDX-License-Identifier: MIT
// The output of results: a sink to standard output or a file, with colour on terminals only.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "bspkit/bspkit.h"
#include "cli/parts/message.h"
#include "cli/parts/rows.h"

#include <stdio.h>
#include <time.h>

/// The kind of a piece of text, for its colour.
typedef enum cli_style {
    CLI_PLAIN,
    CLI_STRONG, ///< headings and names
    CLI_FAINT,  ///< additional details
    CLI_NOTE,
    CLI_WARN,
    CLI_BAD,
} cli_style;

struct cli_replacement;

/// An output. A file gets its name only when it is complete: until then it is a temporary file in
/// the same folder.
typedef struct cli_output {
    FILE *stream;
    cli_rows *rows;               ///< turns what is written into a table; NULL: none
    cli_capture *kept;            ///< receives what is written instead of `stream`; NULL: none
    const char *path;             ///< NULL for standard output
    struct cli_replacement *file; ///< NULL when written directly
    const struct timespec *date;  ///< that the file gets; NULL: the present
    bool terminal;
    bool colour;
    int failure; ///< errno of the first write that failed, else 0
} cli_output;

/// Opens the value of --output (NULL and "-": standard output). Returns false after a message, also
/// for a file that the command reads, under any name. The text must outlive the output.
bool cli_output_open(cli_output *output, const char *path);
/// Opens the file `path + name` of an open folder, or of one below it; missing folders are made. No
/// link there is followed, so nothing is written outside of the folder.
bool cli_output_open_in(cli_output *output, int folder, const char *path, size_t name);
/// Flushes, closes and gives the file its name. CLI_FAILED after a message if any write failed;
/// else `status`.
cli_status cli_output_close(cli_output *output, cli_status status);

/// Has nothing been written to a file that has no name yet?
bool cli_output_is_empty(const cli_output *output);
/// Closes an output whose content could not be made, after the message about that; reports a
/// failure of the output itself. The file is removed. Returns CLI_FAILED.
cli_status cli_output_fail(cli_output *output);

/// Returns an output in the style of another one, which is written to memory: cli_output_add adds
/// it to that one. Not to be closed.
cli_output cli_output_kept(const cli_output *output, cli_capture *kept);
/// Adds what such an output holds, and its failure.
void cli_output_add(cli_output *output, const cli_output *kept);

/// Turns the JSON that is written from now on into a table, unless `kind` is CLI_ROWS_NONE or
/// `form` NULL. Closing ends it. Returns false after a message, and the output is to be closed.
bool cli_output_rows(cli_output *output, cli_rows_kind kind, const cli_row_form *form);

/// A bsp_sink; `user` is the cli_output.
bool cli_sink(void *output, const char *data, size_t size);
void cli_print(cli_output *output, const char *format, ...) BSP_PRINTF(2, 3);
/// Prints text from a file unchanged, but on a terminal control characters become \xNN.
void cli_print_text(cli_output *output, bsp_text text);
/// Writes `text` in a style.
void cli_print_styled(cli_output *output, cli_style style, const char *text);
/// Begins a style, which CLI_PLAIN ends; without colour it does nothing.
void cli_set_style(cli_output *output, cli_style style);
/// Columns of text that is wrapped.
#define CLI_TEXT_WIDTH 80u
/// Wraps paragraphs, each line indented.
void cli_print_wrapped(cli_output *output, unsigned indent, const char *text);
/// Wraps paragraphs where the first line has begun and is indented already.
void cli_print_hanging(cli_output *output, unsigned indent, const char *text);

#endif
