// SPDX-License-Identifier: MIT
// Items divided among threads: each is done once, no two at once by one worker, and the error is
// that of the lowest item that fails, at any number of threads.
#include "core/os.h"
#include "core/workers.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_item_once),
        cmocka_unit_test(test_lowest_failure),
        cmocka_unit_test(test_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
