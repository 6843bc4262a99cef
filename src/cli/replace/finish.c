// SPDX-License-Identifier: MIT
// The end of a replacement: the file gets rights and name of the one that it replaces, whose
// content may stay as a backup.
#define _POSIX_C_SOURCE 200809L // calls that take a folder

#include "core/os_calls.h"

#include "cli/parts/message.h"
#include "cli/replace/backup.h"
#include "cli/replace/rights.h"
#include "cli/replace/temporary.h"

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
    if (!cli_rights_take(r->folder, cli_replace_name(r), r->fd)) {
        return cli_replace_fail(r);
    }
    if (!cli_replace_check(r)) {
        cli_replace_abandon(r);
        return false;
    }
    if (backup != CLI_BACKUP_NONE && !cli_backup_make(r, backup, old)) {
        return false;
    }
    unsigned others = cli_backup_links(r);
    if (!cli_temporary_name(r)) {
        return cli_replace_fail(r);
    }
    tell_of_links(r, others);
    flush_folder(r);
    cli_replace_abandon(r);
    return true;
}
