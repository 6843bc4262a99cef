// SPDX-License-Identifier: MIT
// A bar on the terminal for work that takes longer than a second.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "bspkit/core.h"

/// A bar. It is drawn only where standard error is a terminal, and only after a second.
typedef struct cli_progress {
    bool terminal;
    int64_t start;    ///< milliseconds
    int64_t last;     ///< when it was drawn last
    const char *what; ///< before the stage: the file; NULL for none
} cli_progress;

/// Starts the clock. `what` (may be NULL) is borrowed.
void cli_progress_start(cli_progress *progress, const char *what);
/// What the options of a long call take.
bsp_progress cli_progress_of(cli_progress *progress);
/// Draws the bar if it is time for it. Always true: the form of bsp_progress.
bool cli_progress_report(void *progress, const char *stage, uint64_t done, uint64_t total);
/// Erases the bar, if there is one: before results go to the terminal, and at the end. Messages
/// (cli_message) do so by themselves.
void cli_progress_clear(void);

#endif
