// SPDX-License-Identifier: MIT
// Many traces in one call: each result is that of the same trace alone, to the bit, at any number
// of traces and of threads.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "query/index.h"
#include "support/alloc.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 70001u // for several threads, and more than one sorted run

// A number from 0 up to 1, not included.
static float unit(test_random *random) {
    return (float)(random_u32(random) >> 8) / 16777216.0f;
}

// Somewhere around the world; some boxes, some short, some of every solid model; a few with numbers
// that are none, or far outside.
static void choose_trace(test_random *random, const bsp_map *map, uint32_t n, bsp_trace_input *in) {
    static const float odd[] = {NAN, -INFINITY, 1e30f, 2e6f};
    const bsp_model *world = &map->models[0];
    float size = n % 3 == 0 ? 16.0f : 0.0f;
    memset(in, 0, sizeof *in);
    for (int i = 0; i < 3; i++) {
        float extent = world->maxs[i] - world->mins[i];
        in->start[i] = world->mins[i] + (unit(random) * 1.2f - 0.1f) * extent;
        in->end[i] = n % 4 == 0 ? in->start[i] + unit(random) * 64 - 32
                                : world->mins[i] + unit(random) * extent;
        in->mins[i] = -size;
        in->maxs[i] = size;
    }
    if (n % 97 == 0) {
        float *number = n % 2 == 0 ? &in->start[n % 3] : &in->end[n % 3];
        *number = odd[random_u32(random) % (sizeof odd / sizeof *odd)];
    }
    in->mask = n % 7 == 0 ? UINT32_MAX : 0;
    in->model = n % 5 == 0 ? BSP_TRACE_ALL : 0;
}

typedef struct bench {
    bsp_trace_input inputs[BATCH];
    bsp_trace_result alone[BATCH];
    bsp_trace_result together[BATCH];
} bench;

// `least_index`: 0 to sort the traces, SIZE_MAX not to.
static void check_batches(const bsp_trace_index *index, size_t least_index, bench *b) {
    static const size_t counts[] = {0, 1, 31, 32, 33, 1000, 8193, BATCH};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        memset(b->together, 0xEE, sizeof b->together);
        bspi_trace_many(index, b->inputs, b->together, counts[k], least_index);
        for (size_t i = 0; i < counts[k]; i++) {
            assert_memory_equal(&b->together[i], &b->alone[i], sizeof b->alone[i]);
        }
        const uint8_t *after = (const uint8_t *)&b->together[counts[k]];
        assert_true(counts[k] == BATCH || *after == 0xEE);
    }
}

static void check_map(const char *path, bench *b) {
    static const uint32_t threads[] = {1, 2, 7};
    bsp_file *file = bsp_file_open(path, NULL, NULL);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    test_random random = {4711};
    for (uint32_t i = 0; i < BATCH; i++) {
        choose_trace(&random, map, i, &b->inputs[i]);
    }
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        bsp_budget *budget = bsp_budget_new(NULL, NULL);
        assert_non_null(budget);
        bsp_budget_set_threads(budget, threads[k]);
        bsp_trace_options options = {.size = sizeof options, .budget = budget};
        bsp_trace_index *index = bsp_trace_index_new(map, &options, NULL);
        assert_non_null(index);
        for (uint32_t i = 0; k == 0 && i < BATCH; i++) {
            bsp_trace(index, &b->inputs[i], &b->alone[i]);
        }
        check_batches(index, 0, b);
        check_batches(index, SIZE_MAX, b);
        bsp_trace_index_free(index);
        bsp_budget_free(budget);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

// Without memory for the order, the traces are not sorted.
static void check_memory(const char *path, bench *b) {
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_file *file = bsp_file_open(path, NULL, NULL);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
    bsp_trace_options options = {.size = sizeof options, .allocator = &allocator};
    bsp_trace_index *index = map == NULL ? NULL : bsp_trace_index_new(map, &options, NULL);
    assert_non_null(index);
    size_t size = bsp_trace_index_size(index);
    meter.fail_at = meter.requests + 1;
    check_batches(index, 0, b);
    assert_true(meter.requests >= meter.fail_at);
    assert_int_equal(bsp_trace_index_size(index), size);
    bsp_trace_index_free(index);
    bsp_map_free(map);
    bsp_file_close(file);
    assert_true(meter.live == 0 && !meter.wrong);
}

static void test_batches(void **state) {
    (void)state;
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    check_map(BSP_TEST_SAMPLES "/quake2/lobby.bsp", b);
    check_map(BSP_TEST_SAMPLES "/quake3/lobby.bsp", b);
    check_map(BSP_TEST_SAMPLES "/source/lobby.bsp", b);
    check_map(BSP_TEST_SAMPLES "/quake/lobby.bsp", b);
    check_map(BSP_TEST_SAMPLES "/goldsrc/lobby.bsp", b);
    check_memory(BSP_TEST_SAMPLES "/goldsrc/lobby.bsp", b); // the inputs are its own
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
