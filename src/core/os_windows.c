// SPDX-License-Identifier: MIT
// The operating system: Windows. What POSIX calls do (os_windows.h), by the calls that take UTF-16
// and paths of any length. A folder's descriptor is asked for the folder's path each time, so that
// it follows the folder as with POSIX.
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0602

#include "core/os_windows.h"

#include <errno.h>
#include <windows.h>

#undef stat
#define bspi_stat struct bspi_os_stat

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define MOST_AT_ONCE ((size_t)1 << 30)
#define TICKS_TO_1970 116444736000000000 // of 100 ns, since 1601
#define TRIALS 20                        // a scanner of viruses may hold a new file open
#define TRIAL_PAUSE 25                   // milliseconds
// A lock keeps others from the bytes that it covers, so it covers one that no file has.
#define LOCK_PLACE 0x7FFFFFFFu

// --- errors -------------------------------------------------------------------------------------

static int number_of(DWORD error) {
    static const struct {
        DWORD error;
        int number;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_DELETE_PENDING, ENOENT},
        {ERROR_NOT_READY, ENXIO},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {1295, EDQUOT}, // ERROR_DISK_QUOTA_EXCEEDED, which mingw does not name
        {ERROR_FILE_TOO_LARGE, EFBIG},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_PIPE_NOT_CONNECTED, EPIPE},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_TOO_MANY_LINKS, EMLINK},
        {ERROR_INVALID_FUNCTION, ENOSYS},
        {ERROR_NOT_SUPPORTED, ENOSYS},
        {ERROR_CALL_NOT_IMPLEMENTED, ENOSYS},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
        {ERROR_INVALID_HANDLE, EBADF},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].error == error) {
            return rows[i].number;
        }
    }
    return EIO;
}

static int fail(void) {
    errno = number_of(GetLastError());
    return -1;
}

// The C runtime has EINVAL for what it does not know, as a pipe whose reader is gone.
int bspi_os_stream_errno(void) {
    return errno == EINVAL ? number_of((DWORD)_doserrno) : errno;
}

static int fail_with(int number) {
    errno = number;
    return -1;
}

static HANDLE handle_of(int fd) {
    intptr_t handle = fd < 0 ? -1 : _get_osfhandle(fd);
    return handle == -2 ? INVALID_HANDLE_VALUE : (HANDLE)handle; // -2: a stream that is closed
}

// --- text ---------------------------------------------------------------------------------------

static wchar_t *to_wide(const char *text) {
    int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *out = size <= 0 ? NULL : malloc((size_t)size * sizeof *out);
    if (size <= 0) {
        errno = ENOENT; // no file has a name that is not UTF-8
    } else if (out == NULL) {
        errno = ENOMEM;
    } else {
        (void)MultiByteToWideChar(CP_UTF8, 0, text, -1, out, size);
    }
    return out;
}

char *bspi_os_to_utf8(const wchar_t *text) {
    int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *out = size <= 0 ? NULL : malloc((size_t)size);
    if (out != NULL) {
        (void)WideCharToMultiByte(CP_UTF8, 0, text, -1, out, size, NULL, NULL);
    }
    return out;
}

// Returns the path from its drive on, with the prefix that allows any length. Devices (nul, con)
// have one already. NULL with errno.
static wchar_t *absolute(const wchar_t *path) {
    DWORD room = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = malloc(((size_t)room + 16) * sizeof *full);
    if (room == 0 || full == NULL) {
        free(full);
        errno = room == 0 ? ENOENT : ENOMEM;
        return NULL;
    }
    wchar_t *name = full + 8;
    if (GetFullPathNameW(path, room + 1, name, NULL) > room) {
        free(full);
        errno = ENOENT;
        return NULL;
    }
    const wchar_t *prefix = L"\\\\?\\";
    if (wcsncmp(name, L"\\\\.\\", 4) == 0 || wcsncmp(name, L"\\\\?\\", 4) == 0) {
        prefix = L"";
    } else if (name[0] == L'\\' && name[1] == L'\\') {
        name += 2;
        prefix = L"\\\\?\\UNC\\";
    }
    size_t size = wcslen(prefix);
    memmove(full + size, name, (wcslen(name) + 1) * sizeof *full);
    memcpy(full, prefix, size * sizeof *full);
    return full;
}

// Returns the path of an open folder or file, with its prefix. NULL with errno.
static wchar_t *path_of(HANDLE handle, size_t spare) {
    DWORD room = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *out = room == 0 ? NULL : malloc(((size_t)room + spare + 2) * sizeof *out);
    if (out == NULL) {
        errno = room == 0 ? number_of(GetLastError()) : ENOMEM;
        return NULL;
    }
    DWORD size = GetFinalPathNameByHandleW(handle, out, room + 1, FILE_NAME_NORMALIZED);
    if (size == 0 || size > room) {
        free(out);
        errno = EIO;
        return NULL;
    }
    return out;
}

int bspi_os_is_absolute(const char *path) {
    bool drive = path[0] != '\0' && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
    return path[0] == '/' || path[0] == '\\' || drive;
}

void bspi_os_use_slashes(char *path) {
    for (; *path != '\0'; path++) {
        *path = *path == '\\' ? '/' : *path;
    }
}

// Returns the path of a name below an open folder (AT_FDCWD: the current one). NULL with errno.
static wchar_t *locate(int folder, const char *path) {
    wchar_t *wide = to_wide(path);
    if (wide == NULL) {
        return NULL;
    }
    wchar_t *out;
    if (folder == AT_FDCWD || bspi_os_is_absolute(path)) {
        out = absolute(wide);
    } else {
        out = path_of(handle_of(folder), wcslen(wide) + 1);
        if (out != NULL && wcscmp(wide, L".") != 0) {
            size_t size = wcslen(out);
            out[size] = L'\\';
            wcscpy(out + size + 1, wide);
            for (wchar_t *c = out + size; *c != L'\0'; c++) {
                *c = *c == L'/' ? L'\\' : *c;
            }
        }
    }
    free(wide);
    return out;
}

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
            return fail();
        }
        out->st_mode = type == FILE_TYPE_PIPE ? S_IFIFO | 0666 : S_IFCHR | 0666;
        out->st_nlink = 1;
        return 0;
    }
    if (!GetFileInformationByHandle(handle, &info)) {
        return fail();
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
    HANDLE handle = handle_of(fd);
    return handle == INVALID_HANDLE_VALUE ? fail_with(EBADF) : status_of(handle, out);
}

// Opens what stands at a path, or the link itself.
static HANDLE open_entry(const wchar_t *path, DWORD access, DWORD how, bool link) {
    return CreateFileW(path, access, SHARE_ALL, NULL, how,
                       FILE_FLAG_BACKUP_SEMANTICS | (link ? FILE_FLAG_OPEN_REPARSE_POINT : 0u),
                       NULL);
}

int bspi_os_stat_at(int folder, const char *path, bspi_stat *out, int flags) {
    wchar_t *name = locate(folder, path);
    if (name == NULL) {
        return -1;
    }
    HANDLE handle =
        open_entry(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING, (flags & AT_SYMLINK_NOFOLLOW) != 0);
    free(name);
    if (handle == INVALID_HANDLE_VALUE) {
        return fail();
    }
    int result = status_of(handle, out);
    (void)CloseHandle(handle);
    return result;
}

// --- opening ------------------------------------------------------------------------------------

static int refuse(HANDLE handle, int number) {
    (void)CloseHandle(handle);
    return fail_with(number);
}

int bspi_os_open_at(int folder, const char *path, int flags) {
    bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
    DWORD access = writes ? GENERIC_WRITE | FILE_READ_ATTRIBUTES : GENERIC_READ;
    DWORD how = (flags & O_CREAT) == 0  ? OPEN_EXISTING
                : (flags & O_EXCL) != 0 ? CREATE_NEW
                                        : OPEN_ALWAYS;
    wchar_t *name = locate(folder, path);
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
        return fail();
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
    wchar_t *name = locate(AT_FDCWD, path);
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
    if (!ReadFile(handle_of(fd), out, piece, &got, &place) && GetLastError() != ERROR_HANDLE_EOF) {
        return fail();
    }
    return (ptrdiff_t)got;
}

int bspi_os_flush(int fd) {
    return FlushFileBuffers(handle_of(fd)) ? 0 : fail();
}

int bspi_os_set_dates(int fd, const struct timespec dates[2]) {
    FILETIME times[2];
    for (int i = 0; i < 2; i++) {
        uint64_t ticks = (uint64_t)((int64_t)dates[i].tv_sec * 10000000 + dates[i].tv_nsec / 100 +
                                    TICKS_TO_1970);
        times[i] = (FILETIME){(DWORD)(ticks & 0xFFFFFFFFu), (DWORD)(ticks >> 32)};
    }
    return SetFileTime(handle_of(fd), NULL, &times[0], &times[1]) ? 0 : fail();
}

int bspi_os_lock(int fd) {
    OVERLAPPED place = {.Offset = 0, .OffsetHigh = LOCK_PLACE};
    return LockFileEx(handle_of(fd), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                      &place)
               ? 0
               : fail();
}

void *bspi_os_map(int fd, size_t size) {
    HANDLE map = CreateFileMappingW(handle_of(fd), NULL, PAGE_READONLY, 0, 0, NULL);
    void *data = map == NULL ? NULL : MapViewOfFile(map, FILE_MAP_READ, 0, 0, size);
    if (data == NULL) {
        (void)fail();
    }
    if (map != NULL) {
        (void)CloseHandle(map); // the view keeps it
    }
    return data == NULL ? MAP_FAILED : data;
}

int bspi_os_unmap(void *mapping) {
    return UnmapViewOfFile(mapping) ? 0 : fail();
}

// --- names --------------------------------------------------------------------------------------

int bspi_os_make_folder_at(int folder, const char *path) {
    wchar_t *name = locate(folder, path);
    bool made = name != NULL && CreateDirectoryW(name, NULL);
    int result = made ? 0 : name == NULL ? -1 : fail();
    free(name);
    return result;
}

static bool is_held(void) {
    DWORD error = GetLastError();
    return error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED ||
           error == ERROR_LOCK_VIOLATION;
}

static bool is_folder(const wchar_t *name) {
    DWORD attributes = GetFileAttributesW(name);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

// Takes from a file that it may only be read, for which Windows refuses to remove it. The other
// names of the file lose that, too.
static bool make_writable(const wchar_t *name) {
    DWORD attributes = GetFileAttributesW(name);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0 &&
           SetFileAttributesW(name, attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
}

static bool try_remove(const wchar_t *name) {
    for (int i = 0; i < TRIALS; i++) {
        if (DeleteFileW(name)) {
            return true;
        }
        DWORD error = GetLastError();
        if (error == ERROR_ACCESS_DENIED && make_writable(name)) {
            continue;
        }
        if (error != ERROR_SHARING_VIOLATION) {
            SetLastError(error);
            return false;
        }
        Sleep(TRIAL_PAUSE);
    }
    return false;
}

int bspi_os_remove_at(int folder, const char *path) {
    wchar_t *name = locate(folder, path);
    int result = name == NULL ? -1 : try_remove(name) ? 0 : fail();
    free(name);
    return result;
}

// A file that is open cannot be replaced by every version of Windows, but it can be renamed: it
// goes aside, and is removed when it is closed. Between the two steps there is no file of the name.
static bool swap_in(const wchar_t *from, const wchar_t *to) {
    static volatile LONG calls;
    size_t size = wcslen(to);
    wchar_t *aside = malloc((size + 32) * sizeof *aside);
    if (aside == NULL) {
        return false;
    }
    (void)swprintf(aside, size + 32, L"%ls.old-%08lx", to,
                   (unsigned long)GetCurrentProcessId() * 64u +
                       (unsigned long)(InterlockedIncrement(&calls) & 63));
    bool done = MoveFileExW(to, aside, 0);
    if (done && !MoveFileExW(from, to, 0)) {
        DWORD error = GetLastError();
        (void)MoveFileExW(aside, to, 0);
        SetLastError(error);
        done = false;
    } else if (done) {
        (void)try_remove(aside); // another program may look at it for a moment
    }
    free(aside);
    return done;
}

static bool try_rename(const wchar_t *from, const wchar_t *to) {
    for (int i = 0; i < TRIALS; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING) ||
            (is_held() && !is_folder(to) && swap_in(from, to))) {
            return true;
        }
        if (!is_held() || is_folder(to)) {
            return false;
        }
        DWORD error = GetLastError();
        Sleep(TRIAL_PAUSE);
        SetLastError(error);
    }
    return false;
}

int bspi_os_rename_at(int from_folder, const char *from, int to_folder, const char *to) {
    wchar_t *old = locate(from_folder, from);
    wchar_t *new = old == NULL ? NULL : locate(to_folder, to);
    int result = new == NULL ? -1 : try_rename(old, new) ? 0 : fail();
    free(old);
    free(new);
    return result;
}

int bspi_os_link_at(int from_folder, const char *from, int to_folder, const char *to) {
    wchar_t *old = locate(from_folder, from);
    wchar_t *new = old == NULL ? NULL : locate(to_folder, to);
    int result = new == NULL ? -1 : CreateHardLinkW(new, old, NULL) ? 0 : fail();
    free(old);
    free(new);
    return result;
}

// Gives where the link finally leads to, which is one of the answers that may follow it.
static ptrdiff_t final_path(HANDLE handle, char *out, size_t room) {
    wchar_t *path = path_of(handle, 0);
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
    return text == NULL ? fail_with(ENOMEM) : (ptrdiff_t)(size < room ? size : room);
}

ptrdiff_t bspi_os_read_link(const char *path, char *out, size_t room) {
    wchar_t *name = locate(AT_FDCWD, path);
    if (name == NULL) {
        return -1;
    }
    HANDLE itself = open_entry(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING, true);
    ptrdiff_t result = itself == INVALID_HANDLE_VALUE ? fail() : fail_with(EINVAL);
    if (itself != INVALID_HANDLE_VALUE && is_link(itself)) {
        HANDLE target = open_entry(name, FILE_READ_ATTRIBUTES, OPEN_EXISTING, false);
        result = target == INVALID_HANDLE_VALUE ? fail() : final_path(target, out, room);
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
    wchar_t *pattern = folder == NULL ? NULL : path_of(handle_of(fd), 2);
    if (pattern != NULL) {
        wcscat(pattern, L"\\*");
        folder->list = FindFirstFileW(pattern, &folder->found);
        folder->fd = fd;
        folder->first = true;
    }
    if (pattern == NULL || folder->list == INVALID_HANDLE_VALUE) {
        int cause = pattern == NULL ? errno : number_of(GetLastError());
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
