// SPDX-License-Identifier: MIT
// Volumes that are written later: one thread makes them, while others find what their sides show.
#ifndef BSPI_DECOMPILE_TREE_QUEUE_H
#define BSPI_DECOMPILE_TREE_QUEUE_H

#include "decompile/tree/emit.h"

#include <pthread.h>

typedef struct bspi_volume_block bspi_volume_block;

/// The volumes of a model, in blocks.
typedef struct bspi_volume_queue {
    const bspi_tree_emitter *emitter; ///< must not change until all is found
    bspi_heap *heap;
    bspi_volume_block *filling; ///< of the thread that makes volumes, or NULL
    pthread_mutex_t lock;       ///< of all below
    pthread_cond_t more;
    bspi_volume_block *first; ///< of those that are filled
    bspi_volume_block *last;
    bspi_volume_block *next; ///< the first that no search has taken, or NULL
    bool complete;           ///< there will be no more
    bool failed;             ///< a search did
} bspi_volume_queue;

void bspi_volume_queue_begin(bspi_volume_queue *queue, const bspi_tree_emitter *emitter);
/// Adds a volume with these contents, which is carver->solid. One thread adds. Returns false
/// without memory.
bool bspi_volume_queue_add(bspi_volume_queue *queue, const bspi_carver *carver, int32_t contents);
/// Says that there will be no more, also after a failure.
void bspi_volume_queue_complete(bspi_volume_queue *queue);
/// Finds what the sides of the volumes show until all are found, and waits for more if there may
/// be some. Any number of threads may do that. Returns false, with the error filled, without memory
/// or over the limit of work.
bool bspi_volume_queue_find(bspi_volume_queue *queue, bsp_error *error);
/// Writes all volumes, which are found. Returns false without memory.
bool bspi_volume_queue_write(bspi_volume_queue *queue, bspi_tree_emitter *emitter);
void bspi_volume_queue_end(bspi_volume_queue *queue);

#endif
