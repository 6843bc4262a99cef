// SPDX-License-Identifier: MIT
// Maps of Tactical Intervention: opened as if they were plain, written scrambled as they were.
#include "support/room.h"

#include "bspkit/compare.h"
#include "bspkit/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEY_SHOWS_AT 384

static const uint8_t key[BSP_KEY_SIZE] = {
    0x91, 0x02, 0xF3, 0x64, 0x55, 0xA6, 0x17, 0x08, 0x29, 0x7A, 0x5B, 0xCC, 0xED, 0x3E, 0x0F, 0x11,
    0x82, 0xD3, 0x24, 0x75, 0xB6, 0x47, 0x98, 0x69, 0x2A, 0xEB, 0x4C, 0x3D, 0xDE, 0x1F, 0x50, 0x71,
};

// A map of the branch whose directory shows the key: empty lumps begin at 0, as in the game's.
static bsp_blob plain_map(const char *branch) {
    bsp_blob blob = room_file(bsp_branch_find(branch), false, 0);
    for (size_t at = KEY_SHOWS_AT; at < KEY_SHOWS_AT + BSP_KEY_SIZE; at++) {
        ((uint8_t *)blob.data)[at] = 0;
    }
    return blob;
}

static bsp_blob scrambled_map(const char *branch) {
    bsp_blob blob = plain_map(branch);
    uint8_t *data = blob.data;
    for (size_t i = 0; i < blob.size; i++) {
        data[i] ^= key[i % BSP_KEY_SIZE];
    }
    return blob;
}

static bsp_file *open_blob(const bsp_blob *blob) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob->data, blob->size}, NULL, &error);
    if (file == NULL) {
        fail_msg("%s", error.message);
    }
    return file;
}

static void expect_open(const char *made, const char *found) {
    bsp_blob plain = plain_map(made);
    bsp_blob blob = scrambled_map(made);
    bsp_file *file = open_blob(&blob);
    const bsp_file_info *info = bsp_file_get_info(file);
    assert_true(info->scrambled);
    assert_memory_equal(info->key, key, sizeof key);
    assert_int_equal(info->bytes.size, plain.size);
    assert_memory_equal(info->bytes.data, plain.data, plain.size);
    assert_string_equal(info->detection.branch->name, found);
    bsp_error error = {0};
    bsp_map_options options = {.strict = true};
    bsp_map *map = bsp_map_load(file, &options, &error);
    assert_non_null(map);
    assert_int_equal(map->num_models, 2);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&plain);
}

static void test_open(void **state) {
    (void)state;
    expect_open("tactical_intervention", "tactical_intervention");
    expect_open("source_21", "tactical_intervention");
    expect_open("source_22", "source_22");
}

static void test_write(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_blob blob = scrambled_map("tactical_intervention");
    bsp_file *file = open_blob(&blob);
    bsp_blob again;
    assert_true(bsp_file_rewrite(file, NULL, 0, NULL, &again, &error));
    assert_int_equal(again.size, blob.size);
    assert_memory_equal(again.data, blob.data, blob.size);
    bsp_blob_free(&again);

    static const char text[] = "{\n\"classname\" \"worldspawn\"\n}\n";
    bsp_lump_change change = {
        .lump = 0, .data = {(const uint8_t *)text, sizeof text}, .version = BSP_NONE};
    assert_true(bsp_file_rewrite(file, &change, 1, NULL, &again, &error));
    bsp_file *changed = open_blob(&again);
    assert_true(bsp_file_get_info(changed)->scrambled);
    assert_memory_equal(bsp_file_get_info(changed)->key, key, sizeof key);
    bsp_bytes data;
    assert_true(bsp_file_data(changed, 0, &data, &error));
    assert_int_equal(data.size, sizeof text);
    assert_memory_equal(data.data, text, sizeof text);
    bsp_file_close(changed);
    bsp_blob_free(&again);
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

// Plain maps, whatever stands where a key would, and bytes of chance have none.
static void test_no_key(void **state) {
    (void)state;
    uint8_t found[BSP_KEY_SIZE];
    bsp_error error = {0};
    bsp_detection detection;
    bsp_blob blob = plain_map("source_20");
    assert_false(bsp_find_key((bsp_bytes){blob.data, blob.size}, found));
    memset((uint8_t *)blob.data + KEY_SHOWS_AT + 8, 7, 8);
    assert_false(bsp_find_key((bsp_bytes){blob.data, blob.size}, found));
    for (size_t size = 0; size < KEY_SHOWS_AT + BSP_KEY_SIZE; size++) {
        assert_false(bsp_find_key((bsp_bytes){key, size % sizeof key}, found));
    }
    bsp_blob_free(&blob);
    blob = scrambled_map("source_21");
    assert_true(bsp_find_key((bsp_bytes){blob.data, blob.size}, found));
    assert_false(bsp_detect((bsp_bytes){blob.data, blob.size}, NULL, &detection, &error));
    assert_int_equal(error.code, BSP_E_FORMAT);
    bsp_blob_free(&blob);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_no_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
