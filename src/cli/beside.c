// SPDX-License-Identifier: MIT
// A thread for one piece of work. Signals go to the first thread, which holds them back while it
// changes what their handler reads.
#define _POSIX_C_SOURCE 200809L // pthread_sigmask

#include "cli/beside.h"

#include <signal.h>
#include <stddef.h>

static void *run(void *user) {
    const cli_beside *beside = user;
    beside->work(beside->user);
    return NULL;
}

void cli_beside_begin(cli_beside *beside, void (*work)(void *user), void *user) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    beside->work = work;
    beside->user = user;
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    beside->runs = pthread_create(&beside->thread, NULL, run, beside) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_beside_end(cli_beside *beside) {
    if (beside->work != NULL && beside->runs) {
        (void)pthread_join(beside->thread, NULL);
    } else if (beside->work != NULL) {
        beside->work(beside->user);
    }
    beside->work = NULL;
}
