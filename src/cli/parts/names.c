// SPDX-License-Identifier: MIT
// The maps that operands stand for: a folder for those in it, an archive for those in it, and a
// list for those that it names, one a line, as find prints them; empty lines are skipped. What
// cannot be read, or holds no map, stays as it is: opening it says why.
#define _POSIX_C_SOURCE 200809L // lstat

#include "cli/parts/names.h"

#include "core/os_calls.h"

#include "cli/parts/budget.h"
#include "cli/parts/inputs.h"
#include "cli/parts/member.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 65536u
#define DEEPEST 64                  // folders inside folders
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

// --- the list -----------------------------------------------------------------------------------

typedef struct names {
    const cli_call *call;
    char **list;
    size_t count;
    size_t room;
    bool failed; // no memory
} names;

// Adds a name, which is freed with the list.
static void take_name(names *n, char *name) {
    if (name == NULL || n->count >= INT_MAX) {
        n->failed = true;
        free(name);
        return;
    }
    if (n->count == n->room) {
        size_t room = n->room == 0 ? 64 : n->room * 2;
        char **grown = realloc(n->list, room * sizeof *grown);
        if (grown == NULL) {
            n->failed = true;
            free(name);
            return;
        }
        n->list = grown;
        n->room = room;
    }
    n->list[n->count++] = name;
}

// Returns `a`, a separator unless it is NUL, and `b`. NULL without memory.
static char *join(const char *a, char separator, bsp_text b) {
    size_t size = strlen(a);
    size_t between = separator == '\0' ? 0 : 1;
    char *out = malloc(size + between + b.size + 1);
    if (out != NULL) {
        memcpy(out, a, size);
        out[size] = separator;
        if (b.size != 0) {
            memcpy(out + size + between, b.data, b.size);
        }
        out[size + between + b.size] = '\0';
    }
    return out;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_from(const names *n, size_t first) {
    if (n->count > first) {
        qsort(n->list + first, n->count - first, sizeof *n->list, by_name);
    }
}

// --- archives -----------------------------------------------------------------------------------

// Adds the maps of an archive, and of the archives in it. `path` names it as an operand does.
static void add_members(names *n, const char *path, const bsp_search *archive, int depth);

static void add_inner(names *n, const char *path, const bsp_search *archive, bsp_text name,
                      int depth) {
    bsp_error error;
    bsp_blob blob;
    bsp_search_options how = {.budget = cli_budget()};
    if (depth >= CLI_MEMBER_DEEPEST || !bsp_search_read(archive, name, &blob, &error)) {
        take_name(n, join(path, '\0', (bsp_text){NULL, 0})); // opening it says why
        return;
    }
    bsp_search *inner = bsp_search_new(&how, &error);
    size_t before = n->count;
    if (inner != NULL &&
        bsp_search_add_memory(inner, path, (bsp_bytes){blob.data, blob.size}, &error)) {
        add_members(n, path, inner, depth + 1);
    }
    if (n->count == before) {
        take_name(n, join(path, '\0', (bsp_text){NULL, 0}));
    }
    bsp_search_free(inner);
    bsp_blob_free(&blob);
}

static void add_members(names *n, const char *path, const bsp_search *archive, int depth) {
    size_t count;
    const bsp_asset *list = bsp_search_list(archive, &count);
    size_t first = n->count;
    for (size_t i = 0; i < count; i++) {
        if (cli_is_map_name(list[i].name)) {
            take_name(n, join(path, ':', list[i].name));
        }
    }
    sort_from(n, first);
    for (size_t i = 0; i < count; i++) {
        char *inner = cli_is_archive_name(list[i].name) ? join(path, ':', list[i].name) : NULL;
        if (inner != NULL) {
            add_inner(n, inner, archive, list[i].name, depth);
        }
        free(inner);
    }
}

static void note_input(void *user, const char *path) {
    (void)user;
    cli_inputs_add(path);
}

static void add_archive(names *n, const char *path) {
    bsp_error error;
    bsp_search_options how = {.budget = cli_budget(), .opening = note_input};
    bsp_search *archive = bsp_search_new(&how, &error);
    size_t before = n->count;
    if (archive != NULL && bsp_search_add(archive, path, &error)) {
        add_members(n, path, archive, 1);
    }
    if (n->count == before) {
        take_name(n, join(path, '\0', (bsp_text){NULL, 0}));
    }
    bsp_search_free(archive);
}

// --- folders ------------------------------------------------------------------------------------

static void add_folder(names *n, const char *path, int depth);

// A link to a file stands for the file; a link to a folder is not followed, since it may lead back.
static void add_entry(names *n, const char *path, int depth) {
    struct stat status;
    bsp_text name = bsp_text_of(path);
    bool link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    bool there = stat(path, &status) == 0;
    if (!there && cli_is_map_name(name)) {
        take_name(n, join(path, '\0', (bsp_text){NULL, 0})); // opening it says why
    }
    if (!there) {
        return;
    }
    bool below = n->call->common->recursive || n->call->command->whole_folders;
    if (S_ISDIR(status.st_mode) && !link && below && depth < DEEPEST) {
        add_folder(n, path, depth + 1);
    } else if (S_ISREG(status.st_mode) && cli_is_map_name(name)) {
        cli_inputs_add(path);
        take_name(n, join(path, '\0', (bsp_text){NULL, 0}));
    } else if (S_ISREG(status.st_mode) && cli_is_archive_name(name)) {
        add_archive(n, path);
    }
}

static void add_folder(names *n, const char *path, int depth) {
    names inside = {.call = n->call};
    DIR *folder = opendir(path);
    size_t size = strlen(path);
    char separator = size != 0 && path[size - 1] == '/' ? '\0' : '/';
    if (folder == NULL) {
        take_name(n, join(path, '\0', (bsp_text){NULL, 0}));
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] != '.') {
            take_name(&inside, join(path, separator, bsp_text_of(entry->d_name)));
        }
    }
    (void)closedir(folder);
    sort_from(&inside, 0);
    for (size_t i = 0; i < inside.count; i++) {
        add_entry(n, inside.list[i], depth);
        free(inside.list[i]);
    }
    free(inside.list);
    n->failed = n->failed || inside.failed;
}

// --- operands -----------------------------------------------------------------------------------

static void add_operand(names *n, const char *path) {
    struct stat status;
    bool there = stat(path, &status) == 0;
    size_t before = n->count;
    if (there && S_ISDIR(status.st_mode)) {
        add_folder(n, path, 0);
    } else if (there && S_ISREG(status.st_mode) && cli_is_archive_name(bsp_text_of(path))) {
        add_archive(n, path);
    }
    if (n->count == before) {
        take_name(n, join(path, '\0', (bsp_text){NULL, 0}));
    }
}

bool cli_names_of_many(const cli_command *command) {
    return command->reads_maps && command->max_operands == CLI_ANY &&
           cli_operand_letter(command, INT_MAX) == 'f';
}

static void give(cli_call *call, const names *n) {
    call->operands = n->list;
    call->num_operands = (int)n->count;
    call->names = n->list;
    call->num_names = n->count;
}

cli_status cli_names_expand(cli_call *call) {
    names n = {.call = call};
    const char *from = call->common->files_from;
    if (!cli_names_of_many(call->command)) {
        return CLI_DONE;
    }
    char *text = from == NULL ? NULL : read_list(from);
    if (from != NULL && text == NULL) {
        return CLI_FAILED;
    }
    for (int i = 0; i < call->num_operands; i++) {
        if (cli_operand_letter(call->command, i) == 'f') {
            add_operand(&n, call->operands[i]);
        } else {
            take_name(&n, join(call->operands[i], '\0', (bsp_text){NULL, 0}));
        }
    }
    char *at = text;
    for (char *line; at != NULL && (line = next_line(&at)) != NULL;) {
        cli_inputs_add(line);
        add_operand(&n, line);
    }
    free(text);
    give(call, &n);
    if (n.failed) {
        cli_message(call->command->name, "no memory for so many names");
        return CLI_FAILED;
    }
    if (n.count == 0) {
        cli_message(call->command->name, "no map is named");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

void cli_names_free(cli_call *call) {
    for (size_t i = 0; i < call->num_names; i++) {
        free(call->names[i]);
    }
    free(call->names);
    call->names = NULL;
    call->num_names = 0;
}
