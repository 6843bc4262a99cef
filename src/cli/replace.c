// SPDX-License-Identifier: MIT
// Replacing files: a temporary file in the same folder, flushed to the disk, and renamed. The old
// file is linked to its second name before that, so that at no time there is no file of the name.
#define _XOPEN_SOURCE 700 // mkstemp, realpath, fchmod, fchown
#define _GNU_SOURCE       // sync_file_range, where there is one

#include "cli/replace.h"

#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_AT_ONCE ((size_t)1 << 30) // some systems write less than 2 GiB at a time
#define FLUSH_STEP ((uint64_t)8 << 20)

// Says what went wrong, and undoes it.
static bool fail(cli_replacement *r) {
    int cause = errno;
    cli_replace_abandon(r);
    cli_message(r->path, "%s", strerror(cause));
    return false;
}

static bool join(char out[CLI_REPLACE_ROOM], const char *path, const char *suffix) {
    int size = snprintf(out, CLI_REPLACE_ROOM, "%s%s", path, suffix);
    errno = ENAMETOOLONG;
    return size >= 0 && (unsigned)size < CLI_REPLACE_ROOM;
}

// The file itself where `path` is a link to it: the link stays.
static bool resolve(cli_replacement *r) {
    char *real = realpath(r->path, NULL);
    if (real == NULL && errno != ENOENT) {
        return false;
    }
    bool fits = join(r->target, real == NULL ? r->path : real, "");
    free(real);
    return fits;
}

static int make_temporary(const char *target, char out[CLI_REPLACE_ROOM]) {
    if (!join(out, target, ".XXXXXX")) {
        out[0] = '\0';
        return -1;
    }
    int fd = mkstemp(out);
    if (fd < 0) {
        out[0] = '\0';
    } else {
        cli_interrupt_watch(out);
    }
    return fd;
}

static void remove_temporary(char name[CLI_REPLACE_ROOM]) {
    if (name[0] != '\0') {
        (void)unlink(name);
        cli_interrupt_forget(name);
        name[0] = '\0';
    }
}

// Readable by whom the old file was, or any new file would be; the owner changes where that is
// allowed, and else the file is ours.
static bool take_rights(const cli_replacement *r) {
    struct stat old;
    if (stat(r->target, &old) != 0) {
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(r->fd, 0666 & ~mask) == 0;
    }
    if (!S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    bool same = fchown(r->fd, old.st_uid, old.st_gid) == 0;
    return fchmod(r->fd, old.st_mode & (same ? 07777 : 0777)) == 0;
}

// Nothing takes the place of a file that is read but what became of it.
static bool may_replace(const cli_replacement *r) {
    struct stat status;
    return r->in_place || stat(r->target, &status) != 0 || cli_output_allowed(r->path, &status);
}

bool cli_replace_begin(cli_replacement *r, const char *path, bool in_place) {
    memset(r, 0, sizeof *r);
    r->path = path;
    r->in_place = in_place;
    r->fd = -1;
    if (!resolve(r)) {
        return fail(r);
    }
    if (!may_replace(r)) {
        return false;
    }
    r->fd = make_temporary(r->target, r->temporary);
    return (r->fd >= 0 && take_rights(r)) || fail(r);
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

// Lets the disk begin with what is written, so that there is little to wait for in the end. It may
// as well not.
static void begin_flush(cli_replacement *r) {
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(r->fd, (off_t)r->begun, (off_t)(r->written - r->begun),
                          SYNC_FILE_RANGE_WRITE);
#endif
    r->begun = r->written;
}

static bool write_piece(void *user, const char *data, size_t size) {
    cli_replacement *r = user;
    if (!write_all(r->fd, (bsp_bytes){(const uint8_t *)data, size})) {
        r->cause = errno;
        return false;
    }
    r->written += size;
    if (r->written - r->begun >= FLUSH_STEP) {
        begin_flush(r);
    }
    return true;
}

bool cli_replace_write(cli_replacement *r, const bsp_plan *plan) {
    bsp_error error;
    if (bsp_plan_write(plan, write_piece, r, &error)) {
        return true;
    }
    errno = r->cause;
    if (r->cause != 0) {
        return fail(r);
    }
    cli_replace_abandon(r);
    cli_message(r->path, "%s", error.message);
    return false;
}

// Some file systems report only here that the disk is full.
static bool flush(int *fd) {
    int own = *fd;
    *fd = -1;
    bool flushed = fsync(own) == 0;
    int cause = errno;
    bool closed = close(own) == 0;
    errno = flushed ? errno : cause;
    return flushed && closed;
}

bool cli_replace_flush(cli_replacement *r) {
    return flush(&r->fd) || fail(r);
}

// --- the old file -------------------------------------------------------------------------------

// A name that is free, without a file.
static bool free_name(const char *target, char out[CLI_REPLACE_ROOM]) {
    int fd = make_temporary(target, out);
    if (fd < 0) {
        return false;
    }
    (void)close(fd);
    return unlink(out) == 0;
}

static bool copy_old(char name[CLI_REPLACE_ROOM], bsp_bytes old) {
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) {
        return false;
    }
    if (!write_all(fd, old)) {
        int cause = errno;
        (void)close(fd);
        errno = cause;
        return false;
    }
    return flush(&fd);
}

// The old file under NAME.bak as well; a file of that name goes.
static bool keep_old(const cli_replacement *r, bsp_bytes old) {
    char backup[CLI_REPLACE_ROOM];
    char other[CLI_REPLACE_ROOM] = "";
    if (!join(backup, r->target, ".bak") || !free_name(r->target, other)) {
        return false;
    }
    bool there = link(r->target, other) == 0;
    if (!there && (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK)) {
        there = copy_old(other, old);
    }
    bool done = there && rename(other, backup) == 0;
    int cause = errno;
    // Where both names are links to one file already, rename does nothing and `other` stays.
    remove_temporary(other);
    errno = cause;
    return done;
}

// The new name reaches the disk too. The file is in its place: failing is of no consequence.
static void flush_folder(char *target) {
    char *slash = strrchr(target, '/');
    if (slash != NULL) {
        slash[slash == target ? 1 : 0] = '\0';
    }
    int fd = open(slash == NULL ? "." : target, O_RDONLY);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

bool cli_replace_finish(cli_replacement *r, bool keep, bsp_bytes old) {
    if (!may_replace(r)) {
        cli_replace_abandon(r);
        return false;
    }
    if ((keep && !keep_old(r, old)) || rename(r->temporary, r->target) != 0) {
        return fail(r);
    }
    cli_interrupt_forget(r->temporary);
    r->temporary[0] = '\0';
    flush_folder(r->target);
    return true;
}

void cli_replace_abandon(cli_replacement *r) {
    if (r->fd >= 0) {
        (void)close(r->fd);
        r->fd = -1;
    }
    remove_temporary(r->temporary);
}
