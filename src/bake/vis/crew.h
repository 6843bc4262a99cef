// SPDX-License-Identifier: MIT
// Workers that search gates together: those of one round at a time, and where none is left to begin
// with, ways of the searches that others are at. No thread ends before the last round does.
#ifndef BSPI_BAKE_CREW_H
#define BSPI_BAKE_CREW_H

#include "bake/vis/search.h"
#include "core/progress.h"

typedef struct bspi_rounds {
    bspi_sight *sight;
    uint32_t items;  ///< searches of all rounds
    uint32_t size;   ///< searches of a round
    uint32_t pieces; ///< of the work between two rounds
    /// Tells what an item searches: the gate, and its share.
    void (*begin)(void *user, uint32_t item, bspi_task *task);
    /// Takes what an item has found, while others are searched.
    void (*found)(void *user, uint32_t item, const bspi_search *search);
    /// Ends a round, after all of its searches. NULL: there is nothing to be done.
    bool (*end)(void *user, uint32_t first, uint32_t count, bsp_error *error);
    /// Does a piece of what follows, at the same time as others.
    void (*piece)(void *user, uint32_t first, uint32_t count, uint32_t piece);
    void *user;
} bspi_rounds;

/// Does the rounds, one after another, and steps `progress` by the searches of each, in the thread
/// of the caller. What is found is the same with any number of threads.
bool bspi_crew_run(const bspi_rounds *rounds, uint32_t threads, bspi_progress *progress,
                   bsp_error *error);

#endif
