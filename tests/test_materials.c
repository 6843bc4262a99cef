// SPDX-License-Identifier: MIT
// Materials of damaged maps: a texture directory that promises more than its lump holds.
#include "bspkit/bspkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define HEAD 124u
#define TEXTURES 2u

static void put32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

// A Quake map of nothing but a texture lump of `size` bytes, which says that it has `count`
// textures. It ends where its memory ends, so that the sanitizer sees the first byte too many.
static uint8_t *make(uint32_t count, uint32_t size) {
    uint8_t *bytes = calloc(1, HEAD + size);
    assert_non_null(bytes);
    put32(bytes, 29);
    put32(bytes + 4 + 8 * TEXTURES, HEAD);
    put32(bytes + 8 + 8 * TEXTURES, size);
    put32(bytes + HEAD, count);
    return bytes;
}

static uint32_t count_materials(uint32_t count, uint32_t size) {
    uint8_t *bytes = make(count, size);
    bsp_bytes view = {bytes, HEAD + size};
    bsp_error error = {0};
    bsp_file *file = bsp_file_open_memory(view, NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    assert_non_null(map);
    uint32_t found = map->num_materials;
    bsp_map_free(map);
    bsp_file_close(file);
    free(bytes);
    return found;
}

static void test_count_beyond_lump(void **state) {
    (void)state;
    assert_int_equal(count_materials(0, 4), 0);
    assert_int_equal(count_materials(2, 8), 1);
    assert_int_equal(count_materials(3, 12), 2);
    assert_int_equal(count_materials(UINT32_MAX, 16), 3);
    assert_int_equal(count_materials(UINT32_MAX, 19), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_count_beyond_lump)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
