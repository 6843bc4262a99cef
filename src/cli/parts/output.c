// SPDX-License-Identifier: MIT
// The output and its styles. After a failure writing continues silently; closing reports it once.
#define _POSIX_C_SOURCE 200809L // isatty, fstat

#include "cli/parts/output.h"

#include "core/os_calls.h"

#include "cli/parts/budget.h"
#include "cli/parts/inputs.h"
#include "cli/replace/place.h"
#include "cli/replace/replace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- files --------------------------------------------------------------------------------------

static bool wants_colour(bool terminal) {
    const char *no_colour = getenv("NO_COLOR"); // no-color.org: set and not empty
    const char *kind = getenv("TERM");
    return terminal && (no_colour == NULL || no_colour[0] == '\0') && kind != NULL &&
           strcmp(kind, "dumb") != 0;
}

static bool open_standard(cli_output *output) {
    struct stat status;
    if (fstat(STDOUT_FILENO, &status) == 0 && !cli_may_write_over("standard output", &status)) {
        return false;
    }
    // Once, since nothing may have been written before; in a terminal lines appear at once.
    static char buffer[CLI_STREAM_BUFFER];
    static bool buffered;
    if (!buffered && isatty(STDOUT_FILENO) == 0) {
        buffered = setvbuf(stdout, buffer, _IOFBF, sizeof buffer) == 0;
    }
    output->stream = stdout;
    output->terminal = isatty(STDOUT_FILENO) != 0;
    output->colour = wants_colour(output->terminal);
    return true;
}

static cli_replacement *new_file(const char *path) {
    cli_replacement *file = malloc(sizeof *file);
    if (file == NULL) {
        cli_message(path, "no memory");
    }
    return file;
}

// Opens the stream after cli_replace_begin, which returned `begun`.
static bool open_stream(cli_output *output, bool begun) {
    output->stream = begun ? cli_replace_stream(output->file) : NULL;
    if (output->stream == NULL) {
        free(output->file);
        output->file = NULL;
    }
    return output->stream != NULL;
}

bool cli_output_open(cli_output *output, const char *path) {
    struct stat status;
    memset(output, 0, sizeof *output);
    if (path == NULL || strcmp(path, "-") == 0) {
        return open_standard(output);
    }
    output->path = path;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { // a device, a pipe
        output->stream = cli_open_stream(path);
        return output->stream != NULL;
    }
    output->file = new_file(path);
    return output->file != NULL && open_stream(output, cli_replace_begin(output->file, path, NULL));
}

bool cli_output_open_in(cli_output *output, int folder, const char *path, size_t name) {
    *output = (cli_output){.path = path, .file = new_file(path)};
    int inner = output->file == NULL ? -1 : cli_open_folder_of(folder, path, &name);
    bool begun = inner >= 0 && cli_replace_begin_in(output->file, inner, path, name);
    if (inner >= 0) {
        (void)close(inner);
    }
    return output->file != NULL && open_stream(output, begun);
}

static void note_failure(cli_output *output) {
    if (output->failure == 0) {
        int number = bspi_os_stream_errno();
        output->failure = number != 0 ? number : EIO;
    }
}

static void report(const cli_output *output) {
    if (output->failure != EPIPE) { // EPIPE: the reader closed the pipe on purpose
        cli_message_system(output->path == NULL ? "standard output" : output->path,
                           output->failure);
    }
}

// Gives the file its name, or removes it.
static cli_status close_file(cli_output *output, cli_status status) {
    cli_replacement *file = output->file;
    if (fflush(output->stream) != 0) {
        note_failure(output);
    }
    if (output->date != NULL) {
        cli_replace_date(file, output->date);
    }
    if (output->failure != 0) {
        cli_replace_abandon(file);
        report(output);
        status = CLI_FAILED;
    } else if (!cli_replace_flush(file) ||
               !cli_replace_finish(file, CLI_BACKUP_NONE, (bsp_bytes){NULL, 0})) {
        status = CLI_FAILED;
    }
    free(file);
    return status;
}

static void end_rows(cli_output *output) {
    cli_rows_free(output->rows);
    output->rows = NULL;
}

cli_status cli_output_close(cli_output *output, cli_status status) {
    end_rows(output);
    if (output->file != NULL) {
        return close_file(output, status);
    }
    if (fflush(output->stream) != 0) {
        note_failure(output);
    }
    if (output->path != NULL && fclose(output->stream) != 0) {
        note_failure(output);
    }
    if (output->failure == 0) {
        return status;
    }
    report(output);
    return CLI_FAILED;
}

bool cli_output_is_empty(const cli_output *output) {
    return output->file != NULL && output->rows == NULL && output->failure == 0 &&
           ftell(output->stream) == 0;
}

static void abandon(cli_output *output) {
    if (output->file != NULL) {
        cli_replace_abandon(output->file);
        free(output->file);
    } else if (output->path != NULL) {
        (void)fclose(output->stream);
    }
}

cli_status cli_output_fail(cli_output *output) {
    if (output->failure != 0) {
        return cli_output_close(output, CLI_FAILED);
    }
    end_rows(output);
    abandon(output);
    return CLI_FAILED;
}

// --- text ---------------------------------------------------------------------------------------

static bool put_bytes(void *user, const char *data, size_t size) {
    cli_output *output = user;
    if (!cli_count_output(size, 0) ||
        !(output->kept != NULL ? cli_capture_add(output->kept, data, size)
                               : fwrite(data, 1, size, output->stream) == size)) {
        note_failure(output);
    }
    return output->failure == 0;
}

// Gives JSON to the table, whose bytes come back to put_bytes.
static void put_rows(cli_output *output, const char *data, size_t size) {
    if (!cli_rows_put(output->rows, data, size) && output->failure == 0) {
        output->failure = EPIPE; // the table has said why
    }
}

// Writes text and bytes of an output; changed maps are written elsewhere.
static void put(cli_output *output, const char *data, size_t size) {
    if (output->failure != 0 || size == 0) {
        return;
    }
    if (output->rows != NULL) {
        put_rows(output, data, size);
    } else {
        (void)put_bytes(output, data, size);
    }
}

bool cli_output_rows(cli_output *output, cli_rows_kind kind, const cli_row_form *form) {
    if (kind == CLI_ROWS_NONE || form == NULL) {
        return true;
    }
    output->rows = cli_rows_new(kind, form, put_bytes, output);
    return output->rows != NULL;
}

cli_output cli_output_kept(const cli_output *output, cli_capture *kept) {
    cli_output copy = {
        .kept = kept, .terminal = output->terminal, .colour = output->colour, .date = output->date};
    return copy;
}

void cli_output_add(cli_output *output, const cli_output *kept) {
    const cli_capture *bytes = kept->kept;
    if (output->rows != NULL) {
        put(output, bytes->data, bytes->size);
    } else if (output->failure == 0 && bytes->size != 0 &&
               fwrite(bytes->data, 1, bytes->size, output->stream) != bytes->size) {
        note_failure(output);
    }
    if (output->failure == 0) {
        output->failure = kept->failure;
    }
}

bool cli_sink(void *user, const char *data, size_t size) {
    cli_output *output = user;
    put(output, data, size);
    return output->failure == 0;
}

void cli_print(cli_output *output, const char *format, ...) {
    char line[512];
    char *text = line;
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(line, sizeof line, format, arguments);
    if (size >= (int)sizeof line) {
        text = malloc((size_t)size + 1);
        if (text != NULL) {
            (void)vsnprintf(text, (size_t)size + 1, format, again);
        }
    }
    va_end(again);
    va_end(arguments);
    if (size < 0 || text == NULL) {
        note_failure(output);
    } else {
        put(output, text, (size_t)size);
    }
    if (text != line) {
        free(text);
    }
}

void cli_print_text(cli_output *output, bsp_text text) {
    if (!output->terminal) {
        (void)cli_sink(output, text.data, text.size);
        return;
    }
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (cli_is_control(c) && c != '\n' && c != '\t') {
            cli_print(output, "\\x%02x", (unsigned)(unsigned char)c);
        } else {
            (void)cli_sink(output, &c, 1);
        }
    }
}

void cli_set_style(cli_output *output, cli_style style) {
    static const char *const codes[] = {"0", "1", "2", "36", "33", "1;31"};
    if (output->colour) {
        cli_print(output, "\033[%sm", codes[style]);
    }
}

void cli_print_styled(cli_output *output, cli_style style, const char *text) {
    if (style != CLI_PLAIN) {
        cli_set_style(output, style);
    }
    cli_print_text(output, bsp_text_of(text));
    if (style != CLI_PLAIN) {
        cli_set_style(output, CLI_PLAIN);
    }
}

// Returns the length of the line that fits: up to the last blank before the edge, or a whole word.
static size_t line_length(const char *text, size_t room) {
    size_t best = 0;
    size_t at = 0;
    while (text[at] != '\0' && text[at] != '\n') {
        size_t word = strcspn(text + at, " \n");
        if (best != 0 && at + word > room) {
            return best;
        }
        at += word;
        best = at;
        at += text[at] == ' ' ? 1 : 0;
    }
    return best;
}

static void wrap(cli_output *output, unsigned indent, const char *text, bool begun) {
    while (*text != '\0') {
        size_t size = line_length(text, CLI_TEXT_WIDTH - indent);
        if (size != 0) {
            cli_print(output, "%*s%.*s", begun ? 0 : (int)indent, "", (int)size, text);
        }
        cli_print(output, "\n");
        begun = false;
        text += size;
        text += *text == ' ' || *text == '\n' ? 1 : 0;
    }
}

void cli_print_wrapped(cli_output *output, unsigned indent, const char *text) {
    wrap(output, indent, text, false);
}

void cli_print_hanging(cli_output *output, unsigned indent, const char *text) {
    wrap(output, indent, text, true);
}
