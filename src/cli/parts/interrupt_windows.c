// SPDX-License-Identifier: MIT
// What ends the command on Windows: Ctrl-C, a closed console, the end of the session. The system
// calls clean_up in a thread of its own, so a lock guards what it reads.
#ifdef _WIN32

#include "cli/parts/interrupt.h"

#include "core/os_calls.h"

#include "cli/parts/options.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define ROOM 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *watched[ROOM];
static int folders[ROOM]; // the folders of these names
static bool line_shown;
static bool held; // the lock, by cli_interrupt_hold

static void erase_line(void) {
    static const char erase[] = "\r\033[K";
    (void)write(STDERR_FILENO, erase, sizeof erase - 1);
}

static void clean_up(void) {
    pthread_mutex_lock(&lock); // kept: nothing is watched any more
    for (int i = 0; i < ROOM; i++) {
        if (watched[i] != NULL) {
            (void)unlinkat(folders[i], watched[i], 0);
        }
    }
    if (line_shown) {
        erase_line();
    }
}

static void give_up(void) {
    static const char message[] =
        "bspkit: a file was truncated while it was read, or its disk failed\n";
    clean_up();
    (void)write(STDERR_FILENO, message, sizeof message - 1);
    _exit(CLI_FAILED);
}

// Replaces `old` in the list by `value`.
static void replace(const char *old, const char *value, int folder) {
    static bool installed;
    bool inside = held;
    if (!inside) {
        pthread_mutex_lock(&lock);
    }
    if (!installed) {
        bspi_os_on_end(clean_up);
        installed = true;
    }
    for (int i = 0; i < ROOM; i++) {
        if (watched[i] == old) {
            folders[i] = folder;
            watched[i] = value;
            break;
        }
    }
    if (!inside) {
        pthread_mutex_unlock(&lock);
    }
}

void cli_interrupt_guard(void) {
    bspi_os_on_lost_page(give_up);
}

void cli_interrupt_watch(int folder, const char *name) {
    replace(NULL, name, folder);
}

void cli_interrupt_forget(const char *name) {
    replace(name, NULL, -1);
}

void cli_interrupt_hold(void) {
    pthread_mutex_lock(&lock);
    held = true;
}

void cli_interrupt_release(void) {
    held = false;
    pthread_mutex_unlock(&lock);
}

void cli_interrupt_begin_line(void) {
    line_shown = true;
}

void cli_interrupt_erase_line(void) {
    if (line_shown) {
        erase_line();
        line_shown = false;
    }
}

#else
typedef int cli_interrupt_not_windows;
#endif
