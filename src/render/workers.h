// SPDX-License-Identifier: MIT
// Work that is divided among threads.
#ifndef BSPI_WORKERS_H
#define BSPI_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#define BSPI_MAX_WORKERS 64u
/// Bytes of stack of a thread: four times the least stack (README), for sanitizers.
#define BSPI_WORKER_STACK ((size_t)512 << 10)

/// Returns the number of threads: `asked`, or one per processor.
uint32_t bspi_workers_count(uint32_t asked);

/// Calls worker(user, n) for each n below `count`, each in its own thread (the last in the
/// caller's), and waits for all. If a thread cannot be started, its part runs in the caller's.
void bspi_workers_run(uint32_t count, void (*worker)(void *user, uint32_t n), void *user);

#endif
