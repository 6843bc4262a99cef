// SPDX-License-Identifier: MIT
// Heaps and budgets limit the memory and work of a product. A budget is the last parent of every
// heap that is made with it. A limit that it sets replaces the default limits of the products.
#include "core/memory.h"
#include "core/os_pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LARGE ((size_t)4 << 20) // bytes of memory that surely holds a large page of 2 MiB

struct bsp_budget {
    bspi_heap heap;      // the parent of all heaps
    bsp_limits limits;   // as the caller gave them; 0: the defaults
    atomic_uint threads; // 0: one per processor
    atomic_bool stopped;
    atomic_uint_fast64_t peak; // the highest heap.used
    atomic_uint_fast64_t read;
    atomic_uint_fast64_t files;
    atomic_uint_fast64_t bytes;
    atomic_uint_fast64_t
        memory_share[BSP_PRODUCT_COUNT]; // the product's share of its limit, in thousandths
    atomic_uint_fast64_t work_share[BSP_PRODUCT_COUNT];
};

// --- heaps --------------------------------------------------------------------------------------

static void *libc_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    if (memory != NULL && old_size >= LARGE && new_size > old_size) {
        bspi_prefer_large_pages(memory, old_size); // in one piece it is moved without copying
    }
    void *resized = realloc(memory, new_size);
    if (resized != NULL && new_size >= LARGE && new_size > old_size) {
        bspi_prefer_large_pages(resized, new_size);
    }
    return resized;
}

void bspi_heap_init(bspi_heap *heap, const bsp_allocator *allocator, size_t limit) {
    heap->allocator.resize = libc_resize;
    heap->allocator.user = NULL;
    if (allocator != NULL && allocator->resize != NULL) {
        heap->allocator = *allocator;
    }
    heap->limit = limit == 0 ? SIZE_MAX : limit;
    heap->work_limit = BSP_NO_LIMIT;
    heap->parent = NULL;
    heap->budget = NULL;
    heap->product = BSP_PRODUCT_COUNT;
    heap->bytes = 0;
    atomic_init(&heap->used, 0);
    atomic_init(&heap->work, 0);
}

void bspi_heap_init_under(bspi_heap *heap, bspi_heap *parent, const bsp_allocator *allocator) {
    bspi_heap_init(heap, allocator, 0);
    heap->parent = parent;
    heap->budget = parent == NULL ? NULL : parent->budget;
}

// --- creating and freeing ------------------------------------------------------------------------

static uint64_t or_none(uint64_t limit) {
    return limit == 0 ? BSP_NO_LIMIT : limit;
}

bsp_budget *bsp_budget_new(const bsp_limits *limits, const bsp_allocator *allocator) {
    bsp_budget *budget = bspi_object_new(allocator, sizeof *budget, NULL);
    if (budget == NULL) {
        return NULL;
    }
    bspi_heap_init(&budget->heap, allocator, 0);
    budget->limits = limits == NULL ? (bsp_limits){0} : *limits;
    uint64_t memory = or_none(budget->limits.memory);
    budget->heap.limit = memory > SIZE_MAX ? SIZE_MAX : (size_t)memory;
    budget->heap.work_limit = or_none(budget->limits.work);
    budget->heap.budget = budget;
    atomic_init(&budget->threads, 0);
    atomic_init(&budget->stopped, false);
    atomic_init(&budget->peak, 0);
    atomic_init(&budget->read, 0);
    atomic_init(&budget->files, 0);
    atomic_init(&budget->bytes, 0);
    for (int i = 0; i < BSP_PRODUCT_COUNT; i++) {
        atomic_init(&budget->memory_share[i], 0);
        atomic_init(&budget->work_share[i], 0);
    }
    return budget;
}

void bsp_budget_free(bsp_budget *budget) {
    if (budget != NULL) {
        bspi_object_free(budget, sizeof *budget, &budget->heap.allocator);
    }
}

void bsp_budget_stop(bsp_budget *budget) {
    assert(budget != NULL);
    atomic_store(&budget->stopped, true);
}

void bsp_budget_set_threads(bsp_budget *budget, uint32_t threads) {
    assert(budget != NULL);
    atomic_store(&budget->threads, threads);
}

uint32_t bspi_budget_asked_threads(const bsp_budget *budget) {
    return atomic_load(&budget->threads);
}

uint32_t bspi_heap_asked_threads(const bspi_heap *heap) {
    uint32_t asked = heap->budget == NULL ? 0 : bspi_budget_asked_threads(heap->budget);
    return asked == 0 && heap->allocator.resize != libc_resize ? 1 : asked;
}

static bool is_stopped(const bsp_budget *budget) {
    return budget != NULL && atomic_load_explicit(&budget->stopped, memory_order_relaxed);
}

static bsp_limits limits_of(const bsp_budget *budget) {
    return budget == NULL ? (bsp_limits){0} : budget->limits;
}

// --- the limits of a product --------------------------------------------------------------------

// Returns floor + factor * bytes, or BSP_NO_LIMIT where that overflows.
static uint64_t in_proportion(uint64_t floor, uint64_t factor, uint64_t bytes) {
    if (floor == BSP_NO_LIMIT || (factor != 0 && bytes > (BSP_NO_LIMIT - floor) / factor)) {
        return BSP_NO_LIMIT;
    }
    return floor + factor * bytes;
}

void bspi_heap_extend(bspi_heap *heap, uint64_t bytes) {
    const bsp_product_limits *own = bsp_product_get_limits(heap->product);
    bsp_limits given = limits_of(heap->budget);
    heap->bytes = bytes > UINT64_MAX - heap->bytes ? UINT64_MAX : heap->bytes + bytes;
    if (given.memory == 0) {
        uint64_t memory = in_proportion(own->floor.memory, own->factor.memory, heap->bytes);
        heap->limit = memory > SIZE_MAX ? SIZE_MAX : (size_t)memory;
    }
    if (given.work == 0) {
        heap->work_limit = in_proportion(own->floor.work, own->factor.work, heap->bytes);
    }
}

void bspi_heap_init_for(bspi_heap *heap, bsp_product product, uint64_t bytes, bsp_budget *budget,
                        const bsp_allocator *allocator) {
    bspi_heap_init_under(heap, budget == NULL ? NULL : &budget->heap, allocator);
    heap->product = product;
    bspi_heap_extend(heap, bytes);
}

// --- failing ------------------------------------------------------------------------------------

static bool fail(bsp_product product, uint64_t bytes, const char *what, uint64_t limit,
                 const char *unit, bsp_error *error) {
    if (product == BSP_PRODUCT_COUNT) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "the %s limit of %llu %s would be exceeded", what,
                        (unsigned long long)limit, unit);
    }
    const bsp_product_limits *own = bsp_product_get_limits(product);
    if (bytes == 0) { // a picture that is drawn has no file
        return bsp_fail(error, BSP_E_LIMIT, NULL,
                        "the %s limit of %llu %s would be exceeded: the default of '%s'", what,
                        (unsigned long long)limit, unit, own->name);
    }
    return bsp_fail(error, BSP_E_LIMIT, NULL,
                    "the %s limit of %llu %s would be exceeded: the default of '%s' for %llu bytes "
                    "of %s",
                    what, (unsigned long long)limit, unit, own->name, (unsigned long long)bytes,
                    own->of);
}

static bool fail_at(const bspi_heap *payer, const char *what, uint64_t limit, const char *unit,
                    bsp_error *error) {
    return fail(payer->product, payer->bytes, what, limit, unit, error);
}

// --- what was used ------------------------------------------------------------------------------

static void raise_to(atomic_uint_fast64_t *most, uint64_t value) {
    uint_fast64_t known = atomic_load_explicit(most, memory_order_relaxed);
    while (value > known && !atomic_compare_exchange_weak(most, &known, value)) {
    }
}

static uint64_t share(uint64_t used, uint64_t limit) {
    // A double is exact up to 2^53, far above any limit in use.
    return limit == BSP_NO_LIMIT || limit == 0
               ? 0
               : (uint64_t)((double)used / (double)limit * 1000.0 + 0.5);
}

static void note_memory(const bspi_heap *heap, uint64_t used) {
    bsp_budget *budget = heap->budget;
    if (budget == NULL) {
        return;
    }
    if (heap == &budget->heap) {
        raise_to(&budget->peak, used);
    } else if (heap->product != BSP_PRODUCT_COUNT && heap->limit != SIZE_MAX) {
        raise_to(&budget->memory_share[heap->product], share(used, heap->limit));
    }
}

static void note_work(const bspi_heap *heap, uint64_t used) {
    bsp_budget *budget = heap->budget;
    if (budget != NULL && heap != &budget->heap && heap->product != BSP_PRODUCT_COUNT) {
        raise_to(&budget->work_share[heap->product], share(used, heap->work_limit));
    }
}

// --- counting ------------------------------------------------------------------------------------

// Undoes the count of `bytes` in `heap` and its parents up to `end`, which did not count them.
static void take_back(bspi_heap *heap, const bspi_heap *end, size_t bytes) {
    for (; heap != end; heap = heap->parent) {
        atomic_fetch_sub(&heap->used, bytes);
    }
}

bool bspi_heap_charge(bspi_heap *heap, size_t bytes, bsp_error *error) {
    if (is_stopped(heap->budget)) {
        return bsp_fail(error, BSP_E_CANCELLED, NULL, "stopped by the caller");
    }
    for (bspi_heap *payer = heap; payer != NULL; payer = payer->parent) {
        size_t before = atomic_fetch_add(&payer->used, bytes);
        if (bytes > payer->limit || before > payer->limit - bytes) {
            atomic_fetch_sub(&payer->used, bytes);
            take_back(heap, payer, bytes);
            return fail_at(payer, "memory", payer->limit, "bytes", error);
        }
        note_memory(payer, before + bytes);
    }
    return true;
}

bool bspi_heap_work(bspi_heap *heap, uint64_t steps, bsp_error *error) {
    if (is_stopped(heap->budget)) {
        return bsp_fail(error, BSP_E_CANCELLED, NULL, "stopped by the caller");
    }
    for (bspi_heap *payer = heap; payer != NULL; payer = payer->parent) {
        uint64_t before = atomic_fetch_add(&payer->work, steps);
        if (steps > payer->work_limit || before > payer->work_limit - steps) {
            return fail_at(payer, "work", payer->work_limit, "steps", error);
        }
        note_work(payer, before + steps);
    }
    return true;
}

bool bspi_meter_pay(bspi_meter *meter) {
    uint64_t steps = meter->steps;
    meter->steps = 0;
    meter->failed = meter->failed || !bspi_heap_work(meter->heap, steps, meter->error);
    return !meter->failed;
}

void bspi_heap_discharge(bspi_heap *heap, size_t bytes) {
    for (; heap != NULL; heap = heap->parent) {
        atomic_fetch_sub(&heap->used, bytes);
    }
}

void *bspi_heap_alloc(bspi_heap *heap, size_t size, bsp_error *error) {
    size_t bytes = size == 0 ? 1 : size;
    if (!bspi_heap_charge(heap, bytes, error)) {
        return NULL;
    }
    void *memory = heap->allocator.resize(heap->allocator.user, NULL, 0, bytes);
    if (memory == NULL) {
        bspi_heap_discharge(heap, bytes);
        bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for %zu bytes", bytes);
    }
    return memory;
}

void bspi_heap_free(bspi_heap *heap, void *memory, size_t size) {
    if (memory != NULL) {
        size_t bytes = size == 0 ? 1 : size;
        heap->allocator.resize(heap->allocator.user, memory, bytes, 0);
        bspi_heap_discharge(heap, bytes);
    }
}

void *bspi_heap_resize(bspi_heap *heap, void *memory, size_t old_size, size_t size,
                       bsp_error *error) {
    size_t old = memory == NULL ? 0 : old_size == 0 ? 1 : old_size;
    size_t bytes = size == 0 ? 1 : size;
    if (bytes > old && !bspi_heap_charge(heap, bytes - old, error)) {
        return NULL;
    }
    void *moved = heap->allocator.resize(heap->allocator.user, memory, old, bytes);
    if (moved == NULL) {
        bspi_heap_discharge(heap, bytes > old ? bytes - old : 0);
        bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for %zu bytes", bytes);
    } else if (bytes < old) {
        bspi_heap_discharge(heap, old - bytes);
    }
    return moved;
}

void bspi_heap_spare(const bspi_heap *heap, void *memory, size_t size, size_t used) {
    if (heap->allocator.resize == libc_resize && size >= LARGE) {
        bspi_prefer_small_pages((uint8_t *)memory + used, size - used);
    }
}

void *bspi_object_new(const bsp_allocator *allocator, size_t size, bsp_error *error) {
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    void *object = bspi_heap_alloc(&heap, size, error);
    return object == NULL ? NULL : memset(object, 0, size);
}

void bspi_object_free(void *object, size_t size, const bsp_allocator *allocator) {
    bsp_allocator own = *allocator; // stands in the object
    own.resize(own.user, object, size, 0);
}

void bspi_heap_give(bspi_heap *heap, size_t size) {
    bspi_heap_discharge(heap, size == 0 ? 1 : size);
}

// --- reports ------------------------------------------------------------------------------------

bsp_limits bsp_budget_used(const bsp_budget *budget) {
    assert(budget != NULL);
    return (bsp_limits){.memory = atomic_load(&budget->peak),
                        .work = atomic_load(&budget->heap.work),
                        .output_bytes = atomic_load(&budget->bytes),
                        .output_files = atomic_load(&budget->files)};
}

static uint64_t output_limit(uint64_t given, uint64_t floor, uint64_t factor, uint64_t read) {
    return given != 0 ? given : in_proportion(floor, factor, read);
}

static bsp_limits output_limits(const bsp_budget *budget) {
    const bsp_product_limits *own = bsp_product_get_limits(BSP_PRODUCT_OUTPUT);
    uint64_t read = atomic_load(&budget->read);
    return (bsp_limits){
        .output_bytes = output_limit(budget->limits.output_bytes, own->floor.output_bytes,
                                     own->factor.output_bytes, read),
        .output_files = output_limit(budget->limits.output_files, own->floor.output_files,
                                     own->factor.output_files, read / 1024)};
}

bsp_limits bsp_budget_share(const bsp_budget *budget, bsp_product product) {
    assert(budget != NULL);
    if (product >= BSP_PRODUCT_COUNT) {
        return (bsp_limits){0};
    }
    bsp_limits limits = output_limits(budget);
    bool output = product == BSP_PRODUCT_OUTPUT;
    return (bsp_limits){
        .memory = atomic_load(&budget->memory_share[product]),
        .work = atomic_load(&budget->work_share[product]),
        .output_bytes = output ? share(atomic_load(&budget->bytes), limits.output_bytes) : 0,
        .output_files = output ? share(atomic_load(&budget->files), limits.output_files) : 0};
}

// --- output -------------------------------------------------------------------------------------

void bsp_budget_read(bsp_budget *budget, uint64_t bytes) {
    if (budget != NULL) {
        atomic_fetch_add(&budget->read, bytes);
    }
}

static bool count(atomic_uint_fast64_t *used, uint64_t more, uint64_t limit) {
    uint64_t before = atomic_fetch_add(used, more);
    if (more > limit || before > limit - more) {
        atomic_fetch_sub(used, more);
        return false;
    }
    return true;
}

static bool refuse(const bsp_budget *budget, const char *what, uint64_t own, uint64_t limit,
                   const char *unit, bsp_error *error) {
    return fail(own != 0 ? BSP_PRODUCT_COUNT : BSP_PRODUCT_OUTPUT, atomic_load(&budget->read), what,
                limit, unit, error);
}

static bool write_up(bsp_budget *budget, uint64_t files, uint64_t bytes, bsp_error *error) {
    bsp_limits limits = output_limits(budget);
    if (is_stopped(budget)) {
        return bsp_fail(error, BSP_E_CANCELLED, NULL, "stopped by the caller");
    }
    if (!count(&budget->files, files, limits.output_files)) {
        return refuse(budget, "files", budget->limits.output_files, limits.output_files, "files",
                      error);
    }
    if (!count(&budget->bytes, bytes, limits.output_bytes)) {
        atomic_fetch_sub(&budget->files, files);
        return refuse(budget, "output", budget->limits.output_bytes, limits.output_bytes, "bytes",
                      error);
    }
    return true;
}

bool bsp_budget_write(bsp_budget *budget, uint64_t files, uint64_t bytes, bsp_error *error) {
    return budget == NULL || write_up(budget, files, bytes, error);
}

bool bsp_budget_may_write(bsp_budget *budget, uint64_t files, uint64_t bytes, bsp_error *error) {
    if (budget != NULL && !write_up(budget, files, bytes, error)) {
        return false;
    }
    if (budget != NULL) {
        atomic_fetch_sub(&budget->files, files);
        atomic_fetch_sub(&budget->bytes, bytes);
    }
    return true;
}
