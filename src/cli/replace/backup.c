// SPDX-License-Identifier: MIT
// The old file: NAME.bak is a second name of it, or a copy where the file system has no second
// names.
#define _POSIX_C_SOURCE 200809L // calls that take a folder

#include "cli/replace/backup.h"

#include "core/os_calls.h"

#include "cli/replace/place.h"
#include "cli/replace/rights.h"
#include "cli/replace/temporary.h"

#include <errno.h>

// Writes a file NAME.bak with the content and attributes of the old one.
static bool write_backup(const cli_replacement *r, const char *path, bsp_bytes old) {
    cli_replacement b;
    struct timespec date = r->original->status.st_mtim;
    if (!cli_replace_begin_in(&b, r->folder, path, r->name)) {
        return false;
    }
    if (!cli_replace_put(&b, old) || !cli_rights_take(r->folder, cli_replace_name(r), b.fd)) {
        return cli_replace_fail(&b);
    }
    cli_replace_date(&b, &date);
    if (!cli_replace_flush(&b)) {
        return false;
    }
    if (!cli_temporary_name(&b)) {
        return cli_replace_fail(&b);
    }
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
    bool done = unlinkat(b.folder, cli_replace_temporary(&b), 0) == 0;
    if (done &&
        linkat(r->folder, cli_replace_name(r), b.folder, cli_replace_temporary(&b), 0) == 0) {
        *linked = true;
        done = renameat(b.folder, cli_replace_temporary(&b), b.folder, cli_replace_name(&b)) == 0;
    } else if (done && !knows_no_links(errno)) {
        done = false;
    }
    if (!done) {
        return cli_replace_fail(&b);
    }
    // If both names were the same file already, renaming did nothing and one name is left over.
    cli_replace_abandon(&b);
    return true;
}

bool cli_backup_make(cli_replacement *r, cli_backup backup, bsp_bytes old) {
    char path[CLI_PATH_ROOM];
    struct stat status;
    if (!cli_add_ending(path, r->target, ".bak")) {
        return cli_replace_fail(r);
    }
    bool there = fstatat(r->folder, path + r->name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    const struct stat *own = &r->original->status;
    bool same = there && status.st_dev == own->st_dev && status.st_ino == own->st_ino;
    bool done = same || (there && backup == CLI_BACKUP_FIRST);
    if (!done && !there) {
        done = linkat(r->folder, cli_replace_name(r), r->folder, path + r->name, 0) == 0;
        if (!done && !knows_no_links(errno)) {
            return cli_replace_fail(r);
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

unsigned cli_backup_links(const cli_replacement *r) {
    char path[CLI_PATH_ROOM];
    struct stat status;
    struct stat backup;
    if (r->original == NULL || fstat(r->original->fd, &status) != 0 ||
        !cli_add_ending(path, r->target, ".bak")) {
        return 0;
    }
    bool own = fstatat(r->folder, path + r->name, &backup, AT_SYMLINK_NOFOLLOW) == 0 &&
               backup.st_ino == status.st_ino && backup.st_dev == status.st_dev;
    unsigned known = own ? 2 : 1;
    return status.st_nlink > known ? (unsigned)status.st_nlink - known : 0;
}
