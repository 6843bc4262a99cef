// SPDX-License-Identifier: MIT
// Temporary files: NAME.bspkit-0123abcd in the folder of NAME. Who writes one holds a lock on it,
// so that one without a lock is known to be left over from a killed run.
#define _GNU_SOURCE // flock

#include "cli/replace/temporary.h"

#include "core/os_calls.h"

#include "cli/parts/interrupt.h"
#include "cli/replace/place.h"

#include <errno.h>
#include <string.h>

#define MOST_TRIALS 100
#define LONGEST_NAME 255u
#define MARK ".bspkit-"
#define DIGITS 8u
#define SUFFIX_SIZE (sizeof MARK - 1 + DIGITS)

// Makes the name NAME.bspkit-0123abcd; of a name that is too long for that only the beginning is
// used.
static bool name_temporary(cli_replacement *r, unsigned number) {
    size_t size = strlen(cli_replace_name(r));
    size_t kept = size + SUFFIX_SIZE <= LONGEST_NAME ? size : LONGEST_NAME - SUFFIX_SIZE;
    int length = snprintf(r->temporary, sizeof r->temporary, "%.*s%.*s" MARK "%08x", (int)r->name,
                          r->target, (int)kept, cli_replace_name(r), number);
    errno = ENAMETOOLONG;
    return length >= 0 && (size_t)length < sizeof r->temporary;
}

// Not secret: a name that exists is not used.
static unsigned random_number(void) {
    static unsigned calls;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return ((unsigned)now.tv_nsec * 2654435761u) ^ ((unsigned)getpid() << 12) ^ (calls++ * 40503u);
}

// Locks the temporary file. Where the file system has no locks, it is never taken for one that was
// left over. Returns false if another run took it for one before it was locked, and removed it.
static bool lock_temporary(int fd) {
    struct stat status;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK;
    }
    return fstat(fd, &status) == 0 && status.st_nlink != 0;
}

// Makes a file of that name, and watches it from its first moment on.
static bool make_one(cli_replacement *r) {
    cli_interrupt_hold();
    r->fd = openat(r->folder, cli_replace_temporary(r),
                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int reason = errno;
    bool made = r->fd >= 0 && lock_temporary(r->fd);
    if (made) {
        cli_interrupt_watch(r->folder, cli_replace_temporary(r));
    }
    cli_interrupt_release();
    errno = reason;
    return made;
}

bool cli_temporary_make(cli_replacement *r) {
    for (int i = 0; i < MOST_TRIALS; i++) {
        if (!name_temporary(r, random_number())) {
            break;
        }
        if (make_one(r)) {
            return true;
        }
        if (r->fd >= 0) {
            (void)close(r->fd);
            r->fd = -1;
        } else if (errno != EEXIST) {
            break;
        }
    }
    r->temporary[0] = '\0';
    return false;
}

void cli_temporary_remove(cli_replacement *r) {
    if (r->temporary[0] != '\0') {
        (void)unlinkat(r->folder, cli_replace_temporary(r), 0);
        cli_interrupt_forget(cli_replace_temporary(r));
        r->temporary[0] = '\0';
    }
}

bool cli_temporary_name(cli_replacement *r) {
    if (renameat(r->folder, cli_replace_temporary(r), r->folder, cli_replace_name(r)) != 0) {
        return false;
    }
    cli_interrupt_forget(cli_replace_temporary(r));
    r->temporary[0] = '\0';
    return true;
}

// --- left-over files -----------------------------------------------------------------------------

// Returns true for the name of a temporary file of any target.
static bool is_temporary(const char *name) {
    size_t size = strlen(name);
    return size > SUFFIX_SIZE && memcmp(name + size - SUFFIX_SIZE, MARK, sizeof MARK - 1) == 0 &&
           strspn(name + size - DIGITS, "0123456789abcdef") == DIGITS;
}

// Returns true for one of `target`.
static bool is_temporary_of(const char *name, const char *target) {
    size_t size = strlen(target);
    size_t kept = size + SUFFIX_SIZE <= LONGEST_NAME ? size : LONGEST_NAME - SUFFIX_SIZE;
    return is_temporary(name) && strlen(name) == kept + SUFFIX_SIZE &&
           memcmp(name, target, kept) == 0;
}

// Removes a file that is ours and no longer written to; or a second name of the file that is
// edited, which this run has locked.
static void remove_left(const cli_replacement *r, const char *name) {
    int folder = r->folder;
    struct stat status;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        ((r->original != NULL && cli_original_is_same(r->original, &status)) ||
         flock(fd, LOCK_EX | LOCK_NB) == 0)) {
        (void)unlinkat(folder, name, 0);
    }
    (void)close(fd);
}

// The last folder that was seen to hold no temporary files. What another run leaves there while
// this one writes is removed by a later run; so a folder that gets many files is read once.
static struct {
    bool known;
    dev_t device;
    ino_t number;
} clean;

static bool is_clean(int folder) {
    struct stat status;
    return clean.known && fstat(folder, &status) == 0 && status.st_dev == clean.device &&
           status.st_ino == clean.number;
}

static void note_clean(int folder) {
    struct stat status;
    clean.known = fstat(folder, &status) == 0;
    clean.device = clean.known ? status.st_dev : 0;
    clean.number = clean.known ? status.st_ino : 0;
}

void cli_temporary_remove_left(const cli_replacement *r) {
    bool any = false;
    if (is_clean(r->folder)) {
        return;
    }
    int fd = openat(r->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    if (list == NULL) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return;
    }
    char backup[CLI_PATH_ROOM] = "";
    (void)cli_add_ending(backup, cli_replace_name(r), ".bak");
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        any = any || is_temporary(entry->d_name);
        if (is_temporary_of(entry->d_name, cli_replace_name(r)) ||
            is_temporary_of(entry->d_name, backup)) {
            remove_left(r, entry->d_name);
        }
    }
    (void)closedir(list);
    if (!any) {
        note_clean(r->folder);
    }
}
