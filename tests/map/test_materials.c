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

// A Source map of three materials: names are looked for a NUL no further than any name goes, so
// that many names in one long string are no work without end.
static void test_names_without_end(void **state) {
    (void)state;
    enum { TEXDATA = 2, STRING_DATA = 43, STRING_TABLE = 44, TEXDATA_SIZE = 32, LONG = 5000 };
    static const uint32_t offsets[3] = {0, 7, 3990};
    enum { AT = 8 + 64 * 16 + 4, SIZE = AT + 3 * TEXDATA_SIZE + 12 + LONG };
    uint8_t *bytes = calloc(1, SIZE);
    assert_non_null(bytes);
    memcpy(bytes, "VBSP", 4);
    put32(bytes + 4, 20);
    const uint32_t lumps[3][3] = {{TEXDATA, AT, 3 * TEXDATA_SIZE},
                                  {STRING_TABLE, AT + 3 * TEXDATA_SIZE, 12},
                                  {STRING_DATA, SIZE - LONG, LONG}};
    for (int i = 0; i < 3; i++) {
        put32(bytes + 8 + 16 * lumps[i][0], lumps[i][1]);
        put32(bytes + 12 + 16 * lumps[i][0], lumps[i][2]);
        put32(bytes + AT + TEXDATA_SIZE * i + 12, (uint32_t)i);
        put32(bytes + AT + 3 * TEXDATA_SIZE + 4 * i, offsets[i]);
    }
    memset(bytes + SIZE - LONG, 'a', LONG);
    bytes[SIZE - LONG + 4000] = 0;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_map_options options = {.issues = issues};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){bytes, SIZE}, NULL, NULL);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, &options, NULL);
    assert_non_null(map);
    assert_int_equal(map->num_materials, 3);
    assert_int_equal(map->materials[0].name.size, 1024);
    assert_int_equal(map->materials[1].name.size, 1024);
    assert_int_equal(map->materials[2].name.size, 10);
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 2);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_issues_free(issues);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_beyond_lump),
        cmocka_unit_test(test_names_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
