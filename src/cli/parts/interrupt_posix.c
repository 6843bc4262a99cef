// SPDX-License-Identifier: MIT
// Signals that end the command, for POSIX. The handler uses only async-signal-safe functions; what
// it cleans up stands in static variables, and signals are blocked while these change.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L // sigaction

#include "cli/parts/interrupt.h"

#include "core/os_calls.h"

#include "cli/parts/options.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define ROOM 8

static const char *volatile watched[ROOM];
static volatile int folders[ROOM]; // the folders of these names
static volatile sig_atomic_t line_shown;
static const int endings[] = {SIGINT, SIGTERM, SIGHUP};

#define NUM_ENDINGS (sizeof endings / sizeof *endings)

// The process ends, so a failure cannot be reported.
static void erase_line(void) {
    static const char erase[] = "\r\033[K";
    ssize_t written = write(STDERR_FILENO, erase, sizeof erase - 1);
    (void)written;
}

static void clean_up(void) {
    for (int i = 0; i < ROOM; i++) {
        if (watched[i] != NULL) {
            (void)unlinkat(folders[i], watched[i], 0);
        }
    }
    if (line_shown != 0) {
        erase_line();
    }
}

// Raises the signal again with its default action, so that the shell sees how the command ended.
static void end(int number) {
    clean_up();
    (void)raise(number); // SA_RESETHAND
}

// Bytes of a mapped file no longer exist: the access cannot continue.
static void give_up(int number) {
    static const char message[] =
        "bspkit: a file was truncated while it was read, or its disk failed\n";
    (void)number;
    clean_up();
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(CLI_FAILED);
}

static void hold(sigset_t *before) {
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < NUM_ENDINGS; i++) {
        (void)sigaddset(&set, endings[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &set, before);
}

// Installs the handlers. A signal that is ignored (nohup) stays ignored.
static void install(void) {
    static bool installed;
    for (size_t i = 0; !installed && i < NUM_ENDINGS; i++) {
        struct sigaction action;
        if (sigaction(endings[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
            action.sa_handler = end;
            action.sa_flags = (int)SA_RESETHAND;
            (void)sigemptyset(&action.sa_mask);
            (void)sigaction(endings[i], &action, NULL);
        }
    }
    installed = true;
}

// Replaces `old` in the list by `value`.
static void replace(const char *old, const char *value, int folder) {
    sigset_t before;
    hold(&before);
    install();
    for (int i = 0; i < ROOM; i++) {
        if (watched[i] == old) {
            folders[i] = folder;
            watched[i] = value;
            break;
        }
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

void cli_interrupt_guard(void) {
    struct sigaction action = {.sa_handler = give_up};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
    action.sa_handler = SIG_IGN; // writing fails instead, and says that the file is too large
    (void)sigaction(SIGXFSZ, &action, NULL);
}

void cli_interrupt_watch(int folder, const char *name) {
    replace(NULL, name, folder);
}

void cli_interrupt_forget(const char *name) {
    replace(name, NULL, -1);
}

static sigset_t let_through; // outside of a hold

void cli_interrupt_hold(void) {
    hold(&let_through);
}

void cli_interrupt_release(void) {
    (void)sigprocmask(SIG_SETMASK, &let_through, NULL);
}

void cli_interrupt_begin_line(void) {
    sigset_t before;
    hold(&before);
    install();
    line_shown = 1;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

void cli_interrupt_erase_line(void) {
    if (line_shown != 0) {
        erase_line();
        line_shown = 0;
    }
}

#else
typedef int cli_interrupt_not_posix;
#endif
