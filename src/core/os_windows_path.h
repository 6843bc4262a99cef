// SPDX-License-Identifier: MIT
// Errors and paths of Windows, for the sources that stand for POSIX calls there.
#ifndef BSPI_OS_WINDOWS_PATH_H
#define BSPI_OS_WINDOWS_PATH_H

#include <stddef.h>

/// Returns the errno of an error of Windows.
int bspi_windows_errno(unsigned long error);
/// Sets errno: to that of the last error, or to a number. Return -1.
int bspi_windows_fail(void);
int bspi_windows_fail_with(int number);
/// Returns the handle of a descriptor, or INVALID_HANDLE_VALUE.
void *bspi_windows_handle(int fd);
/// Returns the path of an open folder or file, with the prefix that allows any length, and room for
/// `spare` characters more. NULL with errno. Free with free.
wchar_t *bspi_windows_path_of(void *handle, size_t spare);
/// Returns the path of a name below an open folder (AT_FDCWD: the current one). NULL with errno.
/// Free with free.
wchar_t *bspi_windows_locate(int folder, const char *path);

#endif
