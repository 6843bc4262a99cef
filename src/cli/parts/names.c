// SPDX-License-Identifier: MIT
// Reads lists of maps: one per line, as find prints them. Empty lines are skipped.
#include "cli/parts/names.h"

#include "cli/parts/inputs.h"
#include "cli/parts/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 65536u
#define MOST_TEXT ((size_t)1 << 28) // bytes: a list of a million maps needs a tenth of it

static char *read_all(FILE *file) {
    size_t used = 0;
    size_t room = PIECE;
    char *text = malloc(room);
    while (text != NULL) {
        used += fread(text + used, 1, room - used - 1, file);
        if (ferror(file) || feof(file) || used >= MOST_TEXT) {
            break;
        }
        if (used == room - 1) {
            char *more = realloc(text, room *= 2);
            if (more == NULL) {
                free(text);
            }
            text = more;
        }
    }
    if (text != NULL && (ferror(file) || used >= MOST_TEXT)) {
        errno = used >= MOST_TEXT ? EFBIG : errno;
        free(text);
        return NULL;
    }
    if (text != NULL) {
        text[used] = '\0';
    }
    return text;
}

static char *read_list(const char *path) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    char *text = file == NULL ? NULL : read_all(file);
    if (text == NULL) {
        cli_message_system(standard ? "standard input" : path, errno);
    }
    if (file != NULL && !standard) {
        (void)fclose(file);
    }
    return text;
}

// Returns the next line, ended by a NUL; NULL after the last.
static char *next_line(char **at) {
    while (**at == '\n' || **at == '\r') {
        (*at)++;
    }
    char *line = *at;
    if (*line == '\0') {
        return NULL;
    }
    size_t size = strcspn(line, "\r\n");
    *at += size + (line[size] != '\0' ? 1 : 0);
    line[size] = '\0';
    return line;
}

static int count_lines(const char *text) {
    int count = 1;
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        count += *c == '\n' || *c == '\r' ? 1 : 0;
    }
    return count;
}

cli_status cli_names_read(cli_names *names, const cli_call *call, const char *path) {
    *names = (cli_names){NULL, 0, NULL};
    if (path != NULL && (names->text = read_list(path)) == NULL) {
        return CLI_FAILED;
    }
    size_t room = (size_t)call->num_operands + (size_t)count_lines(names->text);
    names->list = malloc(room * sizeof *names->list);
    if (names->list == NULL) {
        cli_message(NULL, "no memory");
        return CLI_FAILED;
    }
    for (int i = 0; i < call->num_operands; i++) {
        names->list[names->count++] = call->operands[i];
    }
    char *at = names->text;
    for (char *line; at != NULL && (line = next_line(&at)) != NULL;) {
        cli_inputs_add(line);
        names->list[names->count++] = line;
    }
    return CLI_DONE;
}

void cli_names_free(cli_names *names) {
    free(names->list);
    free(names->text);
}
