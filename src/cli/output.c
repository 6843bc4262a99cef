// SPDX-License-Identifier: MIT
// The output and its styles. Writing goes on silently after a failure; closing reports it once.
#define _POSIX_C_SOURCE 200809L // mkstemp, fdopen, isatty

#include "cli/output.h"

#include "cli/inputs.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_WIDTH 80u

// --- files --------------------------------------------------------------------------------------

static bool wants_colour(bool terminal) {
    const char *no_colour = getenv("NO_COLOR"); // no-color.org: set and not empty
    const char *kind = getenv("TERM");
    return terminal && (no_colour == NULL || no_colour[0] == '\0') && kind != NULL &&
           strcmp(kind, "dumb") != 0;
}

static bool refuse_path(const char *path) {
    cli_message(path, "%s", strerror(errno));
    return false;
}

// Readable by others as any new file would be, whatever mkstemp made of it.
static void use_default_mode(int fd, const struct stat *before) {
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, before != NULL ? before->st_mode & 0777 : 0666 & ~mask);
}

// A file beside `path`, which it will replace.
static bool open_temporary(cli_output *output, const struct stat *before) {
    static const char suffix[] = ".XXXXXX";
    size_t size = strlen(output->path);
    output->temporary = malloc(size + sizeof suffix);
    if (output->temporary == NULL) {
        return refuse_path(output->path);
    }
    memcpy(output->temporary, output->path, size);
    memcpy(output->temporary + size, suffix, sizeof suffix);
    int fd = mkstemp(output->temporary);
    if (fd >= 0) {
        cli_interrupt_watch(output->temporary);
        use_default_mode(fd, before);
        output->stream = fdopen(fd, "wb");
    }
    if (output->stream == NULL) {
        (void)refuse_path(output->path);
        if (fd >= 0) {
            (void)unlink(output->temporary);
            cli_interrupt_forget(output->temporary);
            (void)close(fd);
        }
        free(output->temporary);
        return false;
    }
    return true;
}

bool cli_output_allowed(const char *path, const struct stat *status) {
    if (S_ISREG(status->st_mode) && cli_inputs_hold(status)) {
        cli_message(path, "nothing is written there, for this command reads that file");
        return false;
    }
    return true;
}

// Again before a file gets its name: inputs may have been opened since.
static bool may_replace(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || cli_output_allowed(path, &status);
}

bool cli_output_open(cli_output *output, const char *path) {
    struct stat status;
    memset(output, 0, sizeof *output);
    if (path == NULL || strcmp(path, "-") == 0) {
        if (fstat(STDOUT_FILENO, &status) == 0 && !cli_output_allowed("standard output", &status)) {
            return false;
        }
        output->stream = stdout;
        output->terminal = isatty(STDOUT_FILENO) != 0;
        output->colour = wants_colour(output->terminal);
        return true;
    }
    output->path = path;
    bool exists = stat(path, &status) == 0;
    if (exists && !cli_output_allowed(path, &status)) {
        return false;
    }
    if (exists && !S_ISREG(status.st_mode)) { // a device, a pipe; a directory fails
        output->stream = fopen(path, "wb");
        return output->stream != NULL || refuse_path(path);
    }
    return open_temporary(output, exists ? &status : NULL);
}

static void note_failure(cli_output *output) {
    if (output->failure == 0) {
        output->failure = errno != 0 ? errno : EIO;
    }
}

cli_status cli_output_close(cli_output *output, cli_status status) {
    if (fflush(output->stream) != 0) {
        note_failure(output);
    }
    if (output->path != NULL && fclose(output->stream) != 0) {
        note_failure(output);
    }
    if (output->temporary != NULL) {
        if (output->failure == 0 && !may_replace(output->path)) {
            output->failure = EPIPE; // said: only clean up
        }
        if (output->failure == 0 && rename(output->temporary, output->path) != 0) {
            note_failure(output);
        }
        if (output->failure != 0) {
            (void)unlink(output->temporary);
        }
        cli_interrupt_forget(output->temporary);
        free(output->temporary);
    }
    if (output->failure == 0) {
        return status;
    }
    if (output->failure != EPIPE) { // whoever closed the pipe has read enough
        cli_message(output->path == NULL ? "standard output" : output->path, "%s",
                    strerror(output->failure));
    }
    return CLI_FAILED;
}

void cli_output_abandon(cli_output *output) {
    if (output->path != NULL) {
        (void)fclose(output->stream);
    }
    if (output->temporary != NULL) {
        (void)unlink(output->temporary);
        cli_interrupt_forget(output->temporary);
        free(output->temporary);
    }
}

// --- text ---------------------------------------------------------------------------------------

bool cli_sink(void *user, const char *data, size_t size) {
    cli_output *output = user;
    if (output->failure == 0 && size != 0 && fwrite(data, 1, size, output->stream) != size) {
        note_failure(output);
    }
    return output->failure == 0;
}

void cli_print(cli_output *output, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (output->failure == 0 && vfprintf(output->stream, format, arguments) < 0) {
        note_failure(output);
    }
    va_end(arguments);
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7F;
}

void cli_print_text(cli_output *output, bsp_text text) {
    if (!output->terminal) {
        (void)cli_sink(output, text.data, text.size);
        return;
    }
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (is_control(c) && c != '\n' && c != '\t') {
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

// Length of the line that fits: up to the last blank before the edge, or a whole word.
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
        size_t size = line_length(text, TEXT_WIDTH - indent);
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

// --- messages -----------------------------------------------------------------------------------

void cli_message(const char *about, const char *format, ...) {
    char line[1024];
    size_t used = (size_t)snprintf(line, sizeof line, "bspkit: %s%s", about == NULL ? "" : about,
                                   about == NULL ? "" : ": ");
    if (used < sizeof line) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(line + used, sizeof line - used, format, arguments);
        va_end(arguments);
    }
    for (char *c = line; *c != '\0'; c++) {
        *c = is_control(*c) ? '?' : *c;
    }
    cli_interrupt_erase_line();
    (void)fflush(stdout); // in the order of time when both go to one place
    fprintf(stderr, "%s\n", line);
}

cli_status cli_report(const char *path, const bsp_error *error) {
    char place[BSP_PLACE_TEXT];
    (void)bsp_format_place(place, &error->place);
    cli_message(strcmp(path, "-") == 0 ? "standard input" : path, "%s%s%s", place,
                place[0] == '\0' ? "" : ": ", error->message);
    return error->code == BSP_E_ARGUMENT ? CLI_USAGE : CLI_FAILED;
}

void cli_format_size(char out[CLI_SIZE_TEXT], uint64_t size) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (size < 1024) {
        snprintf(out, CLI_SIZE_TEXT, "%u B", (unsigned)size);
        return;
    }
    size_t unit = 0;
    uint64_t tenths = (size * 10 + 512) / 1024;
    while (tenths >= 10240 && unit < 3) {
        tenths = (tenths + 512) / 1024;
        unit++;
    }
    snprintf(out, CLI_SIZE_TEXT, "%u.%u %s", (unsigned)(tenths / 10), (unsigned)(tenths % 10),
             units[unit]);
}
