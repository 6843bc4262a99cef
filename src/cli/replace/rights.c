// SPDX-License-Identifier: MIT
// Rights of a file: its mode, owner, group and extended attributes.
#define _GNU_SOURCE // extended attributes, where they exist

#include "cli/replace/rights.h"

#include "core/os_calls.h"

#include <string.h>

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

bool cli_rights_take(int folder, const char *from, int to) {
    struct stat old;
    if (fstatat(folder, from, &old, AT_SYMLINK_NOFOLLOW) != 0) {
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(to, 0666 & ~mask) == 0;
    }
    bool same_group;
    if (!copy_rights(to, &old, &same_group)) {
        return false;
    }
    int fd = same_group ? openat(folder, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd >= 0) {
        copy_attributes(fd, to);
        (void)close(fd);
    }
    return true;
}
