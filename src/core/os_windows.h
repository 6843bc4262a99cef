// SPDX-License-Identifier: MIT
// The POSIX calls that bspkit makes, for Windows. A name of POSIX stands for a function of
// os_windows.c or os_windows_process.c, which does what POSIX says as far as bspkit depends on it,
// and sets errno. Paths are UTF-8, with '/' or '\\', of any length. Descriptors are those of the C
// runtime; a folder has one, too. Nothing here opens a file without sharing: other programs may
// read, write, rename and delete.
#ifndef BSPI_OS_WINDOWS_H
#define BSPI_OS_WINDOWS_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h> // also nanosleep and clock_gettime
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// --- types ---------------------------------------------------------------------------------------

/// What POSIX calls struct stat. The number of a file is what the file system knows it by, which
/// the C runtime's own structure does not have.
struct bspi_os_stat {
    uint32_t st_dev;
    uint64_t st_ino;
    unsigned short st_mode;
    uint32_t st_nlink;
    int st_uid;
    int st_gid;
    int64_t st_size;
    struct timespec st_mtim;
};

typedef struct bspi_os_folder bspi_os_folder;
struct bspi_os_entry {
    char d_name[256 * 3 + 1]; ///< UTF-8
};

#undef stat
#undef fstat
#undef lstat
#define dev_t uint32_t
#define ino_t uint64_t
#define uid_t int
#define gid_t int
#define off_t int64_t
#define DIR bspi_os_folder
#define dirent bspi_os_entry
#define stat bspi_os_stat

// --- constants ----------------------------------------------------------------------------------

enum {
    AT_FDCWD = -100,
    AT_SYMLINK_NOFOLLOW = 1,
    LOCK_EX = 2,
    LOCK_NB = 4,
    PROT_READ = 1,
    MAP_PRIVATE = 2,
    MADV_DONTNEED = 4,
    F_DUPFD_CLOEXEC = 1,
    _SC_NPROCESSORS_ONLN = 1,
    // Beyond the flags of the C runtime.
    O_CLOEXEC = 0,
    O_NONBLOCK = 0,
    O_NOCTTY = 0,
    O_NOFOLLOW = 0x1000000,
    O_DIRECTORY = 0x2000000,
    O_PATH = 0x4000000,
};
#define MAP_FAILED ((void *)-1)
#ifndef EDQUOT
#define EDQUOT 10069
#endif

// No mode of the C runtime; it has the bits of these kinds free.
#define BSPI_OS_IFLNK 0xA000
#define BSPI_OS_IFSOCK 0xC000
#undef S_ISLNK
#undef S_ISSOCK
#define S_ISLNK(mode) (((mode)&0xF000) == BSPI_OS_IFLNK)
#define S_ISSOCK(mode) (((mode)&0xF000) == BSPI_OS_IFSOCK)

// --- calls ---------------------------------------------------------------------------------------

int bspi_os_open_at(int folder, const char *path, int flags);
int bspi_os_stat_at(int folder, const char *path, struct stat *out, int flags);
int bspi_os_stat_fd(int fd, struct stat *out);
int bspi_os_make_folder_at(int folder, const char *path);
int bspi_os_remove_at(int folder, const char *path);
int bspi_os_rename_at(int from_folder, const char *from, int to_folder, const char *to);
int bspi_os_link_at(int from_folder, const char *from, int to_folder, const char *to);
ptrdiff_t bspi_os_read_link(const char *path, char *out, size_t room);
ptrdiff_t bspi_os_read(int fd, void *out, size_t size);
ptrdiff_t bspi_os_write(int fd, const void *bytes, size_t size);
ptrdiff_t bspi_os_read_at(int fd, void *out, size_t size, int64_t at);
int bspi_os_flush(int fd);
int bspi_os_duplicate(int fd);
int bspi_os_set_dates(int fd, const struct timespec dates[2]);
int bspi_os_lock(int fd);
int bspi_os_is_terminal(int fd);
bspi_os_folder *bspi_os_list(int fd, const char *path);
struct dirent *bspi_os_next(bspi_os_folder *folder);
int bspi_os_end_list(bspi_os_folder *folder);
int bspi_os_folder_fd(const bspi_os_folder *folder);
void *bspi_os_map(int fd, size_t size);
int bspi_os_unmap(void *mapping);
long bspi_os_processors(void);
FILE *bspi_os_open_stream(const char *path, const char *mode);
/// Returns a new text in UTF-8, for free(); NULL without memory.
char *bspi_os_to_utf8(const wchar_t *text);

#define open(path, ...) bspi_os_open_at(AT_FDCWD, path, BSPI_OS_FIRST(__VA_ARGS__, 0))
#define openat(folder, path, ...) bspi_os_open_at(folder, path, BSPI_OS_FIRST(__VA_ARGS__, 0))
#define BSPI_OS_FIRST(first, ...) (first)
#define fstatat(folder, path, out, flags) bspi_os_stat_at(folder, path, out, flags)
#define bspi_os_stat(path, out) bspi_os_stat_at(AT_FDCWD, path, out, 0)
#define lstat(path, out) bspi_os_stat_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW)
#define fstat(fd, out) bspi_os_stat_fd(fd, out)
#define mkdirat(folder, path, mode) bspi_os_make_folder_at(folder, path)
#define unlinkat(folder, path, flags) bspi_os_remove_at(folder, path)
#define renameat(a, from, b, to) bspi_os_rename_at(a, from, b, to)
#define linkat(a, from, b, to, flags) bspi_os_link_at(a, from, b, to)
#define readlink(path, out, room) bspi_os_read_link(path, out, room)
#define read(fd, out, size) bspi_os_read(fd, out, size)
#define write(fd, bytes, size) bspi_os_write(fd, bytes, size)
#define pread(fd, out, size, at) bspi_os_read_at(fd, out, size, at)
#define fsync(fd) bspi_os_flush(fd)
#define fcntl(fd, what, least) bspi_os_duplicate(fd)
#define futimens(fd, dates) bspi_os_set_dates(fd, dates)
#define flock(fd, what) bspi_os_lock(fd)
#define isatty(fd) bspi_os_is_terminal(fd)
#define opendir(path) bspi_os_list(-1, path)
#define fdopendir(fd) bspi_os_list(fd, NULL)
#define readdir(folder) bspi_os_next(folder)
#define closedir(folder) bspi_os_end_list(folder)
#define dirfd(folder) bspi_os_folder_fd(folder)
#define mmap(at, size, access, kind, fd, offset) bspi_os_map(fd, size)
#define munmap(mapping, size) bspi_os_unmap(mapping)
#define madvise(at, size, what) ((void)(at), (void)(size), 0) // nothing of a mapping can be dropped
#define sysconf(what) bspi_os_processors()
#define fopen(path, mode) bspi_os_open_stream(path, mode)

// Rights and owners are those that the folder gives to its files.
#define fchmod(fd, mode) ((void)(fd), (void)(mode), 0)
#define fchown(fd, user, group) ((void)(fd), (void)(user), (void)(group), 0)
#define geteuid() 0
#define umask(mask) bspi_os_umask(mask)
static inline mode_t bspi_os_umask(mode_t mask) {
    return mask;
}

// --- the process ---------------------------------------------------------------------------------

/// Whether a file cannot be replaced while it is mapped.
#define BSPI_OS_MAPPED_FILES_STAY true

/// Makes the standard streams binary and the console UTF-8, with colours where it knows them, and
/// gives the arguments as UTF-8, with the names that stand for * and ? in them.
void bspi_os_begin(int *argc, char ***argv);
/// Waits for Enter if the console is that of this program alone, and closes with it: that of a
/// program on which files were dropped.
void bspi_os_hold_window(void);
int bspi_os_stream_errno(void);
void bspi_os_use_slashes(char *path);
int bspi_os_is_absolute(const char *path);

/// Calls `clean_up` when the user or the system ends the process.
void bspi_os_on_end(void (*clean_up)(void));
/// Calls `give_up`, which does not return, when bytes of a mapped file cannot be had.
void bspi_os_on_lost_page(void (*give_up)(void));

#endif
