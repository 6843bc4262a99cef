// SPDX-License-Identifier: MIT
// A search for what a gate sees, by one worker or by several that divide its ways. What stands in
// `done`, `seen`, `might` and `rows` of the sight must not change while searches run; each worker
// has a search of its own.
#ifndef BSPI_BAKE_SEARCH_H
#define BSPI_BAKE_SEARCH_H

#include "bake/vis/sight.h"

#include <pthread.h>
#include <stdatomic.h>

#define BSPI_BRANCH_DEEPEST 64u // gates of the way to what is given away

typedef struct bspi_search bspi_search;

/// What the workers of one search have found: clusters, in the order in which they did.
typedef struct bspi_finds {
    pthread_mutex_t lock; ///< of those that add to it
    atomic_uint count;
    uint32_t *list; ///< has room for all clusters
} bspi_finds;

/// Some ways of a search: those through the gates of `path`, and then through one of a run of
/// `leaving`; and what the search that gives them away knows.
typedef struct bspi_branch {
    uint32_t depth;
    uint32_t path[BSPI_BRANCH_DEEPEST];
    uint32_t first;
    uint32_t end;
    uint32_t taken;     ///< of the finds: those that are in `found`
    bool *found;        ///< clusters
    bspi_word *settled; ///< gates that lead to clusters which need not be found
    bspi_word *might;   ///< gates that may be seen after `path`
    bspi_word *looked;  ///< those that are not hidden by its ends
} bspi_branch;

/// What is searched, and with whom.
typedef struct bspi_task {
    uint32_t gate;
    /// What bspi_search_share made of this gate in a sight that had all of what may be seen here,
    /// and more: clusters that it has not are not looked for. The result is the same without it.
    const uint8_t *share;      ///< may be NULL
    bspi_finds *finds;         ///< of its workers; NULL: there is one
    const atomic_bool *wanted; ///< workers wait for a branch
    /// Gives a branch away; false if none is wanted any more.
    bool (*give)(void *user, const bspi_branch *branch);
    void *user;
} bspi_task;

/// Makes a search in the arena of the sight. NULL without memory. What bspi_search_end frees is
/// left after a failure too.
bspi_search *bspi_search_new(bspi_sight *sight, bsp_error *error);
/// Frees what a search has taken from the heap. NULL is allowed and does nothing.
void bspi_search_end(bspi_search *search);

/// Searches for the clusters that a gate sees, on all ways or on those of a branch (NULL: all).
/// What is found on all of them together does not depend on how they are divided.
bool bspi_search_gate(bspi_search *search, const bspi_task *task, const bspi_branch *branch,
                      bsp_error *error);
/// Takes what all workers of a task have found, after the last of them is done, and forgets what
/// its share ruled out. `search` is that of one of them.
void bspi_search_gather(bspi_search *search);
/// Stores which gates may be seen from the gate that was gathered last: those between clusters that
/// were found.
void bspi_search_store(const bspi_search *search);
/// Writes a row of the clusters that were found.
void bspi_search_row(const bspi_search *search, uint8_t *row);

#endif
