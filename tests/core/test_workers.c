// SPDX-License-Identifier: MIT
// Items divided among threads: each is done once, no two at once by one worker, and the error is
// that of the lowest item that fails, at any number of threads.
#include "core/os.h"
#include "core/workers.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 1000u

typedef struct tally {
    atomic_uint done[ITEMS];
    atomic_bool busy[BSPI_MAX_WORKERS];
    atomic_uint threads; // those that did an item: the highest worker + 1
    uint32_t fail_from;  // every third item from here fails
} tally;

static bool count_item(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    tally *t = user;
    assert_true(worker < BSPI_MAX_WORKERS);
    assert_false(atomic_exchange(&t->busy[worker], true));
    atomic_fetch_add(&t->done[item], 1);
    unsigned known = atomic_load(&t->threads);
    while (worker + 1 > known && !atomic_compare_exchange_weak(&t->threads, &known, worker + 1)) {
    }
    atomic_store(&t->busy[worker], false);
    if (item >= t->fail_from && (item - t->fail_from) % 3 == 0) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "item %u", (unsigned)item);
    }
    return true;
}

static void test_each_item_once(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 7, ITEMS};
    tally *t = malloc(sizeof *t);
    for (uint32_t threads = 1; threads <= BSPI_MAX_WORKERS + 1; threads += 3) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            memset(t, 0, sizeof *t);
            t->fail_from = ITEMS;
            assert_true(bspi_workers_each(threads, counts[c], count_item, t, NULL));
            for (uint32_t i = 0; i < ITEMS; i++) {
                assert_int_equal(atomic_load(&t->done[i]), i < counts[c]);
            }
            assert_true(atomic_load(&t->threads) <= threads);
            assert_true(atomic_load(&t->threads) <= counts[c]);
        }
    }
    free(t);
}

static void test_lowest_failure(void **state) {
    (void)state;
    tally *t = malloc(sizeof *t);
    for (uint32_t round = 0; round < 200; round++) {
        bsp_error error = {0};
        char expected[32];
        memset(t, 0, sizeof *t);
        t->fail_from = round * 5;
        (void)snprintf(expected, sizeof expected, "item %u", (unsigned)t->fail_from);
        assert_false(bspi_workers_each(1 + round % 9, ITEMS, count_item, t, &error));
        assert_int_equal(error.code, BSP_E_FORMAT);
        assert_string_equal(error.message, expected);
        for (uint32_t i = 0; i <= t->fail_from; i++) {
            assert_int_equal(atomic_load(&t->done[i]), 1);
        }
    }
    free(t);
}

// What a caller hears of a stage.
typedef struct listener {
    pthread_t caller;
    uint64_t heard[ITEMS + 1];
    uint32_t count;
    uint64_t stop_at; // done items at which it stops the work
} listener;

static bool hear(void *user, const char *stage, uint64_t done, uint64_t total) {
    listener *l = user;
    assert_string_equal(stage, "items");
    assert_true(total == ITEMS && l->count <= ITEMS);
    assert_true(pthread_equal(pthread_self(), l->caller));
    l->heard[l->count++] = done;
    return done < l->stop_at;
}

static bool run_stage(uint32_t threads, tally *t, listener *l, bsp_error *error) {
    const bsp_progress to = {hear, l};
    bspi_progress progress;
    l->caller = pthread_self();
    return bspi_progress_begin(&progress, &to, "items", ITEMS, error) &&
           bspi_workers_stage(threads, ITEMS, count_item, t, &progress, error);
}

// The reports are the same at any number of threads, and in the caller's.
static void test_reports_of_a_stage(void **state) {
    (void)state;
    tally *t = calloc(1, sizeof *t);
    listener *first = calloc(1, sizeof *first);
    listener *other = calloc(1, sizeof *other);
    t->fail_from = ITEMS;
    first->stop_at = ITEMS + 1;
    assert_true(run_stage(1, t, first, NULL));
    assert_true(first->count > 200 && first->heard[0] == 0);
    assert_int_equal(first->heard[first->count - 1], ITEMS);
    for (uint32_t threads = 2; threads < 20; threads += 3) {
        memset(other, 0, sizeof *other);
        other->stop_at = ITEMS + 1;
        assert_true(run_stage(threads, t, other, NULL));
        assert_int_equal(other->count, first->count);
        assert_memory_equal(other->heard, first->heard, sizeof first->heard);
    }
    free(other);
    free(first);
    free(t);
}

// A caller who stops the work hears no more, and no item is begun that was not.
static void test_stopped_stage(void **state) {
    (void)state;
    tally *t = malloc(sizeof *t);
    listener *l = malloc(sizeof *l);
    for (uint32_t threads = 1; threads < 10; threads += 4) {
        bsp_error error = {0};
        memset(t, 0, sizeof *t);
        memset(l, 0, sizeof *l);
        t->fail_from = ITEMS;
        l->stop_at = ITEMS / 4;
        assert_false(run_stage(threads, t, l, &error));
        assert_int_equal(error.code, BSP_E_CANCELLED);
        assert_true(l->heard[l->count - 1] >= ITEMS / 4);
        assert_true(l->heard[l->count - 2] < ITEMS / 4);
        assert_true(threads != 1 || atomic_load(&t->done[ITEMS / 4 + 4]) == 0);
    }
    free(l);
    free(t);
}

static void *resize(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, new_size);
}

static void test_number_of_threads(void **state) {
    (void)state;
    bspi_heap heap;
    bsp_allocator own = {.resize = resize};
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    uint32_t processors = bspi_processors();
    assert_true(processors >= 1);
    uint32_t most = processors < BSPI_MAX_WORKERS ? processors : BSPI_MAX_WORKERS;
    bspi_heap_init_for(&heap, BSP_PRODUCT_MESH, 0, NULL, NULL);
    assert_int_equal(bspi_heap_threads(&heap), most);
    bspi_heap_init_for(&heap, BSP_PRODUCT_MESH, 0, NULL, &own);
    assert_int_equal(bspi_heap_threads(&heap), 1);
    bspi_heap_init_for(&heap, BSP_PRODUCT_MESH, 0, budget, &own);
    assert_int_equal(bspi_heap_threads(&heap), 1);
    bsp_budget_set_threads(budget, 5);
    assert_int_equal(bspi_heap_threads(&heap), 5);
    bsp_budget_set_threads(budget, UINT32_MAX);
    assert_int_equal(bspi_heap_threads(&heap), BSPI_MAX_WORKERS);
    bspi_heap_init_for(&heap, BSP_PRODUCT_MESH, 0, budget, NULL);
    bsp_budget_set_threads(budget, 0);
    assert_int_equal(bspi_heap_threads(&heap), most);
    bsp_budget_free(budget);
}

// --- items in order -----------------------------------------------------------------------------

typedef struct line {
    pthread_t caller;
    uint32_t slots;
    uint32_t held[BSPI_MAX_SLOTS]; // item in each slot, plus one; 0: none
    uint32_t used;
    uint32_t stop; // item whose use fails
} line;

static void hold_item(void *user, uint32_t slot, uint32_t item) {
    line *l = user;
    assert_true(slot < l->slots);
    assert_int_equal(l->held[slot], 0);
    l->held[slot] = item + 1;
}

static bool use_item(void *user, uint32_t slot, uint32_t item) {
    line *l = user;
    assert_true(pthread_equal(pthread_self(), l->caller) != 0);
    assert_int_equal(item, l->used);
    assert_int_equal(l->held[slot], item + 1);
    l->held[slot] = 0;
    l->used++;
    return item != l->stop;
}

static void test_pipe(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 7, ITEMS};
    for (uint32_t threads = 1; threads <= 16; threads += 5) {
        for (uint32_t slots = 1; slots <= BSPI_MAX_SLOTS; slots += 9) {
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                line l = {.caller = pthread_self(), .slots = slots, .stop = ITEMS};
                assert_true(bspi_workers_pipe(threads, counts[c], slots, hold_item, use_item, &l));
                assert_int_equal(l.used, counts[c]);
            }
            line l = {.caller = pthread_self(), .slots = slots, .stop = 70};
            assert_false(bspi_workers_pipe(threads, ITEMS, slots, hold_item, use_item, &l));
            assert_int_equal(l.used, 71);
        }
    }
}

typedef struct parts {
    line line;
    bspi_pipe pipe;
    bool complete;
} parts;

// Part 0 uses the items; the others help when they are begun.
static bool do_part(void *user, uint32_t worker, uint32_t part, bsp_error *error) {
    parts *all = user;
    (void)worker;
    (void)error;
    if (part == 0) {
        all->line.caller = pthread_self();
        all->complete = bspi_pipe_use(&all->pipe);
    } else {
        bspi_pipe_help(&all->pipe);
    }
    return true;
}

static void test_pipe_of_parts(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        for (uint32_t stop = 40; stop <= ITEMS; stop += ITEMS - 40) {
            parts all = {.line = {.slots = 5, .stop = stop}};
            bspi_pipe_begin(&all.pipe, ITEMS, 5, hold_item, use_item, &all.line);
            assert_true(bspi_workers_each(threads, 6, do_part, &all, NULL));
            bspi_pipe_end(&all.pipe);
            assert_int_equal(all.complete, stop == ITEMS);
            assert_int_equal(all.line.used, stop == ITEMS ? ITEMS : stop + 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_item_once),     cmocka_unit_test(test_lowest_failure),
        cmocka_unit_test(test_reports_of_a_stage), cmocka_unit_test(test_stopped_stage),
        cmocka_unit_test(test_number_of_threads),  cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_pipe_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
