// SPDX-License-Identifier: MIT
// The progress bar: one line on standard error, overwritten and erased at the end. Nothing is
// written to a pipe or a file.
#define _POSIX_C_SOURCE 200809L // isatty

#include "cli/parts/progress.h"

#include "core/os_calls.h"

#include "cli/parts/clock.h"
#include "cli/parts/interrupt.h"
#include "cli/parts/path.h"

#include <stdio.h>
#include <string.h>

#define BAR 30u
#define FIRST_AFTER (1000 * UINT64_C(1000000)) // nanoseconds
#define BETWEEN (50 * UINT64_C(1000000))       // nanoseconds: more often would flicker

void cli_progress_start(cli_progress *progress, const char *what) {
    *progress =
        (cli_progress){.terminal = isatty(STDERR_FILENO) != 0, .start = cli_clock(), .what = what};
}

static void draw(const cli_progress *progress, const char *stage, uint64_t done, uint64_t total) {
    char bar[BAR + 1];
    size_t full = total == 0 ? BAR : (size_t)((double)done / (double)total * BAR);
    memset(bar, '-', BAR);
    memset(bar, '#', full < BAR ? full : BAR);
    bar[BAR] = '\0';
    const char *name = progress->what == NULL ? "" : cli_last_part(progress->what);
    cli_interrupt_begin_line();
    fprintf(stderr, "\r\033[K%.24s%s[%s] %s: %llu of %llu", name, name[0] == '\0' ? "" : " ", bar,
            stage, (unsigned long long)done, (unsigned long long)total);
    (void)fflush(stderr);
}

bool cli_progress_report(void *user, const char *stage, uint64_t done, uint64_t total) {
    cli_progress *progress = user;
    if (progress->terminal) {
        uint64_t time = cli_clock();
        if (time - progress->start >= FIRST_AFTER && time - progress->last >= BETWEEN) {
            draw(progress, stage, done, total);
            progress->last = time;
        }
    }
    return true;
}

bsp_progress cli_progress_of(cli_progress *progress) {
    return (bsp_progress){cli_progress_report, progress};
}

void cli_progress_clear(void) {
    cli_interrupt_erase_line();
}
