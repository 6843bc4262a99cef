// SPDX-License-Identifier: MIT
// The calls of the operating system. This header is the only one that includes the system's own
// (tests/house/system.py); POSIX is the interface, so on a POSIX system it is nothing else. Windows
// has these calls in os_windows.c, with paths in UTF-8. Files that need calls beyond POSIX define
// _GNU_SOURCE or the like before they include anything.
#ifndef BSPI_OS_CALLS_H
#define BSPI_OS_CALLS_H

#include <errno.h>
#include <stdbool.h>
#include <time.h>

#ifdef _WIN32
#include "core/os_windows.h"
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/xattr.h>
#endif

/// Whether a file cannot be replaced while it is mapped.
#define BSPI_OS_MAPPED_FILES_STAY false

/// Prepares standard streams, terminal and arguments. POSIX needs nothing.
static inline void bspi_os_begin(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
}

/// Waits for a key where the window would close with the program. POSIX has no such window.
static inline void bspi_os_hold_window(void) {
}

/// Writes '/' for each other separator of folders in a path. POSIX has none.
static inline void bspi_os_use_slashes(char *path) {
    (void)path;
}

/// Returns the errno of a write to a stream that has just failed.
static inline int bspi_os_stream_errno(void) {
    return errno;
}

/// Returns true if the path does not depend on the current folder.
static inline int bspi_os_is_absolute(const char *path) {
    return path[0] == '/';
}
#endif

#endif
