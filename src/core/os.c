// SPDX-License-Identifier: MIT
// The operating system: files and a clock. POSIX here; another system gets another copy of this
// file.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE // madvise: what POSIX has of it does nothing here

#include "core/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define READ_PIECE ((size_t)1 << 16)

static bool fail_errno(bsp_error *error, int number) {
    char text[128] = "unknown error";
    (void)strerror_r(number, text, sizeof text);
    return bsp_fail(error, number == ENOMEM ? BSP_E_MEMORY : BSP_E_IO, NULL, "%s", text);
}

// Reads a stream whose size is not known, doubling the buffer.
static bool read_stream(int fd, size_t limit, bspi_mapping *out, bsp_error *error) {
    uint8_t *data = NULL;
    size_t size = 0;
    size_t room = 0;
    for (;;) {
        if (size == room) {
            room = room == 0 ? READ_PIECE : room * 2;
            uint8_t *more = size > limit ? NULL : realloc(data, room);
            if (more == NULL) {
                free(data);
                return size > limit
                           ? bsp_fail(error, BSP_E_LIMIT, NULL, "more than %zu bytes", limit)
                           : bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for %zu bytes", room);
            }
            data = more;
        }
        ssize_t got = read(fd, data + size, room - size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            int number = errno;
            free(data);
            return fail_errno(error, number);
        }
        if (got == 0) {
            break;
        }
        size += (size_t)got;
    }
    out->bytes.data = data;
    out->bytes.size = size;
    out->mapped = false;
    return true;
}

static bool map_regular(int fd, size_t size, bspi_mapping *out, bsp_error *error) {
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
        return fail_errno(error, errno);
    }
    out->bytes.data = data;
    out->bytes.size = size;
    out->mapped = true;
    return true;
}

bool bspi_map_file(const char *path, size_t limit, bspi_mapping *out, bsp_error *error) {
    memset(out, 0, sizeof *out);
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail_errno(error, errno);
    }
    struct stat status;
    bool done;
    if (fstat(fd, &status) != 0) {
        done = fail_errno(error, errno);
    } else if (S_ISDIR(status.st_mode)) {
        done = fail_errno(error, EISDIR);
    } else if (S_ISREG(status.st_mode) && status.st_size > 0 && !standard_input) {
        done = map_regular(fd, (size_t)status.st_size, out, error);
    } else {
        done = read_stream(fd, limit, out, error);
    }
    if (!standard_input) {
        close(fd);
    }
    return done;
}

void bspi_unmap_file(bspi_mapping *mapping) {
    // munmap and free take what mmap and realloc gave: the const is ours.
    void *data = (void *)(uintptr_t)mapping->bytes.data;
    if (mapping->mapped) {
        munmap(data, mapping->bytes.size);
    } else {
        free(data);
    }
    memset(mapping, 0, sizeof *mapping);
}

void bspi_release_pages(const bspi_mapping *mapping, bsp_bytes bytes) {
    uintptr_t base = (uintptr_t)mapping->bytes.data;
    uintptr_t from = (uintptr_t)bytes.data;
    size_t whole = mapping->bytes.size;
    if (!mapping->mapped || bytes.size == 0 || from < base || from - base >= whole ||
        bytes.size > whole - (size_t)(from - base)) {
        return;
    }
    size_t start = (size_t)(from - base) / BSPI_PAGES_AROUND * BSPI_PAGES_AROUND;
    size_t end = (size_t)(from - base) + bytes.size + BSPI_PAGES_AROUND - 1;
    end = end / BSPI_PAGES_AROUND * BSPI_PAGES_AROUND;
    // The pages are nobody's own: the mapping is only read.
    (void)madvise((void *)(base + start), (end < whole ? end : whole) - start, MADV_DONTNEED);
}

static bool look_at(int folder, const char *name, bool links, bspi_folder_entry *entry) {
    struct stat status;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
        fstatat(folder, name, &status, links ? 0 : AT_SYMLINK_NOFOLLOW) != 0 ||
        !(S_ISDIR(status.st_mode) || S_ISREG(status.st_mode))) {
        return false;
    }
    entry->name = name;
    entry->folder = S_ISDIR(status.st_mode);
    entry->size = (uint64_t)status.st_size;
    return true;
}

bool bspi_list_folder(const char *path, bool links, bspi_folder_visit visit, void *user,
                      bsp_error *error) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return fail_errno(error, errno);
    }
    const struct dirent *item;
    bool go_on = true;
    while (go_on && (item = readdir(folder)) != NULL) { // each caller has its own stream
        bspi_folder_entry entry;
        if (look_at(dirfd(folder), item->d_name, links, &entry)) {
            go_on = visit(user, &entry);
        }
    }
    closedir(folder);
    return true;
}

uint64_t bspi_clock(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0
               ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec
               : 0;
}
