// SPDX-License-Identifier: MIT
// Threads for one piece of work: starting one takes less than a tenth of a millisecond, so none are
// kept.
#define _POSIX_C_SOURCE 200809L // sysconf

#include "render/workers.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct part {
    void (*worker)(void *user, uint32_t n);
    void *user;
    uint32_t number;
} part;

uint32_t bspi_workers_count(uint32_t asked) {
    long count = asked != 0 ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > (long)BSPI_MAX_WORKERS ? BSPI_MAX_WORKERS : (uint32_t)count;
}

static void *run_part(void *argument) {
    const part *p = argument;
    p->worker(p->user, p->number);
    return NULL;
}

// Sets the same stack size on every system, no larger than needed: tests/cli/stack.sh checks what
// the library uses.
static bool set_stack(pthread_attr_t *attributes) {
    if (pthread_attr_init(attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(attributes, BSPI_WORKER_STACK);
    return true;
}

void bspi_workers_run(uint32_t count, void (*worker)(void *user, uint32_t n), void *user) {
    part parts[BSPI_MAX_WORKERS];
    pthread_t threads[BSPI_MAX_WORKERS];
    bool started[BSPI_MAX_WORKERS];
    pthread_attr_t attributes;
    bool ready = set_stack(&attributes);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = (part){worker, user, i};
        started[i] = ready && i + 1 < count &&
                     pthread_create(&threads[i], &attributes, run_part, &parts[i]) == 0;
    }
    if (ready) {
        (void)pthread_attr_destroy(&attributes);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!started[i]) {
            (void)run_part(&parts[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (started[i]) {
            (void)pthread_join(threads[i], NULL);
        }
    }
}
