// SPDX-License-Identifier: MIT
// Budgets: what a heap takes is paid by all its parents, a limit is an error that names itself, and
// a stop reaches every call.
#define _XOPEN_SOURCE 700 // mkstemp, pwrite

#include "bspkit/bspkit.h"
#include "core/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static bsp_budget *budget_of(bsp_limits limits) {
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    return budget;
}

static void expect(const bsp_error *error, bsp_code code, const char *text) {
    if (error->code != code || strstr(error->message, text) == NULL) {
        fail_msg("code %s, message '%s', but '%s' was expected", bsp_code_name(error->code),
                 error->message, text);
    }
}

// --- memory -------------------------------------------------------------------------------------

// Two heaps pay to one budget: what the second wants more than is left is refused, and nothing of
// it stays counted.
static void test_memory_is_shared(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){.memory = 1000});
    bspi_heap a, b;
    bsp_error error = {0};
    bspi_heap_init_for(&a, BSP_PRODUCT_MESH, 5, budget, NULL);
    bspi_heap_init_under(&b, &a, NULL);
    void *first = bspi_heap_alloc(&a, 600, &error);
    assert_non_null(first);
    assert_null(bspi_heap_alloc(&b, 401, &error));
    expect(&error, BSP_E_LIMIT, "the memory limit of 1000 bytes");
    void *second = bspi_heap_alloc(&b, 400, &error);
    assert_non_null(second);
    assert_int_equal(bsp_budget_used(budget).memory, 1000);
    bspi_heap_free(&a, first, 600);
    bspi_heap_free(&b, second, 400);
    assert_int_equal(atomic_load(&a.used), 0);
    assert_int_equal(atomic_load(&b.used), 0);
    assert_int_equal(bsp_budget_used(budget).memory, 1000); // the most, not what is left
    void *all = bspi_heap_alloc(&b, 1000, &error);
    assert_non_null(all);
    bspi_heap_free(&b, all, 1000);
    bsp_budget_free(budget);
}

// Without a budget, and with one that says nothing of memory, the default of the product holds: its
// floor and its factor for each byte.
static void test_default(void **state) {
    (void)state;
    bsp_budget *quiet = budget_of((bsp_limits){.work = 5});
    const bsp_product_limits *own = bsp_product_get_limits(BSP_PRODUCT_FILE);
    bsp_budget *budgets[] = {NULL, quiet};
    for (int i = 0; i < 2; i++) {
        bspi_heap heap;
        bsp_error error = {0};
        bspi_heap_init_for(&heap, BSP_PRODUCT_FILE, 1000, budgets[i], NULL);
        uint64_t most = own->floor.memory + 1000 * own->factor.memory;
        assert_int_equal(heap.limit, most);
        assert_true(bspi_heap_charge(&heap, (size_t)most, &error));
        assert_false(bspi_heap_charge(&heap, 1, &error));
        expect(&error, BSP_E_LIMIT, "the default of 'file' for 1000 bytes");
        bspi_heap_extend(&heap, 1);
        assert_true(bspi_heap_charge(&heap, 1, &error));
    }
    bsp_budget_free(quiet);
}

// No sum of factors and bytes may wrap.
static void test_huge(void **state) {
    (void)state;
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_FILE, UINT64_MAX, NULL, NULL);
    assert_int_equal(heap.limit, SIZE_MAX);
    bspi_heap_extend(&heap, UINT64_MAX);
    assert_int_equal(heap.limit, SIZE_MAX);
    assert_false(bspi_heap_charge(&heap, 1, NULL) && bspi_heap_charge(&heap, SIZE_MAX, NULL));
}

// --- work and stops -----------------------------------------------------------------------------

static void test_work(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){.work = 100});
    bspi_heap heap;
    bsp_error error = {0};
    bspi_heap_init_for(&heap, BSP_PRODUCT_EXPORT, 0, budget, NULL);
    assert_true(bspi_heap_work(&heap, 100, &error));
    assert_int_equal(bsp_budget_used(budget).work, 100);
    assert_false(bspi_heap_work(&heap, 1, &error));
    expect(&error, BSP_E_LIMIT, "the work limit of 100 steps");
    assert_false(bspi_heap_work(&heap, UINT64_MAX, &error));
    bsp_budget_free(budget);
}

static void test_stop(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){0});
    bspi_heap heap, under;
    bsp_error error = {0};
    bspi_heap_init_for(&heap, BSP_PRODUCT_EXPORT, 0, budget, NULL);
    bspi_heap_init_under(&under, &heap, NULL);
    assert_true(bspi_heap_work(&under, 1, &error));
    bsp_budget_stop(budget);
    assert_false(bspi_heap_work(&under, 1, &error));
    expect(&error, BSP_E_CANCELLED, "stopped by the caller");
    assert_null(bspi_heap_alloc(&under, 1, &error));
    expect(&error, BSP_E_CANCELLED, "stopped by the caller");
    assert_false(bsp_budget_write(budget, 1, 1, &error));
    expect(&error, BSP_E_CANCELLED, "stopped by the caller");
    bsp_budget_free(budget);
}

#define THREADS 4
#define ROUNDS 20000

static void *take_and_give(void *user) {
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_MESH, 0, user, NULL);
    for (size_t i = 0; i < ROUNDS; i++) {
        size_t size = 1 + i % 100;
        if (bspi_heap_charge(&heap, size, NULL)) {
            bspi_heap_discharge(&heap, size);
        }
        (void)bspi_heap_work(&heap, i % 3, NULL);
    }
    return NULL;
}

// Threads that share a budget lose no count, and never hold more than its limit.
static void test_threads(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){.memory = 150});
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, budget), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    uint64_t each = 0;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        each += i % 3;
    }
    assert_int_equal(bsp_budget_used(budget).work, THREADS * each);
    assert_true(bsp_budget_used(budget).memory <= 150);
    bspi_heap all;
    bspi_heap_init_for(&all, BSP_PRODUCT_MESH, 0, budget, NULL);
    assert_true(bspi_heap_charge(&all, 150, NULL)); // all was given back
    bsp_budget_free(budget);
}

// --- output -------------------------------------------------------------------------------------

static void test_output(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){.output_bytes = 10, .output_files = 3});
    bsp_error error = {0};
    assert_true(bsp_budget_write(NULL, UINT64_MAX, UINT64_MAX, &error));
    assert_true(bsp_budget_write(budget, 1, 10, &error));
    assert_false(bsp_budget_write(budget, 1, 1, &error));
    expect(&error, BSP_E_LIMIT, "the output limit of 10 bytes");
    assert_true(bsp_budget_write(budget, 2, 0, &error)); // what was refused was not counted
    assert_false(bsp_budget_write(budget, 1, 0, &error));
    expect(&error, BSP_E_LIMIT, "the files limit of 3 files");
    assert_true(bsp_budget_may_write(budget, 0, 0, &error));
    assert_false(bsp_budget_may_write(budget, 0, 1, &error));
    expect(&error, BSP_E_LIMIT, "the output limit of 10 bytes");
    assert_int_equal(bsp_budget_used(budget).output_bytes, 10);
    assert_int_equal(bsp_budget_used(budget).output_files, 3);
    bsp_budget_free(budget);
}

// The defaults grow with what was read: files with each KiB. Asking is not counting.
static void test_output_grows(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){0});
    const bsp_product_limits *own = bsp_product_get_limits(BSP_PRODUCT_OUTPUT);
    bsp_budget_read(budget, 10 * 1024 + 1023);
    uint64_t files = own->floor.output_files + 10 * own->factor.output_files;
    uint64_t bytes = own->floor.output_bytes + (10 * 1024 + 1023) * own->factor.output_bytes;
    for (int i = 0; i < 3; i++) {
        assert_true(bsp_budget_may_write(budget, files, bytes, NULL));
        assert_false(bsp_budget_may_write(budget, files + 1, 0, NULL));
        assert_false(bsp_budget_may_write(budget, 0, bytes + 1, NULL));
    }
    assert_int_equal(bsp_budget_used(budget).output_bytes, 0);
    bsp_budget_free(budget);
}

// Every product has a name, says what it is made from, and has a row of its own.
static void test_table(void **state) {
    (void)state;
    for (int i = 0; i < BSP_PRODUCT_COUNT; i++) {
        const bsp_product_limits *own = bsp_product_get_limits((bsp_product)i);
        assert_non_null(own->name);
        assert_non_null(own->of);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(own->name, bsp_product_get_limits((bsp_product)k)->name);
        }
    }
}

// --- products -----------------------------------------------------------------------------------

static bsp_file *open_sample(const char *name, bsp_budget *budget, bsp_error *error) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, name);
    bsp_open_options options = {.budget = budget};
    return bsp_file_open(path, &options, error);
}

// What is made out of a file pays to its budget, and gives all of it back.
static void test_chain(void **state) {
    (void)state;
    bsp_budget *budget = budget_of((bsp_limits){0});
    bsp_file *file = open_sample("quake2/lobby.bsp", budget, NULL);
    assert_non_null(file);
    uint64_t opened = bsp_budget_used(budget).memory;
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    assert_ptr_equal(map->budget, budget);
    uint64_t loaded = bsp_budget_used(budget).memory;
    bsp_mesh *mesh = bsp_mesh_build(map, NULL, NULL);
    assert_non_null(mesh);
    uint64_t meshed = bsp_budget_used(budget).memory;
    assert_true(0 < opened && opened < loaded && loaded < meshed);
    bsp_mesh_free(mesh);
    bsp_map_free(map);
    bsp_file_close(file);
    // All came back when the whole of a limit can be taken again: by a budget that is just as big.
    bsp_budget_free(budget);
    budget = budget_of((bsp_limits){.memory = meshed});
    for (int i = 0; i < 3; i++) {
        file = open_sample("quake2/lobby.bsp", budget, NULL);
        map = bsp_map_load(file, NULL, NULL);
        mesh = bsp_mesh_build(map, NULL, NULL);
        assert_non_null(mesh);
        bsp_mesh_free(mesh);
        bsp_map_free(map);
        bsp_file_close(file);
    }
    bsp_budget_free(budget);
}

// --- reading ------------------------------------------------------------------------------------

// A file that is read and not mapped is whole, whatever becomes of it on the disk.
static void test_read_survives(void **state) {
    (void)state;
    char path[] = "/tmp/bspkit_test_budget.XXXXXX";
    char sample[512];
    bsp_blob blob;
    bsp_error error = {0};
    snprintf(sample, sizeof sample, "%s/quake2/lobby.bsp", BSP_TEST_SAMPLES);
    assert_true(bsp_blob_read(sample, NULL, NULL, &blob, &error));
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, blob.data, blob.size), (ssize_t)blob.size);
    bsp_budget *budget = budget_of((bsp_limits){0});
    bsp_open_options options = {.read = true, .budget = budget};
    bsp_file *file = bsp_file_open(path, &options, &error);
    assert_non_null(file);
    assert_true(bsp_budget_used(budget).memory >= blob.size); // the bytes are paid for
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(bsp_file_get_info(file)->bytes.size, blob.size);
    assert_memory_equal(bsp_file_get_info(file)->bytes.data, blob.data, blob.size);
    bsp_file_close(file);
    options.budget = NULL;
    bsp_limits tiny = {.memory = blob.size - 1};
    assert_int_equal(pwrite(fd, blob.data, blob.size, 0), (ssize_t)blob.size);
    options.budget = bsp_budget_new(&tiny, NULL);
    assert_null(bsp_file_open(path, &options, &error));
    expect(&error, BSP_E_LIMIT, "memory");
    bsp_budget_free(options.budget);
    bsp_budget_free(budget);
    bsp_blob_free(&blob);
    close(fd);
    unlink(path);
}

// Files of the kernel say that they have 4096 bytes and give fewer: like a file that was truncated
// between asking for its size and reading it.
static void test_read_too_short(void **state) {
    (void)state;
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    bsp_blob blob;
    bsp_error error = {0};
    struct stat status;
    if (stat(path, &status) != 0 || status.st_size < 1000) {
        skip();
    }
    assert_false(bsp_blob_read(path, NULL, NULL, &blob, &error));
    expect(&error, BSP_E_IO, "was truncated");
    bsp_open_options options = {.read = true};
    assert_null(bsp_file_open(path, &options, &error));
    expect(&error, BSP_E_IO, "was truncated");
}

static void test_endless(void **state) {
    (void)state;
    bsp_blob blob;
    bsp_error error = {0};
    bsp_budget *budget = budget_of((bsp_limits){.memory = (uint64_t)1 << 20});
    assert_false(bsp_blob_read("/dev/zero", budget, NULL, &blob, &error));
    expect(&error, BSP_E_LIMIT, "memory");
    bsp_open_options options = {.budget = budget};
    assert_null(bsp_file_open("/dev/zero", &options, &error));
    expect(&error, BSP_E_LIMIT, "memory");
    assert_true(bsp_budget_used(budget).memory <= (uint64_t)1 << 20);
    assert_false(bsp_blob_read("/tmp", NULL, NULL, &blob, &error));
    assert_int_equal(error.code, BSP_E_IO);
    assert_true(bsp_blob_read("/dev/null", NULL, NULL, &blob, &error));
    assert_int_equal(blob.size, 0);
    bsp_budget_free(budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_shared),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_output_grows),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_read_survives),
        cmocka_unit_test(test_read_too_short),
        cmocka_unit_test(test_endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
