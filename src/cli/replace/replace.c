// SPDX-License-Identifier: MIT
// Writes files: a temporary file in the same folder, flushed to disk, and renamed. Folders stay
// open while names in them are used, so that a path that changes in the meantime leads nowhere
// else.
#define _GNU_SOURCE // sync_file_range, where it exists

#include "cli/replace/replace.h"

#include "core/os_calls.h"

#include "cli/parts/inputs.h"
#include "cli/parts/budget.h"
#include "cli/parts/output.h"
#include "cli/replace/place.h"
#include "cli/replace/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AT_ONCE ((size_t)1 << 30) // some systems write less than 2 GiB at a time
#define FLUSH_STEP ((uint64_t)8 << 20)

// Reports what went wrong, and undoes it.
static bool fail_with(cli_replacement *r, const char *what) {
    cli_replace_abandon(r);
    cli_message(r->path, "%s", what);
    return false;
}

bool cli_replace_fail(cli_replacement *r) {
    return fail_with(r, cli_reason(errno));
}

// --- beginning ----------------------------------------------------------------------------------

bool cli_replace_check(const cli_replacement *r) {
    struct stat status;
    if (fstatat(r->folder, cli_replace_name(r), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT && r->original == NULL) {
            return true;
        }
        cli_message_system(r->path, errno);
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        cli_message(r->path, "%s stands there: nothing is written in its place",
                    cli_kind_of_file(&status));
        return false;
    }
    if (r->original == NULL) {
        return cli_may_write_over(r->path, &status);
    }
    if (!cli_original_is_same(r->original, &status)) {
        cli_message(r->path, "another program has changed it since it was read: nothing was "
                             "written");
        return false;
    }
    return true;
}

static bool begin(cli_replacement *r) {
    if (!cli_count_output(0, 1)) {
        return cli_replace_fail(r);
    }
    if (!cli_replace_check(r)) {
        cli_replace_abandon(r);
        return false;
    }
    return cli_temporary_make(r) || cli_replace_fail(r);
}

bool cli_replace_begin(cli_replacement *r, const char *path, const cli_original *original) {
    *r = (cli_replacement){.path = path, .folder = -1, .fd = -1, .original = original};
    if (!cli_follow_links(r->target, path)) {
        return cli_replace_fail(r);
    }
    r->name = (size_t)(cli_last_part(r->target) - r->target);
    r->folder = cli_open_parent(r->target);
    if (r->folder < 0) {
        return cli_replace_fail(r);
    }
    cli_temporary_remove_left(r);
    return begin(r);
}

bool cli_replace_begin_in(cli_replacement *r, int folder, const char *path, size_t name) {
    *r = (cli_replacement){.path = path, .name = name, .folder = -1, .fd = -1};
    if (!cli_add_ending(r->target, path, "")) {
        return cli_replace_fail(r);
    }
    r->folder = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    return r->folder >= 0 ? begin(r) : cli_replace_fail(r);
}

// --- writing ------------------------------------------------------------------------------------

FILE *cli_replace_stream(cli_replacement *r) {
    r->stream = fdopen(r->fd, "wb");
    if (r->stream == NULL) {
        (void)cli_replace_fail(r);
        return NULL;
    }
    r->buffer = malloc(CLI_STREAM_BUFFER);
    if (r->buffer != NULL) {
        (void)setvbuf(r->stream, r->buffer, _IOFBF, CLI_STREAM_BUFFER);
    }
    return r->stream;
}

static bool write_all(int fd, bsp_bytes bytes) {
    while (bytes.size != 0) {
        ssize_t done = write(fd, bytes.data, bytes.size < MOST_AT_ONCE ? bytes.size : MOST_AT_ONCE);
        if (done > 0) {
            bytes.data += done;
            bytes.size -= (size_t)done;
        } else if (done == 0 || errno != EINTR) {
            errno = done == 0 ? ENOSPC : errno;
            return false;
        }
    }
    return true;
}

// Starts writing to disk early, so that the final flush is short. It may fail without consequence.
static void begin_flush(cli_replacement *r) {
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(r->fd, (off_t)r->begun, (off_t)(r->written - r->begun),
                          SYNC_FILE_RANGE_WRITE);
#endif
    r->begun = r->written;
}

bool cli_replace_put(cli_replacement *r, bsp_bytes bytes) {
    if (!write_all(r->fd, bytes)) {
        r->cause = errno;
        return false;
    }
    r->written += bytes.size;
    if (r->written - r->begun >= FLUSH_STEP) {
        begin_flush(r);
    }
    return true;
}

static bool write_piece(void *user, const char *data, size_t size) {
    return cli_replace_put(user, (bsp_bytes){(const uint8_t *)data, size});
}

bool cli_replace_write(cli_replacement *r, const bsp_plan *plan) {
    bsp_error error;
    // A plan with a budget counts its own output.
    if (bsp_plan_budget(plan) == NULL && !cli_count_output(bsp_plan_size(plan), 0)) {
        r->cause = errno;
        return cli_replace_fail(r);
    }
    if (bsp_plan_write(plan, write_piece, r, &error)) {
        return true;
    }
    errno = r->cause;
    return r->cause != 0 ? cli_replace_fail(r) : fail_with(r, error.message);
}

// Some file systems report a full disk only on closing. The lock stays.
static bool flush(const cli_replacement *r) {
    if (fsync(r->fd) != 0) {
        return false;
    }
    int other = fcntl(r->fd, F_DUPFD_CLOEXEC, 0);
    return other < 0 || close(other) == 0;
}

bool cli_replace_flush(cli_replacement *r) {
    return ((r->stream == NULL || fflush(r->stream) == 0) && flush(r)) || cli_replace_fail(r);
}

void cli_replace_date(const cli_replacement *r, const struct timespec *date) {
    const struct timespec dates[2] = {*date, *date};
    (void)futimens(r->fd, dates);
}

void cli_replace_abandon(cli_replacement *r) {
    int cause = errno;
    cli_temporary_remove(r);
    if (r->stream != NULL) {
        (void)fclose(r->stream);
    } else if (r->fd >= 0) {
        (void)close(r->fd);
    }
    if (r->folder >= 0) {
        (void)close(r->folder);
    }
    free(r->buffer);
    r->buffer = NULL;
    r->stream = NULL;
    r->fd = -1;
    r->folder = -1;
    errno = cause;
}
