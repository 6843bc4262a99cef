// SPDX-License-Identifier: MIT
// Where results go, and how they look: a sink over standard output or a file, colour on terminals
// only, and messages on standard error.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "bspkit/bspkit.h"
#include "cli/parts/message.h"

#include <stdio.h>
#include <time.h>

/// What a piece of text is, for its colour.
typedef enum cli_style {
    CLI_PLAIN,
    CLI_STRONG, ///< headings and names
    CLI_FAINT,  ///< what is there for completeness
    CLI_NOTE,
    CLI_WARN,
    CLI_BAD,
} cli_style;

struct cli_replacement;

/// An output. A file gets its name only when all is written: until then it is a file beside it.
typedef struct cli_output {
    FILE *stream;
    const char *path;             ///< NULL for standard output
    struct cli_replacement *file; ///< NULL when written directly
    const struct timespec *date;  ///< that the file gets; NULL: the present
    bool terminal;
    bool colour;
    int failure; ///< errno of the first write that failed, else 0
} cli_output;

/// Opens what --output names (NULL and "-": standard output). False after a message; so where it
/// is a file that the command reads, by whatever name. The text must live as long as the output.
bool cli_output_open(cli_output *output, const char *path);
/// Opens the file `path + name` of a folder that is open, or of one below it; what is
/// missing of these is made. No link in there is followed: nothing is written outside of the
/// folder.
bool cli_output_open_in(cli_output *output, int folder, const char *path, size_t name);
/// Flushes, closes and gives the file its name. CLI_FAILED after a message if any write failed;
/// else `status`.
cli_status cli_output_close(cli_output *output, cli_status status);

/// Closes an output whose content could not be made, after the message that says so; what failed in
/// the output itself is said here. No file comes of it. CLI_FAILED.
cli_status cli_output_fail(cli_output *output);

/// A bsp_sink; `user` is the cli_output.
bool cli_sink(void *output, const char *data, size_t size);
void cli_print(cli_output *output, const char *format, ...) BSP_PRINTF(2, 3);
/// Text out of a file: as it is, but on a terminal control characters become \xNN.
void cli_print_text(cli_output *output, bsp_text text);
/// Writes `text` in a style.
void cli_print_styled(cli_output *output, cli_style style, const char *text);
/// Begins a style, and CLI_PLAIN ends it; nothing without colour.
void cli_set_style(cli_output *output, cli_style style);
/// Wraps paragraphs at 80 columns, each line indented.
void cli_print_wrapped(cli_output *output, unsigned indent, const char *text);
/// The same, where the first line has begun and its indent is already there.
void cli_print_hanging(cli_output *output, unsigned indent, const char *text);

#endif
