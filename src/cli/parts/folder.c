// SPDX-License-Identifier: MIT
// Output folders.
#define _POSIX_C_SOURCE 200809L // open, stat

#include "cli/parts/folder.h"

#include "core/os_calls.h"

#include "cli/parts/inputs.h"
#include "cli/parts/budget.h"
#include "cli/replace/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Makes all folders of a path up to its last '/'. The path is changed, and restored at the end.
static bool make_folders(char *path) {
    for (char *c = path; *c != '\0'; c++) {
        if (*c == '/' && c != path) {
            *c = '\0';
            bool made = cli_make_folder_at(AT_FDCWD, path);
            *c = '/';
            if (!made) {
                return false;
            }
        }
    }
    return true;
}

bool cli_folder_open(cli_folder *folder, const char *path) {
    char whole[CLI_PATH_ROOM];
    *folder = (cli_folder){.fd = -1, .path = path};
    if (strcmp(path, "-") == 0) {
        cli_message(path, "standard output is not a folder; ./- is one of that name");
        return false;
    }
    if (cli_join(path, "", whole, sizeof whole) && make_folders(whole)) {
        folder->fd = open(whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (folder->fd < 0) {
        cli_message_system(path, errno);
    }
    return folder->fd >= 0;
}

void cli_folder_close(cli_folder *folder) {
    if (folder->fd >= 0) {
        (void)close(folder->fd);
        folder->fd = -1;
    }
}

bool cli_folder_output(const cli_folder *folder, const char *name, char *path, size_t room,
                       cli_output *output) {
    if (!cli_join(folder->path, name, path, room)) {
        cli_message(folder->path, "the path is too long");
        return false;
    }
    return cli_output_open_in(output, folder->fd, path, strlen(path) - strlen(name));
}

bool cli_folder_put(const cli_folder *folder, const char *name, bsp_bytes bytes,
                    const struct timespec *date) {
    char path[CLI_PATH_ROOM];
    cli_output file;
    if (!cli_folder_output(folder, name, path, sizeof path, &file)) {
        return false;
    }
    file.date = date;
    (void)cli_sink(&file, (const char *)bytes.data, bytes.size);
    return cli_output_close(&file, CLI_DONE) == CLI_DONE;
}

bool cli_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool cli_is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static char safe_character(char c) {
    unsigned char code = (unsigned char)c;
    if (c == '\\') {
        return '/';
    }
    return code < 0x20 || code == 0x7F || strchr(":*?\"<>|", c) != NULL ? '_' : c;
}

static bool ends_part(char c) {
    return c == '/' || c == '\\';
}

// Returns true for a name that some systems open as a device, in any folder, with any extension,
// and with spaces before it.
static bool is_device(bsp_text rest) {
    static const char *const names[] = {"con", "prn", "aux", "nul", "com", "lpt"};
    char part[5] = "";
    size_t size = 0;
    size_t end = 0;
    while (end < rest.size && rest.data[end] != '.' && !ends_part(rest.data[end])) {
        end++;
    }
    while (end != 0 && rest.data[end - 1] == ' ') {
        end--;
    }
    while (size < end) {
        char c = rest.data[size];
        if (size == sizeof part - 1) {
            return false;
        }
        part[size++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool numbered = size == 4 && part[3] >= '0' && part[3] <= '9';
        if (strncmp(part, names[i], 3) == 0 && (i < 4 ? size == 3 : numbered)) {
            return true;
        }
    }
    return false;
}

// Windows takes dots and spaces from the end of a part: a file would get another name, or none.
static void end_part(char *out, size_t used) {
    if (used != 0 && (out[used - 1] == '.' || out[used - 1] == ' ')) {
        out[used - 1] = '_';
    }
}

void cli_safe_name(bsp_text name, char *out, size_t room) {
    size_t used = 0;
    for (size_t i = 0; i < name.size && used < room - 1; i++) {
        char c = safe_character(name.data[i]);
        bool starts_part = used == 0 || out[used - 1] == '/';
        if (c == '/' && starts_part) {
            continue;
        }
        if (c == '/') {
            end_part(out, used);
        }
        bsp_text rest = {name.data + i, name.size - i};
        if (starts_part && is_device(rest) && used + 1 < room - 1) {
            out[used++] = '_';
        }
        out[used++] = c == '.' && starts_part ? '_' : c;
    }
    while (used != 0 && out[used - 1] == '/') {
        used--;
    }
    end_part(out, used);
    out[used] = '\0';
}

bool cli_write_file(const char *path, bsp_bytes bytes) {
    cli_output file;
    if (!cli_output_open(&file, path)) {
        return false;
    }
    (void)cli_sink(&file, (const char *)bytes.data, bytes.size);
    return cli_output_close(&file, CLI_DONE) == CLI_DONE;
}

uint8_t *cli_read_file(const char *path, size_t *size) {
    bsp_blob blob;
    bsp_error error = {0};
    cli_inputs_add(path);
    if (!bsp_blob_read(path, cli_budget(), NULL, &blob, &error)) {
        (void)cli_report(path, &error);
        return NULL;
    }
    *size = blob.size;
    uint8_t *bytes =
        blob.data != NULL
            ? blob.data
            : malloc(1); // allocated by the C library, since no other allocator was given
    if (bytes == NULL) {
        cli_message(path, "no memory");
    }
    return bytes;
}
