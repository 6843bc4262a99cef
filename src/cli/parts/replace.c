// SPDX-License-Identifier: MIT
// Writes files: a temporary file in the same folder, flushed to disk, and renamed. Its writer holds
// a lock on it, so that a file without a lock is known to be left over from a killed run. Folders
// stay open while names in them are used, so that a path that changes in the meantime leads nowhere
// else.
#define _GNU_SOURCE // O_PATH, sync_file_range, extended attributes, where they exist

#include "cli/parts/replace.h"

#include "core/os_calls.h"

#include "cli/parts/inputs.h"
#include "cli/parts/interrupt.h"
#include "cli/parts/budget.h"
#include "cli/parts/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define MOST_AT_ONCE ((size_t)1 << 30) // some systems write less than 2 GiB at a time
#define FLUSH_STEP ((uint64_t)8 << 20)
#define MOST_LINKS 40
#define MOST_TRIALS 100
#define LONGEST_NAME 255u
#define MARK ".bspkit-"
#define DIGITS 8u
#define SUFFIX_SIZE (sizeof MARK - 1 + DIGITS)

// Reports what went wrong, and undoes it.
static bool fail_with(cli_replacement *r, const char *what) {
    cli_replace_abandon(r);
    cli_message(r->path, "%s", what);
    return false;
}

static bool fail(cli_replacement *r) {
    return fail_with(r, cli_reason(errno));
}

static bool join(char out[CLI_PATH_ROOM], const char *path, const char *suffix) {
    int size = snprintf(out, CLI_PATH_ROOM, "%s%s", path, suffix);
    errno = ENAMETOOLONG;
    return size >= 0 && (unsigned)size < CLI_PATH_ROOM;
}

static const char *name_of(const cli_replacement *r) {
    return r->target + r->name;
}

static const char *temporary_of(const cli_replacement *r) {
    return r->temporary + r->name;
}

static size_t last_part(const char *path) {
    return (size_t)(cli_last_part(path) - path);
}

static const char *kind_of_file(const struct stat *status) {
    return S_ISLNK(status->st_mode)    ? "a symbolic link"
           : S_ISDIR(status->st_mode)  ? "a folder"
           : S_ISFIFO(status->st_mode) ? "a pipe"
           : S_ISSOCK(status->st_mode) ? "a socket"
           : S_ISREG(status->st_mode)  ? "a file"
                                       : "a device";
}

// --- the temporary file -------------------------------------------------------------------------

// Makes the name NAME.bspkit-0123abcd; of a name that is too long for that only the beginning is
// used.
static bool name_temporary(cli_replacement *r, unsigned number) {
    size_t size = strlen(name_of(r));
    size_t kept = size + SUFFIX_SIZE <= LONGEST_NAME ? size : LONGEST_NAME - SUFFIX_SIZE;
    int length = snprintf(r->temporary, sizeof r->temporary, "%.*s%.*s" MARK "%08x", (int)r->name,
                          r->target, (int)kept, name_of(r), number);
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

static bool make_temporary(cli_replacement *r) {
    for (int i = 0; i < MOST_TRIALS; i++) {
        if (!name_temporary(r, random_number())) {
            break;
        }
        r->fd = openat(r->folder, temporary_of(r),
                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (r->fd >= 0 && lock_temporary(r->fd)) {
            cli_interrupt_watch(r->folder, temporary_of(r));
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

static void remove_temporary(cli_replacement *r) {
    if (r->temporary[0] != '\0') {
        (void)unlinkat(r->folder, temporary_of(r), 0);
        cli_interrupt_forget(temporary_of(r));
        r->temporary[0] = '\0';
    }
}

// --- left-over files -----------------------------------------------------------------------------

static bool is_temporary_of(const char *name, const char *target) {
    size_t size = strlen(name);
    size_t kept = strlen(target);
    kept = kept + SUFFIX_SIZE <= LONGEST_NAME ? kept : LONGEST_NAME - SUFFIX_SIZE;
    return size == kept + SUFFIX_SIZE && memcmp(name, target, kept) == 0 &&
           memcmp(name + kept, MARK, sizeof MARK - 1) == 0 &&
           strspn(name + size - DIGITS, "0123456789abcdef") == DIGITS;
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

// Returns true for the name of a temporary file of any target.
static bool is_temporary(const char *name) {
    size_t size = strlen(name);
    return size > SUFFIX_SIZE && memcmp(name + size - SUFFIX_SIZE, MARK, sizeof MARK - 1) == 0 &&
           strspn(name + size - DIGITS, "0123456789abcdef") == DIGITS;
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

static void remove_all_left(const cli_replacement *r) {
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
    (void)join(backup, name_of(r), ".bak");
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        any = any || is_temporary(entry->d_name);
        if (is_temporary_of(entry->d_name, name_of(r)) || is_temporary_of(entry->d_name, backup)) {
            remove_left(r, entry->d_name);
        }
    }
    (void)closedir(list);
    if (!any) {
        note_clean(r->folder);
    }
}

// --- beginning ----------------------------------------------------------------------------------

bool cli_follow_links(char out[CLI_PATH_ROOM], const char *path) {
    char link[CLI_PATH_ROOM];
    if (!join(out, path, "")) {
        return false;
    }
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t size = readlink(out, link, sizeof link - 1);
        if (size < 0) {
            return errno == EINVAL || errno == ENOENT;
        }
        link[size] = '\0';
        size_t folder = bspi_os_is_absolute(link) ? 0 : last_part(out);
        if (folder + (size_t)size >= CLI_PATH_ROOM) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(out + folder, link, (size_t)size + 1);
    }
    errno = ELOOP;
    return false;
}

static bool open_folder(cli_replacement *r) {
    char folder[CLI_PATH_ROOM];
    memcpy(folder, r->target, r->name);
    folder[r->name] = '\0';
    r->folder = open(r->name == 0 ? "." : folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return r->folder >= 0;
}

// Checks that the target may be replaced: it does not exist, is not read, or is unchanged.
static bool check_target(const cli_replacement *r) {
    struct stat status;
    if (fstatat(r->folder, name_of(r), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT && r->original == NULL) {
            return true;
        }
        cli_message_system(r->path, errno);
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        cli_message(r->path, "%s stands there: nothing is written in its place",
                    kind_of_file(&status));
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
        return fail(r);
    }
    if (!check_target(r)) {
        cli_replace_abandon(r);
        return false;
    }
    return make_temporary(r) || fail(r);
}

bool cli_replace_begin(cli_replacement *r, const char *path, const cli_original *original) {
    *r = (cli_replacement){.path = path, .folder = -1, .fd = -1, .original = original};
    if (!cli_follow_links(r->target, path)) {
        return fail(r);
    }
    r->name = last_part(r->target);
    if (!open_folder(r)) {
        return fail(r);
    }
    remove_all_left(r);
    return begin(r);
}

bool cli_replace_begin_in(cli_replacement *r, int folder, const char *path, size_t name) {
    *r = (cli_replacement){.path = path, .name = name, .folder = -1, .fd = -1};
    if (!join(r->target, path, "")) {
        return fail(r);
    }
    r->folder = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    return r->folder >= 0 ? begin(r) : fail(r);
}

// --- writing ------------------------------------------------------------------------------------

FILE *cli_replace_stream(cli_replacement *r) {
    r->stream = fdopen(r->fd, "wb");
    if (r->stream == NULL) {
        (void)fail(r);
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
    // A plan with a budget counts its own output.
    if (bsp_plan_budget(plan) == NULL && !cli_count_output(bsp_plan_size(plan), 0)) {
        r->cause = errno;
        return fail(r);
    }
    if (bsp_plan_write(plan, write_piece, r, &error)) {
        return true;
    }
    errno = r->cause;
    return r->cause != 0 ? fail(r) : fail_with(r, error.message);
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
    return ((r->stream == NULL || fflush(r->stream) == 0) && flush(r)) || fail(r);
}

void cli_replace_date(const cli_replacement *r, const struct timespec *date) {
    const struct timespec dates[2] = {*date, *date};
    (void)futimens(r->fd, dates);
}

// --- rights -------------------------------------------------------------------------------------

// Copies extended attributes, which include access control lists. One that this file system or this
// user may not set is left out.
static void copy_attributes(int from, int to) {
#ifdef __linux__
    char names[4096];
    char value[4096];
    ssize_t size = flistxattr(from, names, sizeof names);
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t length = fgetxattr(from, names + at, value, sizeof value);
        if (length >= 0) {
            (void)fsetxattr(to, names + at, value, (size_t)length, 0);
        }
    }
#else
    (void)from;
    (void)to;
#endif
}

// Copies owner and group where that is allowed; else the file is ours, and its rights are reduced:
// the new group gets no rights of the old one, and the file no set-user-ID.
static bool copy_rights(int to, const struct stat *old, bool *same_group) {
    bool same = fchown(to, old->st_uid, old->st_gid) == 0;
    *same_group = same || fchown(to, (uid_t)-1, old->st_gid) == 0;
    mode_t mode = old->st_mode & (same ? 07777 : 0777);
    if (!*same_group) {
        mode &= 0707 | (mode & 0007) << 3;
    }
    return fchmod(to, mode) == 0;
}

// Takes the rights of the replaced file; without one, those of any new file.
static bool take_rights(const cli_replacement *r, int to, const char *from) {
    struct stat old;
    if (fstatat(r->folder, from, &old, AT_SYMLINK_NOFOLLOW) != 0) {
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(to, 0666 & ~mask) == 0;
    }
    bool same_group;
    if (!copy_rights(to, &old, &same_group)) {
        return false;
    }
    int fd =
        same_group ? openat(r->folder, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd >= 0) {
        copy_attributes(fd, to);
        (void)close(fd);
    }
    return true;
}

// --- the old file -------------------------------------------------------------------------------

// Writes a file NAME.bak with the content and attributes of the old one.
static bool write_backup(const cli_replacement *r, const char *path, bsp_bytes old) {
    cli_replacement b;
    struct timespec date = r->original->status.st_mtim;
    if (!cli_replace_begin_in(&b, r->folder, path, r->name)) {
        return false;
    }
    bool done =
        write_piece(&b, (const char *)old.data, old.size) && take_rights(r, b.fd, name_of(r));
    cli_replace_date(&b, &date);
    done = done && flush(&b) && renameat(b.folder, temporary_of(&b), b.folder, name_of(&b)) == 0;
    if (!done) {
        return fail(&b);
    }
    cli_interrupt_forget(temporary_of(&b));
    b.temporary[0] = '\0';
    cli_replace_abandon(&b);
    return true;
}

static bool knows_no_links(int cause) {
    return cause == EPERM || cause == EOPNOTSUPP || cause == ENOSYS || cause == EMLINK ||
           cause == EXDEV;
}

// Gives the old file a second name, so that it has a name at any time.
static bool link_backup(cli_replacement *r, const char *path, bool *linked) {
    cli_replacement b; // a free name, for the second link
    *linked = false;
    if (!cli_replace_begin_in(&b, r->folder, path, r->name)) {
        return false;
    }
    bool done = unlinkat(b.folder, temporary_of(&b), 0) == 0;
    if (done && linkat(r->folder, name_of(r), b.folder, temporary_of(&b), 0) == 0) {
        *linked = true;
        done = renameat(b.folder, temporary_of(&b), b.folder, name_of(&b)) == 0;
    } else if (done && !knows_no_links(errno)) {
        done = false;
    }
    if (!done) {
        return fail(&b);
    }
    // If both names were the same file already, renaming did nothing and one name is left over.
    cli_replace_abandon(&b);
    return true;
}

// Returns false after a message, with everything undone.
static bool keep_old(cli_replacement *r, cli_backup backup, bsp_bytes old) {
    char path[CLI_PATH_ROOM];
    struct stat status;
    if (!join(path, r->target, ".bak")) {
        return fail(r);
    }
    bool there = fstatat(r->folder, path + r->name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    const struct stat *own = &r->original->status;
    bool same = there && status.st_dev == own->st_dev && status.st_ino == own->st_ino;
    bool done = same || (there && backup == CLI_BACKUP_FIRST);
    if (!done && !there) {
        done = linkat(r->folder, name_of(r), r->folder, path + r->name, 0) == 0;
        if (!done && !knows_no_links(errno)) {
            return fail(r);
        }
    } else if (!done && !link_backup(r, path, &done)) {
        cli_replace_abandon(r);
        return false;
    }
    if (!done && !write_backup(r, path, old)) {
        cli_replace_abandon(r);
        return false;
    }
    return true;
}

// Returns how many other names than its own and its backup's the file has that is to be replaced.
// Asked before that, since a file that is open may keep the name that it loses until it is closed.
static unsigned count_links(const cli_replacement *r) {
    char path[CLI_PATH_ROOM];
    struct stat status;
    struct stat backup;
    if (r->original == NULL || fstat(r->original->fd, &status) != 0 ||
        !join(path, r->target, ".bak")) {
        return 0;
    }
    bool own = fstatat(r->folder, path + r->name, &backup, AT_SYMLINK_NOFOLLOW) == 0 &&
               backup.st_ino == status.st_ino && backup.st_dev == status.st_dev;
    unsigned known = own ? 2 : 1;
    return status.st_nlink > known ? (unsigned)status.st_nlink - known : 0;
}

// Reports that other names of the replaced file still refer to the old one.
static void tell_of_links(const cli_replacement *r, unsigned others) {
    if (others != 0) {
        cli_message(r->path, "%u other name%s (hard links) of the old file keep%s its content",
                    others, others == 1 ? "" : "s", others == 1 ? "s" : "");
    }
}

// The folder whose new names are not on disk yet, open; -1: none.
static int unflushed = -1;

void cli_replace_flush_names(void) {
    if (unflushed >= 0) {
        (void)fsync(unflushed);
        (void)close(unflushed);
        unflushed = -1;
    }
}

static bool same_folder(int a, int b) {
    struct stat of_a;
    struct stat of_b;
    return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

// Flushes the new name to disk: that of an edited file now, those of outputs once for all of a
// folder, when the next folder follows or the command ends. The file is in its place, so a failure
// has no consequence.
static void flush_folder(const cli_replacement *r) {
    if (unflushed >= 0 && r->original == NULL && same_folder(unflushed, r->folder)) {
        return;
    }
    cli_replace_flush_names();
    unflushed = openat(r->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r->original != NULL) {
        cli_replace_flush_names();
    }
}

bool cli_replace_finish(cli_replacement *r, cli_backup backup, bsp_bytes old) {
    if (!take_rights(r, r->fd, name_of(r))) {
        return fail(r);
    }
    if (!check_target(r)) {
        cli_replace_abandon(r);
        return false;
    }
    if (backup != CLI_BACKUP_NONE && !keep_old(r, backup, old)) {
        return false;
    }
    unsigned others = count_links(r);
    if (renameat(r->folder, temporary_of(r), r->folder, name_of(r)) != 0) {
        return fail(r);
    }
    cli_interrupt_forget(temporary_of(r));
    r->temporary[0] = '\0';
    tell_of_links(r, others);
    flush_folder(r);
    cli_replace_abandon(r);
    return true;
}

void cli_replace_abandon(cli_replacement *r) {
    int cause = errno;
    remove_temporary(r);
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

// --- folders and streams -------------------------------------------------------------------------

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
                                           : kind_of_file(&status),
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
