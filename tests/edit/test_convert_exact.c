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

// Returns the number of game lumps, each of which `of` has, too.
static unsigned count_game_lumps(const bsp_file *file, const bsp_file *of) {
    unsigned count = 0;
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        if (lump->place == BSP_IN_GAME_LUMP) {
            assert_int_not_equal(bsp_file_find(of, bsp_text_of(lump->name)), BSP_NONE);
            count++;
        }
    }
    return count;
}

static bsp_file *converted(const bsp_file *file, const char *branch, uint32_t props,
                           bsp_blob *out) {
    bsp_error error = {0};
    bsp_convert_options options = {.lossy = true, .static_prop_version = props};
    bsp_open_options open = {.branch = branch};
    if (!bsp_file_convert(file, bsp_branch_find(branch), &options, out, &error)) {
        fail_msg("%s: %s", branch, error.message);
    }
    bsp_file *made = bsp_file_open_memory((bsp_bytes){out->data, out->size}, &open, NULL);
    assert_non_null(made);
    return made;
}

// Another branch has no game lumps that the map had not; props of another version in the same
// branch leave all other lumps where they are.
static void test_game_lumps(void **state) {
    (void)state;
    bsp_blob blob;
    bsp_blob without;
    bsp_file *whole = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, NULL);
    const bsp_lump_change changes[] = {
        {.lump = bsp_file_find(whole, bsp_text_of("game:dplt")), .remove = true},
        {.lump = bsp_file_find(whole, bsp_text_of("game:dplh")), .remove = true}};
    assert_true(bsp_file_rewrite(whole, changes, 2, NULL, &without, NULL));
    bsp_file *file = bsp_file_open_memory((bsp_bytes){without.data, without.size}, NULL, NULL);
    const bsp_branch *own = bsp_file_get_info(file)->detection.branch;
    unsigned count = count_game_lumps(file, file);
    assert_int_equal(count, 2);
    bsp_file *other = converted(file, "source_21", 0, &blob);
    assert_string_not_equal(own->name, "source_21");
    assert_int_equal(count_game_lumps(other, file), count);
    bsp_file_close(other);
    bsp_blob_free(&blob);
    uint32_t props = bsp_file_find_id(file, BSP_ID_STATIC_PROPS);
    assert_int_not_equal(bsp_file_lump(file, props)->version, 5);
    bsp_file *same = converted(file, own->name, 5, &blob);
    assert_int_equal(bsp_file_get_info(same)->num_lumps, bsp_file_get_info(file)->num_lumps);
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        const bsp_lump *a = bsp_file_lump(file, n);
        const bsp_lump *b = bsp_file_lump(same, n);
        bsp_bytes before;
        bsp_bytes after;
        if (n == props) {
            assert_int_equal(b->version, 5);
        } else if (a->kind != BSP_KIND_GAME) {
            assert_int_equal(a->version, b->version);
            assert_true(bsp_file_data(file, n, &before, NULL));
            assert_true(bsp_file_data(same, n, &after, NULL));
            assert_true(before.size == after.size &&
                        (before.size == 0 || memcmp(before.data, after.data, after.size) == 0));
        }
    }
    bsp_file_close(same);
    bsp_blob_free(&blob);
    bsp_file_close(file);
    bsp_blob_free(&without);
    bsp_file_close(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fractions), cmocka_unit_test(test_padding),
        cmocka_unit_test(test_sector_by_chance), cmocka_unit_test(test_game_lumps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
