// SPDX-License-Identifier: MIT
// A progress bar on the terminal, for work that takes longer than a second.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "bspkit/core.h"

/// A bar. It is drawn only where standard error is a terminal, and only after a second.
typedef struct cli_progress {
    bool terminal;
    uint64_t start;   ///< cli_clock
    uint64_t last;    ///< time of the last drawing
    const char *what; ///< printed before the stage: the file; NULL for none
} cli_progress;

/// Starts the clock. `what` (may be NULL) is borrowed.
void cli_progress_start(cli_progress *progress, const char *what);
/// Returns the progress callback for the options of a library call.
bsp_progress cli_progress_of(cli_progress *progress);
/// Draws the bar if it is time for it. Always returns true, so that the work continues.
bool cli_progress_report(void *progress, const char *stage, uint64_t done, uint64_t total);
/// Erases the bar, if there is one: before results are printed on the terminal, and at the end.
/// cli_message does so itself.
void cli_progress_clear(void);

#endif
