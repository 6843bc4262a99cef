// SPDX-License-Identifier: MIT
// Collects files. A name in a pak has slashes, does not begin with one, and has no "..".
#define _POSIX_C_SOURCE 200809L // lstat, strdup

#include "cli/commands/pak_files.h"

#include "core/os_calls.h"

#include "cli/parts/folder.h"
#include "cli/parts/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEEP 64

static bool refuse(const char *path, const char *what) {
    cli_message(path, "%s", what);
    return false;
}

// --- names --------------------------------------------------------------------------------------

static bool is_good_part(const char *part, size_t size) {
    return size != 0 && !(size == 1 && part[0] == '.') &&
           !(size == 2 && part[0] == '.' && part[1] == '.');
}

// Converts backslashes to slashes and removes a leading "./". Returns false for a name that is not
// below a folder.
static bool normalize(char *name) {
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '\\' ? '/' : *c;
        if ((unsigned char)*c < ' ' || *c == ':') {
            return false;
        }
    }
    while (name[0] == '.' && name[1] == '/') {
        memmove(name, name + 2, strlen(name + 2) + 1);
    }
    for (const char *part = name;; part++) {
        size_t size = strcspn(part, "/");
        if (!is_good_part(part, size)) {
            return false;
        }
        part += size;
        if (*part == '\0') {
            return strlen(name) <= UINT16_MAX;
        }
    }
}

static bool add(cli_pak_files *files, const char *name, const char *path) {
    if (files->count == files->room) {
        size_t room = files->room == 0 ? 64 : files->room * 2;
        cli_pak_file *list = realloc(files->list, room * sizeof *list);
        if (list == NULL) {
            return refuse(path, "no memory");
        }
        files->list = list;
        files->room = room;
    }
    cli_pak_file *file = &files->list[files->count++];
    cli_inputs_add(path);
    file->name = strdup(name);
    file->path = strdup(path);
    if (file->name == NULL || file->path == NULL) {
        return refuse(path, "no memory");
    }
    return normalize(file->name) || refuse(name, "the name of a file in a pak cannot be this");
}

// --- folders ------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
}

// Returns the entries of a folder, sorted. NULL after a message.
static char **list_folder(const char *path, size_t *count) {
    DIR *folder = opendir(path);
    char **names = calloc(1, sizeof *names);
    *count = 0;
    bool good = folder != NULL && names != NULL;
    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;) {
        if (is_good_part(entry->d_name, strlen(entry->d_name))) {
            char **more = realloc(names, (*count + 1) * sizeof *names);
            names = more == NULL ? names : more;
            char *name = more == NULL ? NULL : strdup(entry->d_name);
            good = name != NULL;
            if (good) {
                names[(*count)++] = name;
            }
        }
    }
    if (!good) {
        cli_message_system(path, errno);
        free_names(names, *count);
        names = NULL;
    } else {
        qsort(names, *count, sizeof *names, compare);
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return names;
}

static bool add_folder(cli_pak_files *files, const char *path, size_t root, int depth);

// Adds a file, or all files in a folder; links and devices are left out.
static bool add_below(cli_pak_files *files, const char *path, size_t root, int depth) {
    struct stat status;
    if (lstat(path, &status) != 0) {
        return refuse(path, cli_reason(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return add_folder(files, path, root, depth + 1);
    }
    return !S_ISREG(status.st_mode) || add(files, path + root, path);
}

static bool add_folder(cli_pak_files *files, const char *path, size_t root, int depth) {
    char *below = malloc(CLI_PATH_ROOM);
    size_t count = 0;
    char **names = depth > MOST_DEEP || below == NULL ? NULL : list_folder(path, &count);
    bool good = names != NULL;
    if (depth > MOST_DEEP || below == NULL) {
        (void)refuse(path, below == NULL ? "no memory" : "folders are nested too deeply");
    }
    for (size_t i = 0; good && i < count; i++) {
        good = cli_join(path, names[i], below, CLI_PATH_ROOM)
                   ? add_below(files, below, root, depth)
                   : refuse(path, "the path is too long");
    }
    if (names != NULL) {
        free_names(names, count);
    }
    free(below);
    return good;
}

// --- operands -----------------------------------------------------------------------------------

static bool add_operand(cli_pak_files *files, const char *operand, const char *root) {
    char path[CLI_PATH_ROOM];
    struct stat status;
    bool fits = root == NULL ? snprintf(path, sizeof path, "%s", operand) < (int)sizeof path
                             : cli_join(root, operand, path, sizeof path);
    if (!fits) {
        return refuse(operand, "the path is too long");
    }
    if (stat(path, &status) != 0) {
        return refuse(path, cli_reason(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return add(files, operand, path);
    }
    if (root == NULL) { // names are relative to the folder
        size_t size = strlen(path);
        return add_folder(files, path, size + (path[size - 1] == '/' ? 0 : 1), 0);
    }
    size_t size = strlen(root);
    return add_folder(files, path, size + (root[size - 1] == '/' ? 0 : 1), 0);
}

// Returns the next line without its end; NULL after the last.
static char *next_line(char **text) {
    char *line = *text;
    if (*line == '\0') {
        return NULL;
    }
    size_t size = strcspn(line, "\n");
    *text += size + (line[size] == '\n' ? 1 : 0);
    line[size] = '\0';
    if (size != 0 && line[size - 1] == '\r') {
        line[size - 1] = '\0';
    }
    return line;
}

// Reads a list with two lines per file, as bspzip does: the name in the pak, and the path on disk.
static bool add_list(cli_pak_files *files, const char *path) {
    size_t size;
    uint8_t *bytes = cli_read_file(path, &size);
    char *text = bytes == NULL ? NULL : calloc(size + 1, 1);
    bool good = text != NULL;
    if (good) {
        memcpy(text, bytes, size);
    } else if (bytes != NULL) {
        (void)refuse(path, "no memory");
    }
    char *next = text;
    for (char *name; good && (name = next_line(&next)) != NULL;) {
        if (name[0] == '\0') {
            continue;
        }
        char *from = next_line(&next);
        good = from != NULL && from[0] != '\0'
                   ? add(files, name, from)
                   : refuse(path, "a name without the path of its file on the next line");
    }
    free(text);
    free(bytes);
    return good;
}

bool cli_pak_files_collect(cli_pak_files *files, const cli_call *call, const char *list,
                           const char *root) {
    *files = (cli_pak_files){0};
    bool good = list == NULL || add_list(files, list);
    for (int i = 1; good && i < call->num_operands; i++) {
        good = add_operand(files, call->operands[i], root != NULL && root[0] != '\0' ? root : NULL);
    }
    if (good && files->count == 0) {
        good = refuse(NULL, "pak: there is no file to put into the map");
    }
    if (!good) {
        cli_pak_files_free(files);
    }
    return good;
}

void cli_pak_files_free(cli_pak_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->list[i].name);
        free(files->list[i].path);
    }
    free(files->list);
    *files = (cli_pak_files){0};
}
