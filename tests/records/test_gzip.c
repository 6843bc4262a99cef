// SPDX-License-Identifier: MIT
// What bsp_gzip_pack packs is read again, as a map and by its own rules (RFC 1952).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/file.h"
#include "bspkit/pack.h"

#include <string.h>

static void a_map_comes_back(void **state) {
    (void)state;
    bsp_error error = {.code = BSP_OK};
    bsp_blob map, packed;
    assert_true(bsp_blob_read(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL, &map, &error));
    assert_true(bsp_gzip_pack((bsp_bytes){map.data, map.size}, NULL, &packed, &error));
    assert_true(packed.size < map.size / 2);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){packed.data, packed.size}, NULL, &error);
    assert_non_null(file);
    const bsp_file_info *info = bsp_file_get_info(file);
    assert_string_equal(info->packed_by, "gzip");
    assert_int_equal(info->bytes.size, map.size);
    assert_memory_equal(info->bytes.data, map.data, map.size);
    bsp_file_close(file);
    bsp_blob_free(&packed);
    bsp_blob_free(&map);
}

// Magic, method, no flags, no date; at the end the CRC-32 and the size.
static void the_member_says_what_it_holds(void **state) {
    (void)state;
    static const uint8_t text[] = "123456789";
    bsp_blob packed;
    assert_true(bsp_gzip_pack((bsp_bytes){text, 9}, NULL, &packed, NULL));
    static const uint8_t head[8] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0};
    static const uint8_t tail[8] = {0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0}; // CRC-32's check value
    assert_memory_equal(packed.data, head, sizeof head);
    assert_memory_equal(packed.data + packed.size - sizeof tail, tail, sizeof tail);
    bsp_blob_free(&packed);
    assert_true(bsp_gzip_pack((bsp_bytes){NULL, 0}, NULL, &packed, NULL));
    static const uint8_t nothing[8] = {0};
    assert_memory_equal(packed.data + packed.size - 8, nothing, 8);
    bsp_blob_free(&packed);
}

static void *refuse(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user, (void)memory, (void)old_size, (void)new_size;
    return NULL;
}

static void without_memory_nothing_is_packed(void **state) {
    (void)state;
    static const uint8_t text[] = "123456789";
    const bsp_allocator allocator = {refuse, NULL};
    bsp_error error = {.code = BSP_OK};
    bsp_blob packed;
    assert_false(bsp_gzip_pack((bsp_bytes){text, 9}, &allocator, &packed, &error));
    assert_int_equal(error.code, BSP_E_MEMORY);
    assert_null(packed.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_comes_back),
        cmocka_unit_test(the_member_says_what_it_holds),
        cmocka_unit_test(without_memory_nothing_is_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
