// SPDX-License-Identifier: MIT
// What stands at a path: links are followed, or not; folders are made and opened one part after
// the other, so that a path that changes in the meantime leads nowhere else.
#define _GNU_SOURCE // O_PATH, where it exists

#include "cli/replace/place.h"

#include "core/os_calls.h"

#include "cli/parts/message.h"

#include <errno.h>
#include <string.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define MOST_LINKS 40

bool cli_add_ending(char out[CLI_PATH_ROOM], const char *path, const char *ending) {
    int size = snprintf(out, CLI_PATH_ROOM, "%s%s", path, ending);
    errno = ENAMETOOLONG;
    return size >= 0 && (unsigned)size < CLI_PATH_ROOM;
}

const char *cli_kind_of_file(const struct stat *status) {
    return S_ISLNK(status->st_mode)    ? "a symbolic link"
           : S_ISDIR(status->st_mode)  ? "a folder"
           : S_ISFIFO(status->st_mode) ? "a pipe"
           : S_ISSOCK(status->st_mode) ? "a socket"
           : S_ISREG(status->st_mode)  ? "a file"
                                       : "a device";
}

bool cli_follow_links(char out[CLI_PATH_ROOM], const char *path) {
    char link[CLI_PATH_ROOM];
    if (!cli_add_ending(out, path, "")) {
        return false;
    }
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t size = readlink(out, link, sizeof link - 1);
        if (size < 0) {
            return errno == EINVAL || errno == ENOENT;
        }
        link[size] = '\0';
        size_t folder = bspi_os_is_absolute(link) ? 0 : (size_t)(cli_last_part(out) - out);
        if (folder + (size_t)size >= CLI_PATH_ROOM) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(out + folder, link, (size_t)size + 1);
    }
    errno = ELOOP;
    return false;
}

int cli_open_parent(const char *path) {
    char folder[CLI_PATH_ROOM];
    size_t size = (size_t)(cli_last_part(path) - path);
    if (size >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, size);
    folder[size] = '\0';
    return open(size == 0 ? "." : folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

FILE *cli_open_stream(const char *path) {
    struct stat status;
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    FILE *stream = NULL;
    if (fd >= 0 && fstat(fd, &status) == 0) {
        errno = EEXIST; // it did not exist before
        stream = S_ISREG(status.st_mode) ? NULL : fdopen(fd, "wb");
    }
    if (stream == NULL) {
        cli_message_system(path, errno);
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    return stream;
}

bool cli_make_folder_at(int folder, const char *name) {
    struct stat status;
    return mkdirat(folder, name, 0777) == 0 ||
           (errno == EEXIST && fstatat(folder, name, &status, 0) == 0 &&
            (S_ISDIR(status.st_mode) || (errno = ENOTDIR) == 0));
}

// Closes `folder`, and opens one of its folders. Links are not followed.
static int enter(int folder, const char *name, const char *path) {
    struct stat status;
    (void)mkdirat(folder, name, 0777);
    int cause = errno;
    int inner = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) {
        bool there = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
        bool folder_there = there && S_ISDIR(status.st_mode);
        cli_message(path, "%s%s",
                    !there || folder_there ? cli_reason(there ? errno : cause)
                                           : cli_kind_of_file(&status),
                    !there || folder_there ? "" : " stands there, and not a folder");
    }
    (void)close(folder);
    return inner;
}

int cli_open_folder_of(int folder, const char *path, size_t *name) {
    char part[CLI_PATH_ROOM];
    int inner = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    if (inner < 0) {
        cli_message_system(path, errno);
    }
    for (const char *slash; inner >= 0 && (slash = strchr(path + *name, '/')) != NULL;) {
        size_t end = (size_t)(slash - path);
        if (end >= sizeof part) {
            cli_message(path, "the path is too long");
            (void)close(inner);
            return -1;
        }
        memcpy(part, path, end);
        part[end] = '\0';
        inner = enter(inner, part + *name, part);
        *name = end + 1;
    }
    return inner;
}
