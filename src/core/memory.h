// SPDX-License-Identifier: MIT
// Memory of the library: an allocator with a limit, and the arena that owns what an object hands
// out. One free releases all of it.
#ifndef BSPI_MEMORY_H
#define BSPI_MEMORY_H

#include "bspkit/core.h"

#include <stdatomic.h>

/// The memory and work of a product: an allocator with a limit of bytes, and a count of steps with
/// a limit. Counts are atomic, since any thread may decompress a lump. All parents of a heap count
/// the same; the last parent may be that of a budget.
typedef struct bspi_heap {
    bsp_allocator allocator;
    size_t limit; ///< bytes; SIZE_MAX for none
    atomic_size_t used;
    uint64_t work_limit; ///< steps; BSP_NO_LIMIT for none
    atomic_uint_fast64_t work;
    struct bspi_heap *parent; ///< counts the same; may be NULL
    bsp_budget *budget;       ///< the budget of the last parent; NULL without one
    bsp_product product;      ///< whose limits apply, for messages; BSP_PRODUCT_COUNT: no product's
    uint64_t bytes;           ///< size of the input, in proportion to which the limits were set
} bspi_heap;

/// Initialises a heap with `limit` bytes, 0 for no limit, and no limit of work.
void bspi_heap_init(bspi_heap *heap, const bsp_allocator *allocator, size_t limit);
/// Initialises a heap without limits of its own that counts for `parent`, which may be NULL and
/// must outlive it. What is made from a file shares the limits of the file in this way.
void bspi_heap_init_under(bspi_heap *heap, bspi_heap *parent, const bsp_allocator *allocator);
/// Initialises the heap of a product that is made from `bytes` bytes. It has the product's limits,
/// or those of `budget` (may be NULL) where that sets some.
void bspi_heap_init_for(bspi_heap *heap, bsp_product product, uint64_t bytes, bsp_budget *budget,
                        const bsp_allocator *allocator);
/// Adds `bytes` to the size of the input: the limits grow in proportion.
void bspi_heap_extend(bspi_heap *heap, uint64_t bytes);

/// Returns the number of threads that the budget of a heap states; where it states none, 1 for an
/// allocator of the caller, and else 0: as many as there are processors.
uint32_t bspi_heap_asked_threads(const bspi_heap *heap);
/// Returns the number of threads that a budget states, or 0.
uint32_t bspi_budget_asked_threads(const bsp_budget *budget);

/// Counts `steps` of work. Returns false, with BSP_E_LIMIT or BSP_E_CANCELLED, over a limit or when
/// the caller stopped the work.
bool bspi_heap_work(bspi_heap *heap, uint64_t steps, bsp_error *error);

/// Counts the work of a loop of many rounds: adding is cheap, and the heap is charged from time to
/// time. Each thread has its own meter. bspi_meter_pay charges the last steps.
typedef struct bspi_meter {
    bspi_heap *heap;
    uint64_t steps; ///< not charged yet
    bool failed;    ///< sticky: the heap refused a charge, and refuses all later ones
    bsp_error *error;
} bspi_meter;

#define BSPI_METER_STEPS ((uint64_t)1 << 14)

/// Charges the heap with what was counted. Returns false, with the error filled, over a limit.
bool bspi_meter_pay(bspi_meter *meter);

/// Counts `steps`, less than 2^63. Returns false if the work is over a limit or was stopped.
static inline bool bspi_meter_add(bspi_meter *meter, uint64_t steps) {
    meter->steps += steps;
    return meter->steps < BSPI_METER_STEPS ? !meter->failed : bspi_meter_pay(meter);
}

/// Counts bytes that are allocated elsewhere. Returns false, with the error filled, over a limit.
bool bspi_heap_charge(bspi_heap *heap, size_t bytes, bsp_error *error);
void bspi_heap_discharge(bspi_heap *heap, size_t bytes);

/// Returns `size` uninitialised bytes, or NULL with the error filled. Size 0 gives a non-NULL
/// pointer.
void *bspi_heap_alloc(bspi_heap *heap, size_t size, bsp_error *error);
void bspi_heap_free(bspi_heap *heap, void *memory, size_t size);
/// Returns memory of `old_size` bytes (NULL: none) with `size` bytes, in another place if need be,
/// as realloc does: what is large is not copied. NULL, with the error filled and `memory` still
/// valid, on failure.
void *bspi_heap_resize(bspi_heap *heap, void *memory, size_t old_size, size_t size,
                       bsp_error *error);
/// Says that of `size` bytes, which were just allocated, those from `used` on are perhaps not used.
void bspi_heap_spare(const bspi_heap *heap, void *memory, size_t size, size_t used);
/// Stops counting `size` bytes of the heap, which now belong to the caller.
void bspi_heap_give(bspi_heap *heap, size_t size);

/// Returns `size` zeroed bytes for an object that holds a heap of its own, which does not count
/// them. `allocator` may be NULL. Returns NULL, with the error filled, without memory.
void *bspi_object_new(const bsp_allocator *allocator, size_t size, bsp_error *error);
/// Frees such an object with the allocator of its heap.
void bspi_object_free(void *object, size_t size, const bsp_allocator *allocator);

/// Makes room for one more element: when `count` has reached `*room`, doubles it. Returns the array
/// that replaces `array`, or NULL without memory (`array` is still valid then).
void *bspi_grow(bspi_heap *heap, void *array, size_t count, size_t *room, size_t element,
                bsp_error *error);

typedef struct bspi_arena_block bspi_arena_block;

/// Memory that is only freed as a whole.
typedef struct bspi_arena {
    bspi_heap *heap;
    bspi_arena_block *blocks;
} bspi_arena;

void bspi_arena_init(bspi_arena *arena, bspi_heap *heap);
void bspi_arena_free(bspi_arena *arena);

/// Returns `count` uninitialised elements of `size` bytes each, aligned for any type. NULL on
/// failure.
void *bspi_arena_raw(bspi_arena *arena, size_t count, size_t size, bsp_error *error);
/// Makes room for elements of `bytes` in all, which are allocated next. Much is put where the
/// operating system can give large pages. False, with the error filled, on failure.
bool bspi_arena_room(bspi_arena *arena, size_t bytes, bsp_error *error);
/// Returns `count` elements as bspi_arena_raw does, all zero.
void *bspi_arena_zero(bspi_arena *arena, size_t count, size_t size, bsp_error *error);
/// Returns a NUL-terminated copy of `text`. NULL on failure.
char *bspi_arena_text(bspi_arena *arena, bsp_text text, bsp_error *error);

/// Sets `*product` to a * b. Returns false if that overflows.
static inline bool bspi_multiply(size_t a, size_t b, size_t *product) {
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *product = a * b;
    return true;
}

/// Copies `why` to `error` and returns true if it is the end of memory, a limit or a stop. Any
/// other failure leaves `error` alone: the caller may go on without what could not be read.
bool bspi_out_of_memory(const bsp_error *why, bsp_error *error);

#endif
