// SPDX-License-Identifier: MIT
// Deflate with runs only: a decoder of another library gives the bytes back.
#include "pack/runs.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libdeflate.h>

#define MOST ((size_t)300000)

static uint8_t in[MOST];
static uint8_t back[MOST];
static bspi_runs work;

// Returns the packed size.
static size_t check(size_t size) {
    size_t bound = bspi_runs_bound(size);
    uint8_t *out = malloc(bound); // of its own, so that sanitizers see writes beyond it
    assert_non_null(out);
    size_t packed = bspi_runs_pack(&work, in, size, out);
    assert_true(packed <= bound);
    struct libdeflate_decompressor *decoder = libdeflate_alloc_decompressor();
    assert_non_null(decoder);
    size_t got = 0;
    assert_int_equal(libdeflate_zlib_decompress(decoder, out, packed, back, size, &got), 0);
    libdeflate_free_decompressor(decoder);
    free(out);
    assert_int_equal(got, size);
    assert_memory_equal(in, back, size);
    return packed;
}

static void test_small(void **state) {
    (void)state;
    test_random random = {1};
    for (size_t size = 1; size < 700; size++) {
        for (size_t values = 1; values <= 256; values = values * 3 + 1) {
            for (size_t i = 0; i < size; i++) {
                in[i] = (uint8_t)random_below(&random, values);
            }
            (void)check(size);
        }
    }
}

// Runs of every length, each after a byte that differs.
static void test_lengths(void **state) {
    (void)state;
    size_t size = 0;
    for (size_t length = 1; length <= 600; length++) {
        memset(in + size, (int)(length % 256), length);
        size += length;
    }
    assert_true(check(size) < size / 50);
}

static void test_one_byte(void **state) {
    (void)state;
    memset(in, 0, MOST);
    assert_true(check(MOST) < MOST / 500);
    memset(in, 255, MOST);
    (void)check(MOST);
}

// What does not shrink is stored: 5 bytes for each 65535.
static void test_noise(void **state) {
    (void)state;
    test_random random = {2};
    random_fill(&random, in, MOST);
    assert_true(check(MOST) < MOST + 120);
}

// Each value is 1.6 times as rare as the one before it: Huffman's codes would be longer than 15
// bits.
static void test_long_codes(void **state) {
    (void)state;
    size_t size = 0;
    size_t times = 1;
    size_t before = 1;
    for (uint32_t value = 0; value < 20; value++) {
        for (size_t i = 0; i < times; i++) {
            in[size++] = (uint8_t)(value * 2);
            if (value < 18) { // no runs
                in[size++] = (uint8_t)(40 + i % 2);
            }
        }
        size_t next = times + before;
        before = times;
        times = next;
    }
    assert_true(size < MOST);
    (void)check(size);
}

// As rows of a picture: mostly small differences, with flat parts, in many blocks.
static void test_mixed(void **state) {
    (void)state;
    test_random random = {3};
    for (size_t i = 0; i < MOST;) {
        size_t length = random_below(&random, 400);
        size_t spread = 1 + random_below(&random, 40);
        for (size_t n = 0; n < length && i < MOST; n++) {
            in[i++] = (uint8_t)random_below(&random, spread);
        }
    }
    assert_true(check(MOST) < MOST * 7 / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),      cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_one_byte),   cmocka_unit_test(test_noise),
        cmocka_unit_test(test_long_codes), cmocka_unit_test(test_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
