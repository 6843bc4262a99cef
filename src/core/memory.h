// SPDX-License-Identifier: MIT
// Memory of the library: an allocator with a ceiling, and the arena that owns what an object
// hands out. One free releases all of it.
#ifndef BSPI_MEMORY_H
#define BSPI_MEMORY_H

#include "bspkit/core.h"

#include <stdatomic.h>

/// What a product may take: an allocator with a ceiling, and a count of work with another. Counts
/// are atomic: lumps are decompressed by any thread. What one heap pays its parents pay as well;
/// the last of them is a budget's, when there is one.
typedef struct bspi_heap {
    bsp_allocator allocator;
    size_t limit; ///< bytes; SIZE_MAX for none
    atomic_size_t used;
    uint64_t work_limit; ///< steps; BSP_NO_LIMIT for none
    atomic_uint_fast64_t work;
    struct bspi_heap *parent; ///< pays as well; may be NULL
    bsp_budget *budget;       ///< the last parent's; NULL without one
    bsp_product product; ///< whose limits they are, for messages; BSP_PRODUCT_COUNT: no product's
    uint64_t bytes;      ///< what the product is made from: the limits grew with it
} bspi_heap;

/// `limit` 0 means none; there is no limit of work.
void bspi_heap_init(bspi_heap *heap, const bsp_allocator *allocator, size_t limit);
/// A heap of no limits that counts for `parent` (which may be NULL, and must outlive it): what is
/// made out of a file shares the file's limits.
void bspi_heap_init_under(bspi_heap *heap, bspi_heap *parent, const bsp_allocator *allocator);
/// The heap of a product that is made from `bytes` bytes: it has the product's limits, or those of
/// `budget` (may be NULL) where that sets some.
void bspi_heap_init_for(bspi_heap *heap, bsp_product product, uint64_t bytes, bsp_budget *budget,
                        const bsp_allocator *allocator);
/// The product is made from more than was known: its limits grow.
void bspi_heap_extend(bspi_heap *heap, uint64_t bytes);

/// Counts `steps` of work. False, with BSP_E_LIMIT or BSP_E_CANCELLED, if that is too much.
bool bspi_heap_work(bspi_heap *heap, uint64_t steps, bsp_error *error);

/// Work of a loop of many rounds, counted where it is done and paid for now and then: adding is
/// cheap. Each thread has its own. The last steps are paid by bspi_meter_pay.
typedef struct bspi_meter {
    bspi_heap *heap;
    uint64_t steps; ///< not paid yet
    bool failed;    ///< a payment was refused: all that follow are
    bsp_error *error;
} bspi_meter;

#define BSPI_METER_STEPS ((uint64_t)1 << 14)

/// Pays for what was counted. False, the error filled, if that is too much.
bool bspi_meter_pay(bspi_meter *meter);

/// Counts `steps` (less than 2^63). False if the work is over a limit, or was stopped.
static inline bool bspi_meter_add(bspi_meter *meter, uint64_t steps) {
    meter->steps += steps;
    return meter->steps < BSPI_METER_STEPS ? !meter->failed : bspi_meter_pay(meter);
}

/// Counts bytes that are allocated elsewhere. False with the error filled if they are too many.
bool bspi_heap_charge(bspi_heap *heap, size_t bytes, bsp_error *error);
void bspi_heap_discharge(bspi_heap *heap, size_t bytes);

/// `size` uninitialised bytes, or NULL with the error filled. Size 0 gives a non-NULL pointer.
void *bspi_heap_alloc(bspi_heap *heap, size_t size, bsp_error *error);
void bspi_heap_free(bspi_heap *heap, void *memory, size_t size);
/// Memory of the heap becomes the caller's: it is no longer counted.
void bspi_heap_give(bspi_heap *heap, size_t size);

/// Room for one more element: a copy twice as large when `count` has reached `*room`. The result
/// replaces `array`; NULL when memory ends (and `array` is still there).
void *bspi_grow(bspi_heap *heap, void *array, size_t count, size_t *room, size_t element,
                bsp_error *error);

typedef struct bspi_arena_block bspi_arena_block;

/// Memory that is only ever freed as a whole.
typedef struct bspi_arena {
    bspi_heap *heap;
    bspi_arena_block *blocks;
} bspi_arena;

void bspi_arena_init(bspi_arena *arena, bspi_heap *heap);
void bspi_arena_free(bspi_arena *arena);

/// `count` elements of `size` bytes each, not cleared, aligned for any type. NULL on failure.
void *bspi_arena_raw(bspi_arena *arena, size_t count, size_t size, bsp_error *error);
/// The same, all zero.
void *bspi_arena_zero(bspi_arena *arena, size_t count, size_t size, bsp_error *error);
/// A NUL-terminated copy of `text`.
char *bspi_arena_text(bspi_arena *arena, bsp_text text, bsp_error *error);

/// a * b, or false if that does not fit.
static inline bool bspi_multiply(size_t a, size_t b, size_t *product) {
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *product = a * b;
    return true;
}

/// Passes the end of memory, a limit or a stop on from `why` to `error`: true if it is one of them.
/// Other failures to read something may be lived with, and leave `error` alone.
bool bspi_out_of_memory(const bsp_error *why, bsp_error *error);

#endif
