// SPDX-License-Identifier: MIT
// What convert promises to keep: fractions are refused where the target has whole numbers, packing
// and unpacking gives the first bytes whatever pads the lumps, and a zip that stands on a sector of
// a console's disc by chance is aligned like all lumps when it moves.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/files.h"
#include "support/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECTOR ((size_t)2048)

// A box of BSP2 has floats, one of 2PSB 16 bits a side.
static void test_fractions(void **state) {
    (void)state;
    static const float sides[] = {54.857f, -54.857f};
    static const int64_t rounded[] = {54, -54}; // outwards: mins down, maxs up
    static const char *const fields[] = {"mins", "maxs"};
    const bsp_branch *target = bsp_branch_find("2psb");
    for (int i = 0; i < 2; i++) {
        patch p = patch_of("bsp2", false, 0);
        uint64_t at = patch_field(&p, "NODES", 0, fields[i], 1, 0);
        memcpy(p.data + at, &sides[i], sizeof sides[i]); // hosts of the tests are little-endian
        bsp_file *file = patch_open(&p, NULL);
        bsp_error error = {0};
        bsp_blob out;
        assert_false(bsp_file_convert(file, target, NULL, &out, &error));
        assert_int_equal(error.code, BSP_E_RANGE);
        assert_string_equal(error.place.lump, "NODES");
        assert_int_equal(error.place.record, 0);
        assert_string_equal(error.place.field, fields[i]);
        assert_non_null(strstr(error.message, i == 0 ? "54.857" : "-54.857"));
        bsp_issues *issues = bsp_issues_new(NULL, 0);
        bsp_convert_options lossy = {.lossy = true, .issues = issues};
        assert_true(bsp_file_convert(file, target, &lossy, &out, &error));
        assert_int_not_equal(bsp_issues_count(issues, BSP_NOTE), 0);
        bsp_open_options options = {.branch = "2psb"};
        bsp_file *made = bsp_file_open_memory((bsp_bytes){out.data, out.size}, &options, &error);
        bsp_parts parts;
        bsp_table nodes;
        assert_non_null(made);
        assert_true(bsp_file_table(made, BSP_ID_NODES, &parts, &nodes));
        uint32_t field = bsp_layout_find_field(nodes.layout, bsp_text_of(fields[i]));
        assert_int_equal(bsp_table_int(&nodes, 0, field, 1), rounded[i]);
        bsp_parts_free(&parts);
        bsp_file_close(made);
        bsp_blob_free(&out);
        bsp_issues_free(issues);
        bsp_file_close(file);
        patch_free(&p);
    }
}

// True if no lump has the byte.
static bool is_padding(const bsp_file *file, uint64_t at) {
    const bsp_file_info *info = bsp_file_get_info(file);
    bool free = at >= bsp_shape_size(bsp_branch_shape(info->detection.branch));
    for (uint32_t n = 0; free && n < info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        free = at < lump->offset || at >= lump->offset + lump->size;
    }
    return free;
}

static void pack_and_unpack(const test_file *sample, void *user) {
    unsigned *padding = user;
    bsp_file *file = bsp_file_open_memory(sample->bytes, NULL, NULL);
    uint8_t *copy = malloc(sample->bytes.size);
    assert_non_null(file);
    assert_non_null(copy);
    memcpy(copy, sample->bytes.data, sample->bytes.size);
    for (size_t at = 0; at < sample->bytes.size; at++) {
        if (is_padding(file, at)) {
            copy[at] = (uint8_t)(at % 255 + 1);
            ++*padding;
        }
    }
    bsp_file_close(file);
    bsp_blob packed;
    bsp_blob back;
    file = bsp_file_open_memory((bsp_bytes){copy, sample->bytes.size}, NULL, NULL);
    assert_true(bsp_file_compress(file, true, NULL, &packed, NULL));
    assert_true(packed.size < sample->bytes.size);
    bsp_file *small = bsp_file_open_memory((bsp_bytes){packed.data, packed.size}, NULL, NULL);
    assert_non_null(small);
    assert_true(bsp_file_compress(small, false, NULL, &back, NULL));
    assert_int_equal(back.size, sample->bytes.size);
    if (memcmp(back.data, copy, back.size) != 0) {
        fail_msg("%s: packed and unpacked it is another file", sample->path);
    }
    bsp_blob_free(&back);
    bsp_file_close(small);
    bsp_blob_free(&packed);
    bsp_file_close(file);
    free(copy);
}

static void test_padding(void **state) {
    (void)state;
    unsigned padding = 0;
    assert_true(for_each_file(BSP_TEST_SAMPLES "/source", ".bsp", pack_and_unpack, &padding) > 2);
    print_message("%u bytes of padding kept\n", padding);
    assert_true(padding > 10);
}

// The same file with entities of `size` bytes.
static void with_entities(const bsp_file *file, size_t size, bsp_blob *out) {
    uint32_t n = bsp_file_find_id(file, BSP_ID_ENTITIES);
    uint8_t *text = malloc(size);
    assert_non_null(text);
    memset(text, '\n', size);
    bsp_lump_change change = {.lump = n, .data = {text, size}, .version = BSP_NONE};
    assert_true(bsp_file_rewrite(file, &change, 1, NULL, out, NULL));
    free(text);
}

static uint64_t zip_at(const bsp_file *file) {
    return bsp_file_lump(file, bsp_file_find_id(file, BSP_ID_PAK))->offset;
}

static void test_sector_by_chance(void **state) {
    (void)state;
    bsp_blob first;
    bsp_blob second;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, NULL);
    assert_non_null(file);
    size_t size = (size_t)bsp_file_lump(file, bsp_file_find_id(file, BSP_ID_ENTITIES))->size;
    size = (size + 3) / 4 * 4;
    with_entities(file, size, &first); // ends on a multiple of four: the zip moves as it grows
    bsp_file *even = bsp_file_open_memory((bsp_bytes){first.data, first.size}, NULL, NULL);
    size += SECTOR - (size_t)(zip_at(even) % SECTOR);
    with_entities(even, size, &second);
    bsp_file *chance = bsp_file_open_memory((bsp_bytes){second.data, second.size}, NULL, NULL);
    assert_int_equal(zip_at(chance) % SECTOR, 0);
    bsp_blob third;
    with_entities(chance, size + 4, &third);
    bsp_file *moved = bsp_file_open_memory((bsp_bytes){third.data, third.size}, NULL, NULL);
    assert_int_equal(zip_at(moved), zip_at(chance) + 4);
    bsp_file_close(moved);
    bsp_file_close(chance);
    bsp_file_close(even);
    bsp_file_close(file);
    bsp_blob_free(&third);
    bsp_blob_free(&second);
    bsp_blob_free(&first);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fractions),
                                       cmocka_unit_test(test_padding),
                                       cmocka_unit_test(test_sector_by_chance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
