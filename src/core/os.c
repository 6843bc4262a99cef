// SPDX-License-Identifier: MIT
// The operating system: files and a clock, for POSIX. A port to another system replaces this file.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE // for madvise; posix_madvise does not release pages on Linux
#define _GNU_SOURCE     // for sched_getaffinity

#include "core/os.h"

#include "core/os_calls.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define READ_PIECE ((size_t)1 << 16)

// --- reasons ------------------------------------------------------------------------------------

typedef struct reason {
    int number;
    bsp_code code;
    const char *text;
} reason;

// The reasons for which files and folders fail. strerror is not used, because its words depend on
// locale and system.
static const reason reasons[] = {
    {ENOENT, BSP_E_NOT_FOUND, "there is no such file or folder"},
    {ENOTDIR, BSP_E_NOT_FOUND, "it, or a part of its path, is not a folder"},
    {EACCES, BSP_E_PERMISSION, "its permissions do not allow it"},
    {EPERM, BSP_E_PERMISSION, "the system does not allow it"},
    {EROFS, BSP_E_PERMISSION, "the file system can only be read"},
    {ENOMEM, BSP_E_MEMORY, "no memory"},
    {EISDIR, BSP_E_IO, "it is a folder"},
    {EEXIST, BSP_E_IO, "it exists already"},
    {ENOTEMPTY, BSP_E_IO, "the folder is not empty"},
    {ENAMETOOLONG, BSP_E_IO, "the path is too long"},
    {ELOOP, BSP_E_IO, "too many links stand in its path"},
    {EIO, BSP_E_IO, "the device failed"},
    {ENOSPC, BSP_E_IO, "no space is left on the device"},
    {EDQUOT, BSP_E_IO, "no space is left in the quota"},
    {EFBIG, BSP_E_IO, "the file is too large"},
    {EOVERFLOW, BSP_E_IO, "the file is too large"},
    {EMFILE, BSP_E_IO, "this process has too many open files"},
    {ENFILE, BSP_E_IO, "the system has too many open files"},
    {EINVAL, BSP_E_IO, "the system refuses it for this kind of file"},
    {EBADF, BSP_E_IO, "it is not open for that"},
    {EPIPE, BSP_E_IO, "the pipe is closed at its other end"},
    {EBUSY, BSP_E_IO, "it is in use"},
    {ETXTBSY, BSP_E_IO, "it is a program that runs"},
    {EXDEV, BSP_E_IO, "the two paths are on different file systems"},
    {ENXIO, BSP_E_IO, "there is no such device"},
    {ENODEV, BSP_E_IO, "there is no such device"},
    {EINTR, BSP_E_IO, "it was interrupted"},
    {EAGAIN, BSP_E_IO, "it is not ready"},
};

static const reason *find_reason(int number) {
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].number == number) {
            return &reasons[i];
        }
    }
    return NULL;
}

size_t bsp_format_reason(char out[BSP_REASON_TEXT], int number) {
    assert(out != NULL);
    const reason *found = find_reason(number);
    int size = found != NULL ? snprintf(out, BSP_REASON_TEXT, "%s", found->text)
                             : snprintf(out, BSP_REASON_TEXT, "error %d", number);
    return (size_t)size;
}

// Fails without the path, which the public functions of this file put in front.
static bool fail_errno(bsp_error *error, int number) {
    char text[BSP_REASON_TEXT];
    const reason *found = find_reason(number);
    (void)bsp_format_reason(text, number);
    return bsp_fail(error, found != NULL ? found->code : BSP_E_IO, NULL, "%s", text);
}

// Puts the path in front of a message. The end of a path tells most, so what has no room is cut
// from its front.
static bool name_path(bsp_error *error, const char *path, const bsp_error *cause) {
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    size_t size = strlen(name);
    size_t room = sizeof cause->message - 1 - strlen(cause->message);
    size_t frame = strlen(": ") + strlen("...");
    if (size + frame <= room) {
        return bsp_fail(error, cause->code, &cause->place, "%s: %s", name, cause->message);
    }
    const char *end = room <= frame ? name + size : name + size - (room - frame);
    return bsp_fail(error, cause->code, &cause->place, "...%s: %s", end, cause->message);
}

// --- reading ------------------------------------------------------------------------------------

// Sets the capacity of a read file to `room` bytes.
static bool make_room(bspi_mapping *out, size_t room, bsp_error *error) {
    void *data = (void *)(uintptr_t)out->bytes.data; // the heap allocated it, so it may be written
    void *more = bspi_heap_resize(out->heap, data, out->room, room, error);
    if (more == NULL) {
        return false;
    }
    out->bytes.data = more;
    out->room = room;
    return true;
}

// Reads into the free capacity; `*got` is 0 at the end of the file.
static bool read_some(int fd, bspi_mapping *out, size_t *got, bsp_error *error) {
    uint8_t *data = (uint8_t *)(uintptr_t)out->bytes.data;
    ssize_t count;
    do {
        count = read(fd, data + out->bytes.size, out->room - out->bytes.size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return fail_errno(error, errno);
    }
    *got = (size_t)count;
    out->bytes.size += *got;
    return true;
}

// Reads a stream of unknown size, doubling the capacity.
static bool read_stream(int fd, bspi_mapping *out, bsp_error *error) {
    size_t got = 1;
    while (got != 0) {
        size_t room = out->room == 0 ? READ_PIECE : out->room * 2;
        if ((out->bytes.size == out->room && !make_room(out, room, error)) ||
            !read_some(fd, out, &got, error)) {
            return false;
        }
    }
    return true;
}

// Reads a file of known size.
static bool read_regular(int fd, size_t size, bspi_mapping *out, bsp_error *error) {
    size_t got = 1;
    bspi_heap_extend(out->heap, size); // the size is known, unlike that of a stream
    if (!make_room(out, size, error)) {
        return false;
    }
    while (out->bytes.size < size) {
        if (!read_some(fd, out, &got, error)) {
            return false;
        }
        if (got == 0) {
            return bsp_fail(error, BSP_E_IO, NULL,
                            "the file ends after %zu of %zu bytes: it was truncated",
                            out->bytes.size, size);
        }
    }
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

static bool take_file(int fd, bool map, bspi_mapping *out, bsp_error *error) {
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return fail_errno(error, errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return fail_errno(error, EISDIR);
    }
    if (!S_ISREG(status.st_mode) || status.st_size <= 0 || fd == STDIN_FILENO) {
        return read_stream(fd, out, error);
    }
    if ((uint64_t)status.st_size > SIZE_MAX / 4) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "the file is too large for this machine");
    }
    size_t size = (size_t)status.st_size;
    return map ? map_regular(fd, size, out, error) : read_regular(fd, size, out, error);
}

bool bspi_open_file(const char *path, bool map, bspi_heap *heap, bspi_mapping *out,
                    bsp_error *error) {
    *out = (bspi_mapping){.heap = heap};
    bsp_error cause = {0};
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 ? take_file(fd, map, out, &cause) : fail_errno(&cause, errno);
    if (fd >= 0 && !standard_input) {
        close(fd);
    }
    if (!done) {
        bspi_unmap_file(out);
    }
    return done || name_path(error, path, &cause);
}

void bspi_unmap_file(bspi_mapping *mapping) {
    // The library made the mapping, so the const may be cast away for munmap and the heap.
    void *data = (void *)(uintptr_t)mapping->bytes.data;
    if (mapping->mapped) {
        munmap(data, mapping->bytes.size);
    } else if (data != NULL) {
        bspi_heap_free(mapping->heap, data, mapping->room);
    }
    *mapping = (bspi_mapping){.heap = NULL};
}

bool bspi_mapping_move(bspi_mapping *mapping, bspi_heap *heap, bsp_error *error) {
    if (mapping->room != 0 && !bspi_heap_charge(heap, mapping->room, error)) {
        return false;
    }
    bspi_heap_discharge(mapping->heap, mapping->room);
    mapping->heap = heap;
    return true;
}

bool bsp_blob_read(const char *path, bsp_budget *budget, const bsp_allocator *allocator,
                   bsp_blob *out, bsp_error *error) {
    assert(path != NULL && out != NULL);
    bspi_heap heap;
    bspi_mapping read;
    *out = (bsp_blob){.data = NULL};
    bspi_heap_init_for(&heap, BSP_PRODUCT_STREAM, 0, budget, allocator);
    if (!bspi_open_file(path, false, &heap, &read, error)) {
        return false;
    }
    if (read.bytes.size == 0) {
        bspi_unmap_file(&read);
        return true;
    }
    // A blob is freed by its size, so its capacity must be its size.
    if (!make_room(&read, read.bytes.size, error)) {
        bspi_unmap_file(&read);
        return false;
    }
    bspi_heap_give(&heap, read.room);
    bsp_budget_read(budget, read.bytes.size);
    *out = (bsp_blob){(uint8_t *)(uintptr_t)read.bytes.data, read.room, heap.allocator};
    return true;
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
    // Dropping the pages loses nothing, since the mapping is read-only.
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
        bsp_error cause = {0};
        (void)fail_errno(&cause, errno);
        return name_path(error, path, &cause);
    }
    const struct dirent *item;
    bool go_on = true;
    while (go_on &&
           (item = readdir(folder)) != NULL) { // readdir is safe: no other thread uses this stream
        bspi_folder_entry entry;
        if (look_at(dirfd(folder), item->d_name, links, &entry)) {
            go_on = visit(user, &entry);
        }
    }
    closedir(folder);
    return true;
}

uint32_t bspi_processors(void) {
#if defined(__linux__)
    cpu_set_t set; // fails beyond 1024 processors
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (uint32_t)CPU_COUNT(&set);
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (uint32_t)online;
}

uint64_t bspi_clock(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0
               ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec
               : 0;
}
