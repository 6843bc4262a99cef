// SPDX-License-Identifier: MIT
// flock on the file itself, so that no lock file can be left over. An edit gives the name to
// another file, so after waiting the name is compared with the locked file.
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE // flock

#include "cli/parts/original.h"

#include "core/os_calls.h"

#include "cli/parts/output.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define WAIT_STEP 10000000L // nanoseconds
#define MOST_STEPS 12000    // two minutes

typedef enum outcome { LOCKED, TAKEN, IMPOSSIBLE } outcome;

static outcome try_lock(int fd) {
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR) {
            return errno == EWOULDBLOCK ? TAKEN : IMPOSSIBLE;
        }
    }
    return LOCKED;
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Tries once. Sets *done when the result is final; then false means failure, with errno set.
static bool open_once(cli_original *original, const char *path, bool *done) {
    struct stat named;
    *done = true;
    original->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (original->fd < 0) {
        return false;
    }
    outcome lock = try_lock(original->fd);
    if (lock == TAKEN) {
        *done = false;
    } else if (fstat(original->fd, &original->status) != 0) {
        return false;
    } else if (lock == LOCKED && stat(path, &named) == 0 &&
               !is_same_file(&named, &original->status)) {
        *done = false;
    }
    if (!*done) {
        cli_original_close(original);
    }
    return true;
}

bool cli_original_open(cli_original *original, const char *path) {
    bool done = false;
    for (int step = 0; step < MOST_STEPS; step++) {
        if (!open_once(original, path, &done)) {
            int cause = errno;
            cli_original_close(original);
            cli_message_system(path, cause);
            return false;
        }
        if (done) {
            return true;
        }
        struct timespec pause = {.tv_nsec = WAIT_STEP};
        (void)nanosleep(&pause, NULL);
    }
    cli_message(path, "another bspkit is changing it: nothing was written");
    return false;
}

bool cli_original_is_same(const cli_original *original, const struct stat *now) {
    const struct stat *then = &original->status;
    return is_same_file(now, then) && now->st_size == then->st_size &&
           now->st_mtim.tv_sec == then->st_mtim.tv_sec &&
           now->st_mtim.tv_nsec == then->st_mtim.tv_nsec;
}

bool cli_original_holds(const cli_original *original, bsp_bytes bytes) {
    char piece[16384];
    if (original->status.st_size < 0 || (uint64_t)original->status.st_size != bytes.size) {
        return false;
    }
    for (size_t at = 0; at < bytes.size;) {
        ssize_t size = pread(original->fd, piece, sizeof piece, (off_t)at);
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size <= 0 || (size_t)size > bytes.size - at ||
            memcmp(piece, bytes.data + at, (size_t)size) != 0) {
            return false;
        }
        at += (size_t)size;
    }
    return true;
}

void cli_original_close(cli_original *original) {
    if (original->fd >= 0) {
        (void)close(original->fd);
        original->fd = -1;
    }
}
