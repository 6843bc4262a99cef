// SPDX-License-Identifier: MIT
// The process on Windows: its processors, its console and arguments, and how it ends.
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0602

#include "core/os_windows.h"

#include <windows.h>

long bspi_os_processors(void) {
    DWORD_PTR process = 0;
    DWORD_PTR machine = 0;
    long count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &process, &machine)) {
        for (; process != 0; process &= process - 1) {
            count++;
        }
    }
    return count != 0 ? count : (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

int bspi_os_is_terminal(int fd) {
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(fd), &mode) ? 1 : 0;
}

// Lets the console understand the sequences of terminals, which Windows 10 can.
static void use_console(DWORD which) {
    HANDLE console = GetStdHandle(which);
    DWORD mode;
    if (GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | 4u) &&
        getenv("TERM") == NULL) {
        (void)_putenv("TERM=windows");
    }
}

// Of the C runtime: the arguments as UTF-16, with the names of files for * and ?.
int __wgetmainargs(int *argc, wchar_t ***argv, wchar_t ***environment, int expand, int *start);

void bspi_os_begin(int *argc, char ***argv) {
    for (int fd = 0; fd < 3; fd++) {
        (void)_setmode(fd, _O_BINARY);
    }
    (void)SetConsoleOutputCP(CP_UTF8);
    use_console(STD_OUTPUT_HANDLE);
    use_console(STD_ERROR_HANDLE);
    wchar_t **wide = NULL;
    wchar_t **environment = NULL;
    int count = 0;
    int start = 0;
    if (__wgetmainargs(&count, &wide, &environment, 1, &start) != 0 || count < 1) {
        return;
    }
    char **words = calloc((size_t)count + 1, sizeof *words);
    bool complete = words != NULL;
    for (int i = 0; complete && i < count; i++) {
        words[i] = bspi_os_to_utf8(wide[i]);
        complete = words[i] != NULL;
    }
    if (complete) { // they live as long as the process
        *argc = count;
        *argv = words;
    }
}

void bspi_os_hold_window(void) {
    DWORD list[2];
    if (GetConsoleProcessList(list, 2) == 1 && bspi_os_is_terminal(0) && bspi_os_is_terminal(1)) {
        (void)fflush(stdout);
        (void)fputs("Press Enter to close this window.\n", stderr);
        (void)getchar();
    }
}

static void (*at_end)(void);
static void (*at_lost_page)(void);

static BOOL WINAPI handle_end(DWORD kind) {
    (void)kind;
    at_end();
    return FALSE; // the next handler ends the process
}

void bspi_os_on_end(void (*clean_up)(void)) {
    at_end = clean_up;
    (void)SetConsoleCtrlHandler(handle_end, TRUE);
}

static LONG WINAPI handle_fault(EXCEPTION_POINTERS *fault) {
    if (fault->ExceptionRecord->ExceptionCode == (DWORD)EXCEPTION_IN_PAGE_ERROR) {
        at_lost_page();
    }
    return EXCEPTION_CONTINUE_SEARCH;
}

void bspi_os_on_lost_page(void (*give_up)(void)) {
    at_lost_page = give_up;
    (void)SetUnhandledExceptionFilter(handle_fault);
}
#else
typedef int bspi_os_not_windows;
#endif
