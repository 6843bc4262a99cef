// SPDX-License-Identifier: MIT
// Several inputs at once, with their results in the order of the command line.
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include <stdbool.h>
#include <stdint.h>

/// So many inputs may be worked on, or wait to be handed over, for each thread.
#define CLI_JOBS_AHEAD 4u

/// What is done with each item. Items are begun in their order; item n is not begun before item
/// n - CLI_JOBS_AHEAD * threads is handed over, so a ring of so many slots holds all results.
typedef struct cli_jobs {
    void (*work)(void *user, int item);      ///< on one of the threads
    bool (*hand_over)(void *user, int item); ///< in order, on the caller's; false: begin no more
    void *user;
} cli_jobs;

/// Does `count` items on `threads` threads, which are at least 1 (fewer if they cannot be started;
/// the caller's does what no other can).
void cli_jobs_run(const cli_jobs *jobs, uint32_t threads, int count);

/// Returns how many threads `count` items get of those that the budget allows: at most one for each
/// two.
uint32_t cli_jobs_threads(uint32_t count);

#endif
