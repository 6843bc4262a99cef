// SPDX-License-Identifier: MIT
// Work that is done beside other work.
#ifndef CLI_BESIDE_H
#define CLI_BESIDE_H

#include <pthread.h>
#include <stdbool.h>

typedef struct cli_beside {
    pthread_t thread;
    bool runs;
    void (*work)(void *user);
    void *user;
} cli_beside;

/// Begins; `user` must not be touched until cli_beside_end. The work prints nothing.
void cli_beside_begin(cli_beside *beside, void (*work)(void *user), void *user);
/// Waits for it; where no thread could be had it is done now. Ending twice is no harm.
void cli_beside_end(cli_beside *beside);

#endif
