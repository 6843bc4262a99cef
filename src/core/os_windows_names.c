// SPDX-License-Identifier: MIT
// Names of files and folders of Windows: made, removed, changed. What another program holds for a
// moment is tried again.
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0602

#include "core/os_windows.h"
#include "core/os_windows_path.h"

#include <windows.h>

#define TRIALS 20      // a scanner of viruses may hold a new file open
#define TRIAL_PAUSE 25 // milliseconds

int bspi_os_make_folder_at(int folder, const char *path) {
    wchar_t *name = bspi_windows_locate(folder, path);
    bool made = name != NULL && CreateDirectoryW(name, NULL);
    int result = made ? 0 : name == NULL ? -1 : bspi_windows_fail();
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
    wchar_t *name = bspi_windows_locate(folder, path);
    int result = name == NULL ? -1 : try_remove(name) ? 0 : bspi_windows_fail();
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
    wchar_t *old = bspi_windows_locate(from_folder, from);
    wchar_t *new = old == NULL ? NULL : bspi_windows_locate(to_folder, to);
    int result = new == NULL ? -1 : try_rename(old, new) ? 0 : bspi_windows_fail();
    free(old);
    free(new);
    return result;
}

int bspi_os_link_at(int from_folder, const char *from, int to_folder, const char *to) {
    wchar_t *old = bspi_windows_locate(from_folder, from);
    wchar_t *new = old == NULL ? NULL : bspi_windows_locate(to_folder, to);
    int result = new == NULL ? -1 : CreateHardLinkW(new, old, NULL) ? 0 : bspi_windows_fail();
    free(old);
    free(new);
    return result;
}
#else
typedef int bspi_os_names_not_windows;
#endif
