// SPDX-License-Identifier: MIT
// Work that is divided among threads.
#ifndef BSPI_WORKERS_H
#define BSPI_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#define BSPI_MAX_WORKERS 64u
/// Bytes of stack that a thread has: four times the least stack (README), for sanitizers.
#define BSPI_WORKER_STACK ((size_t)512 << 10)

/// How many threads there will be: `asked`, or one for each processor.
uint32_t bspi_workers_count(uint32_t asked);

/// Does worker(user, n) for each n below `count`, each in a thread of its own (the last here), and
/// waits for all. A thread that cannot be started is replaced by doing its part here.
void bspi_workers_run(uint32_t count, void (*worker)(void *user, uint32_t n), void *user);

#endif
