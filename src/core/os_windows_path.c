// SPDX-License-Identifier: MIT
// Errors and paths of Windows: its codes as errno, UTF-8 as UTF-16, and paths of any length.
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0602

#include "core/os_windows_path.h"

#include "core/os_windows.h"

#include <errno.h>
#include <windows.h>

// --- errors -------------------------------------------------------------------------------------

int bspi_windows_errno(unsigned long error) {
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

int bspi_windows_fail(void) {
    errno = bspi_windows_errno(GetLastError());
    return -1;
}

// The C runtime has EINVAL for what it does not know, as a pipe whose reader is gone.
int bspi_os_stream_errno(void) {
    return errno == EINVAL ? bspi_windows_errno((DWORD)_doserrno) : errno;
}

int bspi_windows_fail_with(int number) {
    errno = number;
    return -1;
}

void *bspi_windows_handle(int fd) {
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

wchar_t *bspi_windows_path_of(void *handle, size_t spare) {
    DWORD room = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *out = room == 0 ? NULL : malloc(((size_t)room + spare + 2) * sizeof *out);
    if (out == NULL) {
        errno = room == 0 ? bspi_windows_errno(GetLastError()) : ENOMEM;
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

wchar_t *bspi_windows_locate(int folder, const char *path) {
    wchar_t *wide = to_wide(path);
    if (wide == NULL) {
        return NULL;
    }
    wchar_t *out;
    if (folder == AT_FDCWD || bspi_os_is_absolute(path)) {
        out = absolute(wide);
    } else {
        out = bspi_windows_path_of(bspi_windows_handle(folder), wcslen(wide) + 1);
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
#else
typedef int bspi_os_path_not_windows;
#endif
