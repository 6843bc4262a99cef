// SPDX-License-Identifier: MIT
// Checksums put together from those of parts: the same as of the bytes themselves, whatever parts
// are known; and what is not read again for them is not overlooked when it is damaged.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "records/verified_ranges.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"

static void test_join(void **state) {
    (void)state;
    test_random random = {5};
    uint8_t bytes[5000];
    random_fill(&random, bytes, sizeof bytes);
    for (int i = 0; i < 2000; i++) {
        size_t size = random_below(&random, sizeof bytes + 1);
        size_t first = random_below(&random, size + 1);
        uint32_t a = bsp_crc32(0, (bsp_bytes){bytes, first});
        uint32_t b = bsp_crc32(0, (bsp_bytes){bytes + first, size - first});
        assert_int_equal(bspi_crc32_join(a, b, size - first),
                         bsp_crc32(0, (bsp_bytes){bytes, size}));
    }
    // The check value of this CRC.
    uint32_t five = bsp_crc32(0, (bsp_bytes){(const uint8_t *)"12345", 5});
    uint32_t four = bsp_crc32(0, (bsp_bytes){(const uint8_t *)"6789", 4});
    assert_int_equal(bspi_crc32_join(five, four, 4), 0xCBF43926u);
}

// --- parts of a file ----------------------------------------------------------------------------

enum { TAIL = 4 << 20, PIECE = 300000 };

// The sample with random bytes behind it.
static bsp_blob long_file(test_random *random, bsp_file **file) {
    bsp_error error = {0};
    bsp_file *sample = bsp_file_open(SAMPLE, NULL, &error);
    bsp_bytes bytes = bsp_file_get_info(sample)->bytes;
    bsp_plan *plan = bsp_plan_bytes(bytes, NULL, &error);
    bsp_blob blob;
    assert_true(bsp_plan_make(plan, NULL, &blob, &error));
    bsp_plan_free(plan);
    uint8_t *more = realloc(blob.data, blob.size + TAIL);
    assert_non_null(more);
    random_fill(random, more + blob.size, TAIL);
    blob.data = more;
    blob.size += TAIL;
    bsp_file_close(sample);
    *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_non_null(*file);
    return blob;
}

static void try_parts(test_random *random) {
    bsp_file *file;
    bsp_blob blob = long_file(random, &file);
    bspi_verified *known = bspi_verified_new(file, 12);
    for (int i = 0; i < 20; i++) { // in any order, over each other, some too small, some too many
        size_t at = random_below(random, blob.size - PIECE);
        bsp_bytes part = {blob.data + at, random_below(random, PIECE)};
        bspi_verified_add(known, part, bsp_crc32(0, part));
    }
    bspi_verified_publish(file, known);
    for (int i = 0; i < 200; i++) {
        size_t size = random_below(random, blob.size + 1);
        bsp_bytes run = {blob.data + random_below(random, blob.size - size + 1), size};
        bspi_window trail = {.file = file};
        assert_int_equal(bspi_verified_crc32(&trail, 0x1234, run), bsp_crc32(0x1234, run));
    }
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

static void test_parts(void **state) {
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 10; i++) {
        try_parts(&random);
    }
}

// --- a map --------------------------------------------------------------------------------------

// The sample with a large file in its zip.
static bsp_blob large_map(const bsp_file *file, const uint8_t *content, size_t size) {
    bsp_error error = {0};
    const bsp_pak_change add = {.name = bsp_text_of("large"), .data = {content, size}};
    bsp_pak *pak = bsp_file_pak(file, NULL, &error);
    bsp_plan *zip = bsp_pak_plan(pak, &add, 1, NULL, &error);
    const bsp_lump_change lump = {
        .lump = bsp_file_find_id(file, BSP_ID_PAK), .plan = zip, .version = BSP_NONE};
    bsp_plan *plan = bsp_file_plan(file, &lump, 1, NULL, &error);
    bsp_blob blob;
    assert_true(bsp_plan_make(plan, NULL, &blob, &error));
    bsp_plan_free(plan);
    bsp_plan_free(zip);
    bsp_pak_close(pak);
    return blob;
}

static uint32_t fresh_checksum(bsp_bytes bytes) {
    bsp_error error = {0};
    uint32_t sum = 0;
    bsp_file *file = bsp_file_open_memory(bytes, NULL, &error);
    assert_true(bsp_file_checksum(file, &sum));
    bsp_file_close(file);
    return sum;
}

// Opens, checks and compares what a plan made. The checksums of both files, known by then, must be
// those that are computed from nothing.
static bool check_made(const bsp_plan *plan, const bsp_file *old, bsp_bytes made) {
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_file *file = bsp_file_open_memory(made, NULL, &error);
    assert_non_null(file);
    assert_true(bsp_check(file, issues, &error));
    bool same = bsp_plan_matches(plan, file, &error);
    uint32_t sum;
    assert_true(bsp_file_checksum(file, &sum));
    assert_int_equal(sum, fresh_checksum(made));
    assert_true(bsp_file_checksum(old, &sum));
    assert_int_equal(sum, fresh_checksum(bsp_file_get_info(old)->bytes));
    bsp_file_close(file);
    bsp_issues_free(issues);
    return same;
}

static void test_damage(void **state) {
    (void)state;
    test_random random = {11};
    static uint8_t content[PIECE];
    bsp_error error = {0};
    random_fill(&random, content, PIECE);
    bsp_file *sample = bsp_file_open(SAMPLE, NULL, &error);
    bsp_blob before = large_map(sample, content, PIECE);
    bsp_file *old = bsp_file_open_memory((bsp_bytes){before.data, before.size}, NULL, &error);
    bsp_blob blob = large_map(old, content, PIECE / 2); // replaced
    bsp_blob_free(&blob);
    const bsp_text text = bsp_text_of("{\n\"classname\" \"worldspawn\"\n}\n");
    const bsp_lump_change change = {.lump = bsp_file_find_id(old, BSP_ID_ENTITIES),
                                    .data = {(const uint8_t *)text.data, text.size},
                                    .version = BSP_NONE};
    bsp_plan *plan = bsp_file_plan(old, &change, 1, NULL, &error);
    assert_true(bsp_plan_make(plan, NULL, &blob, &error));
    bsp_bytes made = {blob.data, blob.size};
    size_t behind = blob.size;
    for (int i = 0; i < 60; i++) { // from the end on, where the zip and its directory are
        behind -= i < 30 ? 1 + random_below(&random, 20) : random_below(&random, PIECE / 20);
        blob.data[behind] ^= 4;
        if (check_made(plan, old, made)) {
            fail_msg("byte %zu is another, and no check saw it", behind);
        }
        blob.data[behind] ^= 4;
    }
    assert_true(check_made(plan, old, made));
    assert_non_null(bspi_verified_from(old, before.data));
    bsp_plan_free(plan);
    bsp_blob_free(&blob);
    bsp_file_close(old);
    bsp_blob_free(&before);
    bsp_file_close(sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
