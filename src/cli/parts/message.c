// SPDX-License-Identifier: MIT
// Messages on standard error.
#include "cli/parts/message.h"

#include "cli/parts/interrupt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cli_is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7F;
}

#define PREFIX (sizeof "bspkit: " - 1)

static _Thread_local cli_messages *own;

void cli_messages_of(cli_messages *messages) {
    own = messages;
}

void cli_messages_print(const cli_capture *lines) {
    if (lines->size != 0) {
        cli_interrupt_erase_line();
        (void)fflush(stdout); // keeps the order of time when both are the same terminal
        (void)fwrite(lines->data, 1, lines->size, stderr);
    }
}

static bool is_about(const char *input, const char *about) {
    return input == NULL || about == NULL || strcmp(input, about) == 0 ||
           (strcmp(input, "-") == 0 && strcmp(about, "standard input") == 0);
}

// `text` is where the line says what is wrong with `about`. Returns false where the line is to be
// printed.
static bool keep(const char *line, const char *about, size_t text) {
    if (own == NULL) {
        return false;
    }
    size_t start = is_about(own->about, about) ? text : PREFIX;
    memcpy(own->last, line + start, strlen(line + start) + 1);
    size_t before = own->lines == NULL ? 0 : own->lines->size;
    if (own->lines == NULL || !cli_capture_add(own->lines, line, strlen(line))) {
        return false;
    }
    if (!cli_capture_add(own->lines, "\n", 1)) {
        own->lines->size = before;
        return false;
    }
    return true;
}

void cli_message(const char *about, const char *format, ...) {
    char line[CLI_MESSAGE_ROOM];
    const char *named = about == NULL ? "" : about[0] == '\0' ? "''" : about;
    size_t used =
        (size_t)snprintf(line, sizeof line, "bspkit: %s%s", named, about == NULL ? "" : ": ");
    size_t start = used < sizeof line ? used : 0;
    if (used < sizeof line) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(line + used, sizeof line - used, format, arguments);
        va_end(arguments);
    }
    for (char *c = line; *c != '\0'; c++) {
        *c = cli_is_control(*c) ? '?' : *c;
    }
    if (keep(line, about, start)) {
        return;
    }
    cli_interrupt_erase_line();
    (void)fflush(stdout); // keeps the order of time when both are the same terminal
    fprintf(stderr, "%s\n", line);
}

const char *cli_reason(int number) {
    static _Thread_local char text[BSP_REASON_TEXT];
    (void)bsp_format_reason(text, number);
    return text;
}

void cli_message_system(const char *about, int number) {
    cli_message(about, "%s", cli_reason(number));
}

// Returns the message without the path at its start: `about`, or for a long one "..." and its end.
static const char *without_path(const char *message, const char *about) {
    size_t size = strlen(about);
    if (strncmp(message, about, size) == 0 && strncmp(message + size, ": ", 2) == 0) {
        return message + size + 2;
    }
    bool cut = strncmp(message, "...", 3) == 0;
    for (const char *end = message + 3; cut && *end != '\0'; end++) {
        size_t kept = (size_t)(end - message) - 3;
        if (strncmp(end, ": ", 2) == 0 && kept <= size &&
            strncmp(message + 3, about + size - kept, kept) == 0) {
            return end + 2;
        }
    }
    return message;
}

cli_status cli_report(const char *path, const bsp_error *error) {
    const char *about = strcmp(path, "-") == 0 ? "standard input" : path;
    char place[BSP_PLACE_TEXT];
    (void)bsp_format_place(place, &error->place);
    const char *hint = error->code == BSP_E_LIMIT ? "; see bspkit help limits" : "";
    cli_message(about, "%s%s%s%s", place, place[0] == '\0' ? "" : ": ",
                without_path(error->message, about), hint);
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
