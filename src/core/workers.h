// SPDX-License-Identifier: MIT
// Work that is divided among threads.
#ifndef BSPI_WORKERS_H
#define BSPI_WORKERS_H

#include "core/memory.h"
#include "core/progress.h"

#include <pthread.h>

#define BSPI_MAX_WORKERS 64u
/// Bytes of stack of a thread: four times the least stack (README), for sanitizers.
#define BSPI_WORKER_STACK ((size_t)512 << 10)

/// Returns how many threads a call that allocates from `heap` may use: the number that its budget
/// states (bsp_budget_set_threads), else one per processor. An allocator of the caller, which may
/// be made for one thread, is called from one unless the budget states more.
uint32_t bspi_heap_threads(const bspi_heap *heap);

/// Calls worker(user, n) for each n below `count`, each in its own thread (the last in the
/// caller's), and waits for all. If a thread cannot be started, its part runs in the caller's.
void bspi_workers_run(uint32_t count, void (*worker)(void *user, uint32_t n), void *user);

/// Does one of several items; `worker` is below the number of threads, and no two calls at the same
/// time have the same. Returns false, with the error filled, on failure.
typedef bool bspi_item_fn(void *user, uint32_t worker, uint32_t item, bsp_error *error);

/// Calls `work` for each item below `items`, on at most `threads` threads: they take the items in
/// ascending order, each when it is free. After a failure no further item is begun, and `error` is
/// that of the lowest item that failed, which is the same at any number of threads.
///
/// What is common to the items must bear being used from several threads. Heaps do, arenas do not.
bool bspi_workers_each(uint32_t threads, uint32_t items, bspi_item_fn *work, void *user,
                       bsp_error *error);

/// The same, and steps `progress` once for each item that is done, in the thread of the caller:
/// between its own items and at the end, while the others go on. If the caller stops the work no
/// further item is begun.
bool bspi_workers_stage(uint32_t threads, uint32_t items, bspi_item_fn *work, void *user,
                        bspi_progress *progress, bsp_error *error);

#define BSPI_MAX_SLOTS 64u

/// Makes an item in the slot of that number. It keeps what fails.
typedef void bspi_make_fn(void *user, uint32_t slot, uint32_t item);
/// Uses an item that was made. Returns false to end the work.
typedef bool bspi_use_fn(void *user, uint32_t slot, uint32_t item);

/// Makes items on at most `threads` threads, and uses each in ascending order in the caller's
/// thread, between its own items. An item is made in one of `slots` slots, which is free again once
/// it is used: there are never more items than that. Returns false, with no further item begun,
/// when `use` does.
bool bspi_workers_pipe(uint32_t threads, uint32_t items, uint32_t slots, bspi_make_fn *make,
                       bspi_use_fn *use, void *user);

/// The same for threads that do other work besides.
typedef struct bspi_pipe {
    bspi_make_fn *make;
    bspi_use_fn *use;
    void *user;
    uint32_t count;
    uint32_t slots;
    pthread_mutex_t lock;      ///< of all below
    pthread_cond_t ready;      ///< an item was made: the one that uses them waits for it
    pthread_cond_t room;       ///< a slot is free, or none is needed any more
    uint32_t next;             ///< item that no thread has taken
    uint32_t used;             ///< items
    bool made[BSPI_MAX_SLOTS]; ///< the item in a slot waits to be used
    bool failed;
} bspi_pipe;

void bspi_pipe_begin(bspi_pipe *pipe, uint32_t items, uint32_t slots, bspi_make_fn *make,
                     bspi_use_fn *use, void *user);
/// Makes items, and uses each in ascending order. One thread does that, once. Returns false, with
/// no further item begun, when `use` does.
bool bspi_pipe_use(bspi_pipe *pipe);
/// Makes items, in any other thread, until all are taken or that failed: with items left, it waits
/// for the thread that uses them.
void bspi_pipe_help(bspi_pipe *pipe);
void bspi_pipe_end(bspi_pipe *pipe);

#endif
