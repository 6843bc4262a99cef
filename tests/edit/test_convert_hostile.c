// SPDX-License-Identifier: MIT
// Damaged files converted, compared and listed: no crash, no leak, and what comes out can be
// opened. Then the n-th request for memory fails, for each n until none does.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/alloc.h"
#include "support/effort.h"
#include "support/files.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 20   // for each sample
#define FAILURES 20 // the same, spread over all requests for memory

// Frees what a step made, after a look at whether it can be opened.
static void take(bool done, bsp_blob *blob, const bsp_branch *branch) {
    bsp_open_options options = {.branch = branch->name};
    if (!done) {
        return;
    }
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob->data, blob->size}, &options, NULL);
    assert_non_null(file);
    bsp_file_close(file);
    bsp_blob_free(blob);
}

static void ignore(void *user, const bsp_difference *d) {
    *(uint64_t *)user += d->before.size + d->after.size;
}

static void convert_to(const bsp_file *file, const char *name, const bsp_allocator *allocator) {
    bsp_blob blob;
    const bsp_branch *target = bsp_branch_find(name);
    bsp_convert_options options = {.lossy = true, .allocator = allocator};
    bool done = bsp_file_convert(file, target, &options, &blob, NULL);
    if (done) {
        bsp_blob_free(&blob);
    }
}

static void list_assets(const bsp_file *file, const bsp_allocator *allocator) {
    bsp_map_options options = {.allocator = allocator};
    bsp_map *map = bsp_map_load(file, &options, NULL);
    bsp_asset_list *assets =
        map == NULL
            ? NULL
            : bsp_assets_find(map, NULL, &(bsp_assets_options){.allocator = allocator}, NULL);
    bsp_assets_free(assets);
    bsp_map_free(map);
}

// All that this floor does with one file; `turn` picks a target.
static void exercise(bsp_bytes bytes, const bsp_file *other, uint32_t turn,
                     const bsp_allocator *allocator) {
    static const char *const targets[] = {"bsp2", "goldsrc", "quake",     "qbism",     "quake2",
                                          "rbsp", "quake3",  "source_19", "left4dead2"};
    bsp_open_options options = {.allocator = allocator};
    bsp_file *file = bsp_file_open_memory(bytes, &options, NULL);
    if (file == NULL) {
        return;
    }
    const bsp_detection *found = &bsp_file_get_info(file)->detection;
    bsp_convert_options lossy = {.lossy = true, .allocator = allocator};
    bsp_blob blob;
    uint64_t size = 0;
    take(bsp_file_compress(file, turn % 2 == 0, allocator, &blob, NULL), &blob, found->branch);
    take(bsp_file_reorder(file, !found->big_endian, &lossy, &blob, NULL), &blob, found->branch);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        convert_to(file, targets[i], allocator);
    }
    (void)bsp_file_diff(file, other, ignore, &size, allocator, NULL);
    list_assets(file, allocator);
    bsp_file_close(file);
}

static void damage(const test_file *file, void *user) {
    unsigned *rounds = user;
    test_random random = {0x9E3779B97F4A7C15u + file->bytes.size};
    bsp_file *whole = bsp_file_open_memory(file->bytes, NULL, NULL);
    uint8_t *copy = malloc(file->bytes.size);
    assert_non_null(whole);
    assert_non_null(copy);
    for (unsigned i = 0; i < test_effort(ROUNDS); i++) {
        test_meter meter = {0};
        bsp_allocator allocator = meter_allocator(&meter);
        memcpy(copy, file->bytes.data, file->bytes.size);
        for (size_t n = 1 + random_below(&random, 4); n > 0; n--) {
            size_t head = random_below(&random, 2) == 0 ? 1100 : file->bytes.size;
            head = head < file->bytes.size ? head : file->bytes.size;
            copy[random_below(&random, head)] ^= (uint8_t)(1u << random_below(&random, 8));
        }
        exercise((bsp_bytes){copy, file->bytes.size}, whole, i, &allocator);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
        ++*rounds;
    }
    free(copy);
    bsp_file_close(whole);
}

static void test_damage(void **state) {
    (void)state;
    unsigned rounds = 0;
    assert_true(for_each_file(BSP_TEST_SAMPLES, ".bsp", damage, &rounds) > 0);
    print_message("%u damaged files\n", rounds);
}

static void starve(const test_file *file, void *user) {
    unsigned *tries = user;
    test_meter all = {0};
    bsp_allocator count = meter_allocator(&all);
    bsp_file *whole = bsp_file_open_memory(file->bytes, NULL, NULL);
    exercise(file->bytes, whole, 0, &count);
    uint64_t step = 1 + all.requests / test_effort(FAILURES);
    for (uint64_t n = 1; n <= all.requests; n += step) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        exercise(file->bytes, whole, 0, &allocator);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
        ++*tries;
    }
    bsp_file_close(whole);
}

static void test_starve(void **state) {
    (void)state;
    unsigned tries = 0;
    (void)for_each_file(BSP_TEST_SAMPLES, ".bsp", starve, &tries);
    print_message("%u failures of memory\n", tries);
    assert_true(tries > 0);
}

// Packing without memory fails: nothing is packed to nothing. A game lump ends on a multiple of
// four, with a byte to spare at least.
static void test_starved_pack(void **state) {
    (void)state;
    static const uint8_t zeros[4096];
    const bsp_bytes data = {zeros, sizeof zeros};
    const bsp_lump lumps[] = {{.place = BSP_IN_DIRECTORY}, {.place = BSP_IN_GAME_LUMP}};
    for (int i = 0; i < 2; i++) {
        bsp_blob blob = {0};
        bool done = false;
        for (uint64_t n = 1; !done; n++) {
            test_meter meter = {.fail_at = n};
            bsp_allocator allocator = meter_allocator(&meter);
            bsp_error error = {0};
            done = bsp_lump_pack(&lumps[i], data, &allocator, &blob, &error);
            assert_int_equal(done, n > meter.requests);
            assert_true(done || error.code == BSP_E_MEMORY);
            assert_int_equal(meter.live, done ? blob.size : 0);
            if (done) {
                uint8_t out[sizeof zeros];
                size_t stream = 17 + (size_t)blob.data[8]; // the head and what it says follows
                assert_int_equal(blob.size, i == 0 ? stream : (stream + 4) / 4 * 4);
                assert_true(bsp_lzma_unpack((bsp_bytes){blob.data, blob.size}, out, NULL, &error));
                assert_memory_equal(out, zeros, sizeof zeros);
                bsp_blob_free(&blob);
                assert_int_equal(meter.live, 0);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage), cmocka_unit_test(test_starve),
                                       cmocka_unit_test(test_starved_pack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
