// SPDX-License-Identifier: MIT
// Folders that results go to.
#define _POSIX_C_SOURCE 200809L // mkdir

#include "cli/folder.h"

#include "cli/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cli_make_folder(const char *path) {
    struct stat status;
    return mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &status) == 0 &&
                                      (S_ISDIR(status.st_mode) || (errno = ENOTDIR) == 0));
}

bool cli_make_folders(char *path, size_t from) {
    for (char *c = path + from; *c != '\0'; c++) {
        if (*c == '/' && c != path) {
            *c = '\0';
            bool made = cli_make_folder(path);
            *c = '/';
            if (!made) {
                return false;
            }
        }
    }
    return true;
}

bool cli_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool cli_join(const char *folder, const char *name, char *out, size_t room) {
    size_t size = strlen(folder);
    bool ends = size != 0 && folder[size - 1] == '/';
    int length = snprintf(out, room, "%s%s%s", folder, ends ? "" : "/", name);
    errno = ENAMETOOLONG;
    return length >= 0 && (size_t)length < room;
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

// Some systems open a device for these, whatever folder they are in and whatever ending they have.
static bool is_device(bsp_text rest) {
    static const char *const names[] = {"con", "prn", "aux", "nul", "com", "lpt"};
    char part[5] = "";
    size_t size = 0;
    while (size < rest.size && rest.data[size] != '.' && !ends_part(rest.data[size])) {
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

void cli_safe_name(bsp_text name, char *out, size_t room) {
    size_t used = 0;
    for (size_t i = 0; i < name.size && used < room - 1; i++) {
        char c = safe_character(name.data[i]);
        bool starts_part = used == 0 || out[used - 1] == '/';
        if (c == '/' && starts_part) {
            continue;
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

#define FIRST_ROOM ((size_t)1 << 16)

// Reads to the end, whatever the size is said to be. NULL with errno set.
static uint8_t *read_all(FILE *stream, size_t *size) {
    uint8_t *bytes = NULL;
    size_t room = 0;
    *size = 0;
    do {
        if (*size == room) {
            room = room == 0 ? FIRST_ROOM : room * 2;
            uint8_t *more = room < *size ? NULL : realloc(bytes, room);
            if (more == NULL) {
                free(bytes);
                errno = ENOMEM;
                return NULL;
            }
            bytes = more;
        }
        *size += fread(bytes + *size, 1, room - *size, stream);
    } while (!feof(stream) && !ferror(stream));
    if (ferror(stream)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

uint8_t *cli_read_file(const char *path, size_t *size) {
    bool standard = strcmp(path, "-") == 0;
    cli_inputs_add(path);
    FILE *stream = standard ? stdin : fopen(path, "rb");
    uint8_t *bytes = stream == NULL ? NULL : read_all(stream, size);
    if (bytes == NULL) {
        cli_message(standard ? "standard input" : path, "%s", strerror(errno));
    }
    if (stream != NULL && !standard) {
        (void)fclose(stream);
    }
    return bytes;
}
