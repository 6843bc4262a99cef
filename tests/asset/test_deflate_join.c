// SPDX-License-Identifier: MIT
// Streams that were compressed apart are one when they are joined: a decoder reads all of their
// data. Where the end of a stream cannot be told it is refused, never joined wrongly.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "pack/deflate_join.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)48 << 10) // bytes of a part
#define PARTS 3u

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Data of eight kinds, from zeros to noise.
static void fill(uint8_t *data, size_t size, uint32_t kind, uint32_t *seed) {
    for (size_t i = 0; i < size; i++) {
        uint32_t r = next_random(seed);
        const uint8_t of[8] = {0,
                               (uint8_t)(r % 97 == 0),
                               (uint8_t)(r % 5 == 0 ? r >> 4 : 7),
                               (uint8_t)(i / 3),
                               (uint8_t)((r & 3) + (r >> 3 & 3)),
                               (uint8_t)(r >> 5 & r >> 12),
                               (uint8_t)((i % 300) * (i % 7)),
                               (uint8_t)(r >> 7)};
        data[i] = of[kind];
    }
}

// Joins three parts and reads them back. Returns how many could be joined.
static uint32_t join(struct libdeflate_compressor *c, uint32_t round, uint32_t *seed) {
    static const uint8_t end[] = {3, 0}; // a last block of nothing, by the fixed code
    size_t room = PARTS * (libdeflate_deflate_compress_bound(c, MOST) + 20 + 5) + 2;
    uint8_t *data = malloc(PARTS * MOST);
    uint8_t *back = malloc(PARTS * MOST);
    uint8_t *stream = malloc(room);
    uint8_t *to = stream;
    size_t total = 0;
    uint32_t joined = 0;
    uint32_t sum = 1;
    for (uint32_t p = 0; p < PARTS; p++) {
        size_t size = 1 + next_random(seed) % (round % 3 == 0 ? 200 : MOST);
        fill(data + total, size, next_random(seed) % 8, seed);
        sum = bspi_adler32_join(sum, libdeflate_adler32(1, data + total, size), size);
        size_t packed =
            libdeflate_deflate_compress(c, data + total, size, to, room - (size_t)(to - stream));
        assert_true(packed != 0);
        size_t open = bspi_deflate_open(to, packed);
        assert_true(open == 0 || (open > packed && open <= packed + BSPI_DEFLATE_MARKER));
        joined += open != 0;
        to = open != 0 ? to + open : bspi_deflate_store(data + total, size, false, to);
        total += size;
    }
    memcpy(to, end, sizeof end);
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    size_t got;
    assert_int_equal(libdeflate_deflate_decompress(d, stream, (size_t)(to - stream) + sizeof end,
                                                   back, PARTS * MOST, &got),
                     LIBDEFLATE_SUCCESS);
    assert_int_equal(got, total);
    assert_memory_equal(back, data, total);
    assert_int_equal(sum, libdeflate_adler32(1, data, total));
    libdeflate_free_decompressor(d);
    free(data);
    free(back);
    free(stream);
    return joined;
}

static void test_join(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int level = 0; level <= 12; level++) {
        struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
        uint32_t joined = 0;
        for (uint32_t round = 0; round < 60; round++) {
            joined += join(c, round, &seed);
        }
        assert_true(level != 1 || joined > 120); // most parts of that level are one block
        libdeflate_free_compressor(c);
    }
}

// Whatever the bytes are, they are only read, and written to within the room.
static void test_damaged(void **state) {
    (void)state;
    uint32_t seed = 5;
    for (uint32_t round = 0; round < 20000; round++) {
        size_t size = 1 + next_random(&seed) % 90;
        uint8_t *stream = malloc(size + BSPI_DEFLATE_MARKER);
        for (size_t i = 0; i < size; i++) {
            stream[i] = (uint8_t)(next_random(&seed) >> 3);
        }
        stream[0] = round % 2 == 0 ? (uint8_t)((stream[0] & 0xF8) | 5) : stream[0];
        size_t open = bspi_deflate_open(stream, size);
        assert_true(open == 0 || (open > size && open <= size + BSPI_DEFLATE_MARKER));
        free(stream);
    }
}

static void test_stored(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 65535, 65536, 131070, 131071};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t *data = malloc(sizes[i]);
        uint8_t *back = malloc(sizes[i]);
        uint8_t *stream = malloc(bspi_deflate_stored_size(sizes[i]));
        uint32_t seed = 9;
        fill(data, sizes[i], 7, &seed);
        const uint8_t *end = bspi_deflate_store(data, sizes[i], true, stream);
        assert_int_equal(end - stream, bspi_deflate_stored_size(sizes[i]));
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        assert_int_equal(
            libdeflate_deflate_decompress(d, stream, (size_t)(end - stream), back, sizes[i], NULL),
            LIBDEFLATE_SUCCESS);
        assert_memory_equal(back, data, sizes[i]);
        libdeflate_free_decompressor(d);
        free(data);
        free(back);
        free(stream);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
