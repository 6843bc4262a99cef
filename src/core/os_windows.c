// SPDX-License-Identifier: MIT
// The operating system: Windows. What POSIX calls do (os_windows.h), by the calls that take UTF-16
// and paths of any length. A folder's descriptor is asked for the folder's path each time, so that
// it follows the folder as with POSIX.
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0602

#include "core/os_windows.h"
#include "core/os_windows_path.h"

#include <errno.h>
#include <windows.h>

#undef stat
#define bspi_stat struct bspi_os_stat

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define MOST_AT_ONCE ((size_t)1 << 30)
#define TICKS_TO_1970 116444736000000000 // of 100 ns, since 1601
// A lock keeps others from the bytes that it covers, so it covers one that no file has.
#define LOCK_PLACE 0x7FFFFFFFu

// --- status -------------------------------------------------------------------------------------

static unsigned short kind_of(const BY_HANDLE_FILE_INFORMATION *info, bool link) {
    return link                                                       ? BSPI_OS_IFLNK | 0777
           : (info->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? S_IFDIR | 0777
                                                                      : S_IFREG | 0666;
}

static struct timespec to_timespec(FILETIME time) {
    int64_t ticks = ((int64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - TICKS_TO_1970;
    return (struct timespec){.tv_sec = ticks / 10000000, .tv_nsec = (long)(ticks % 10000000) * 100};
}

static bool is_link(HANDLE handle) {
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK ||
            tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

static int status_of(HANDLE handle, bspi_stat *out) {
    BY_HANDLE_FILE_INFORMATION info;
    memset(out, 0, sizeof *out);
    DWORD type = GetFileType(handle);
    if (type != FILE_TYPE_DISK) {
        if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR) {
            return bspi_windows_fail();
        }
        out->st_mode = type == FILE_TYPE_PIPE ? S_IFIFO | 0666 : S_IFCHR | 0666;
        out->st_nlink = 1;
        return 0;
    }
    if (!GetFileInformationByHandle(handle, &info)) {
        return bspi_windows_fail();
    }
    out->st_dev = info.dwVolumeSerialNumber;
    out->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    out->st_mode = kind_of(&info, is_link(handle));
    out->st_nlink = info.nNumberOfLinks;
    out->st_size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
    out->st_mtim = to_timespec(info.ftLastWriteTime);
    return 0;
}

int bspi_os_stat_fd(int fd, bspi_stat *out) {
    HANDLE handle = bspi_windows_handle(fd);
    return handle == INVALID_HANDLE_VALUE ? bspi_windows_fail_with(EBADF) : status_of(handle, out);
}

// Opens what stands at a path, or the link itself.
static HANDLE open_entry(const wchar_t *path, DWORD access, DWORD how, bool link) {
    return CreateFileW(path, access, SHARE_ALL, NULL, how,
                       FILE_FLAG_BACKUP_SEMANTICS | (link ? FILE_FLAG_OPEN_REPARSE_POINT : 0u),
                       NULL);
}

int bspi_os_stat_at(int folder, const char *path, bspi_stat *out, int flags) {
    wchar_t *name = bspi_windows_locate(folder, path);
    if (name == NULL) {
        return -1;
    }
    HANDLE handle =
        open_entry(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING, (flags & AT_SYMLINK_NOFOLLOW) != 0);
    free(name);
    if (handle == INVALID_HANDLE_VALUE) {
        return bspi_windows_fail();
    }
    int result = status_of(handle, out);
    (void)CloseHandle(handle);
    return result;
}

// --- opening ------------------------------------------------------------------------------------

static int refuse(HANDLE handle, int number) {
    (void)CloseHandle(handle);
    return bspi_windows_fail_with(number);
}

int bspi_os_open_at(int folder, const char *path, int flags) {
    bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
    DWORD access = writes ? GENERIC_WRITE | FILE_READ_ATTRIBUTES : GENERIC_READ;
    DWORD how = (flags & O_CREAT) == 0  ? OPEN_EXISTING
                : (flags & O_EXCL) != 0 ? CREATE_NEW
                                        : OPEN_ALWAYS;
    wchar_t *name = bspi_windows_locate(folder, path);
    if (name == NULL) {
        return -1;
    }
    access = (flags & O_RDWR) != 0                   ? GENERIC_READ | GENERIC_WRITE
             : (flags & (O_PATH | O_DIRECTORY)) != 0 ? FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES
                                                     : access;
    HANDLE handle = open_entry(name, access, how, (flags & O_NOFOLLOW) != 0);
    free(name);
    bspi_stat status;
    if (handle == INVALID_HANDLE_VALUE) {
        return bspi_windows_fail();
    }
    if (status_of(handle, &status) != 0) {
        return refuse(handle, errno);
    }
    if ((flags & O_NOFOLLOW) != 0 && S_ISLNK(status.st_mode)) {
        return refuse(handle, ELOOP);
    }
    if ((flags & O_DIRECTORY) != 0 && !S_ISDIR(status.st_mode)) {
        return refuse(handle, ENOTDIR);
    }
    if (writes && S_ISDIR(status.st_mode)) {
        return refuse(handle, EISDIR);
    }
    int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT | (writes ? 0 : _O_RDONLY));
    return fd >= 0 ? fd : refuse(handle, EMFILE);
}

FILE *bspi_os_open_stream(const char *path, const char *mode) {
    wchar_t how[8] = {0};
    for (size_t i = 0; mode[i] != '\0' && i < 7; i++) {
        how[i] = (wchar_t)mode[i];
    }
    wchar_t *name = bspi_windows_locate(AT_FDCWD, path);
    FILE *stream = name == NULL ? NULL : _wfopen(name, how);
    free(name);
    return stream;
}

int bspi_os_duplicate(int fd) {
    return _dup(fd);
}

// --- reading and writing ------------------------------------------------------------------------

ptrdiff_t bspi_os_read(int fd, void *out, size_t size) {
    return _read(fd, out, (unsigned)(size < MOST_AT_ONCE ? size : MOST_AT_ONCE));
}

ptrdiff_t bspi_os_write(int fd, const void *bytes, size_t size) {
    return _write(fd, bytes, (unsigned)(size < MOST_AT_ONCE ? size : MOST_AT_ONCE));
}

ptrdiff_t bspi_os_read_at(int fd, void *out, size_t size, int64_t at) {
    OVERLAPPED place = {.Offset = (DWORD)((uint64_t)at & 0xFFFFFFFFu),
                        .OffsetHigh = (DWORD)((uint64_t)at >> 32)};
    DWORD got = 0;
    DWORD piece = (DWORD)(size < MOST_AT_ONCE ? size : MOST_AT_ONCE);
    if (!ReadFile(bspi_windows_handle(fd), out, piece, &got, &place) &&
        GetLastError() != ERROR_HANDLE_EOF) {
        return bspi_windows_fail();
    }
    return (ptrdiff_t)got;
}

int bspi_os_flush(int fd) {
    return FlushFileBuffers(bspi_windows_handle(fd)) ? 0 : bspi_windows_fail();
}

int bspi_os_set_dates(int fd, const struct timespec dates[2]) {
    FILETIME times[2];
    for (int i = 0; i < 2; i++) {
        uint64_t ticks = (uint64_t)((int64_t)dates[i].tv_sec * 10000000 + dates[i].tv_nsec / 100 +
                                    TICKS_TO_1970);
        times[i] = (FILETIME){(DWORD)(ticks & 0xFFFFFFFFu), (DWORD)(ticks >> 32)};
    }
    return SetFileTime(bspi_windows_handle(fd), NULL, &times[0], &times[1]) ? 0
                                                                            : bspi_windows_fail();
}

int bspi_os_lock(int fd) {
    OVERLAPPED place = {.Offset = 0, .OffsetHigh = LOCK_PLACE};
    return LockFileEx(bspi_windows_handle(fd), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY,
                      0, 1, 0, &place)
               ? 0
               : bspi_windows_fail();
}

void *bspi_os_map(int fd, size_t size) {
    HANDLE map = CreateFileMappingW(bspi_windows_handle(fd), NULL, PAGE_READONLY, 0, 0, NULL);
    void *data = map == NULL ? NULL : MapViewOfFile(map, FILE_MAP_READ, 0, 0, size);
    if (data == NULL) {
        (void)bspi_windows_fail();
    }
    if (map != NULL) {
        (void)CloseHandle(map); // the view keeps it
    }
    return data == NULL ? MAP_FAILED : data;
}

int bspi_os_unmap(void *mapping) {
    return UnmapViewOfFile(mapping) ? 0 : bspi_windows_fail();
}

// --- links --------------------------------------------------------------------------------------

// Gives where the link finally leads to, which is one of the answers that may follow it.
static ptrdiff_t final_path(HANDLE handle, char *out, size_t room) {
    wchar_t *path = bspi_windows_path_of(handle, 0);
    if (path == NULL) {
        return -1;
    }
    bool drive = wcsncmp(path, L"\\\\?\\", 4) == 0 && path[5] == L':';
    char *text = bspi_os_to_utf8(drive ? path + 4 : path);
    free(path);
    size_t size = text == NULL ? 0 : strlen(text);
    if (text != NULL) {
        bspi_os_use_slashes(text);
        memcpy(out, text, size < room ? size : room);
    }
    free(text);
    return text == NULL ? bspi_windows_fail_with(ENOMEM) : (ptrdiff_t)(size < room ? size : room);
}

ptrdiff_t bspi_os_read_link(const char *path, char *out, size_t room) {
    wchar_t *name = bspi_windows_locate(AT_FDCWD, path);
    if (name == NULL) {
        return -1;
    }
    HANDLE itself = open_entry(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING, true);
    ptrdiff_t result =
        itself == INVALID_HANDLE_VALUE ? bspi_windows_fail() : bspi_windows_fail_with(EINVAL);
    if (itself != INVALID_HANDLE_VALUE && is_link(itself)) {
        HANDLE target = open_entry(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING, false);
        result =
            target == INVALID_HANDLE_VALUE ? bspi_windows_fail() : final_path(target, out, room);
        if (target != INVALID_HANDLE_VALUE) {
            (void)CloseHandle(target);
        }
    }
    if (itself != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(itself);
    }
    free(name);
    return result;
}

// --- folders ------------------------------------------------------------------------------------

struct bspi_os_folder {
    HANDLE list;
    int fd;
    bool first;
    WIN32_FIND_DATAW found;
    struct bspi_os_entry entry;
};

bspi_os_folder *bspi_os_list(int given, const char *path) {
    int fd = path == NULL ? given : bspi_os_open_at(AT_FDCWD, path, O_PATH | O_DIRECTORY);
    bspi_os_folder *folder = fd < 0 ? NULL : calloc(1, sizeof *folder);
    wchar_t *pattern = folder == NULL ? NULL : bspi_windows_path_of(bspi_windows_handle(fd), 2);
    if (pattern != NULL) {
        wcscat(pattern, L"\\*");
        folder->list = FindFirstFileW(pattern, &folder->found);
        folder->fd = fd;
        folder->first = true;
    }
    if (pattern == NULL || folder->list == INVALID_HANDLE_VALUE) {
        int cause = pattern == NULL ? errno : bspi_windows_errno(GetLastError());
        if (path != NULL && fd >= 0) {
            (void)_close(fd);
        }
        free(folder);
        folder = NULL;
        errno = cause;
    }
    free(pattern);
    return folder;
}

struct bspi_os_entry *bspi_os_next(bspi_os_folder *folder) {
    while (folder->first || FindNextFileW(folder->list, &folder->found)) {
        folder->first = false;
        if (WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, folder->found.cFileName, -1,
                                folder->entry.d_name, sizeof folder->entry.d_name, NULL,
                                NULL) > 0) {
            return &folder->entry;
        }
    }
    return NULL;
}

int bspi_os_end_list(bspi_os_folder *folder) {
    (void)FindClose(folder->list);
    int result = _close(folder->fd);
    free(folder);
    return result;
}

int bspi_os_folder_fd(const bspi_os_folder *folder) {
    return folder->fd;
}
#else
typedef int bspi_os_not_windows;
#endif
