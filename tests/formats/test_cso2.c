// SPDX-License-Identifier: MIT
// What only Counter-Strike Online 2 has: packed lumps with a flag and a big-endian size in the
// directory, and an archive with marks of its own, here made by hand byte by byte.
#include "support/room.h"

#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "core/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ENTRY(lump) (8 + 16 * (size_t)(lump))
#define PLANES 1

static bsp_bytes bytes_of(const bsp_blob *blob) {
    return (bsp_bytes){blob->data, blob->size};
}

static bsp_file *open_blob(const bsp_blob *blob) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open_memory(bytes_of(blob), NULL, &error);
    if (file == NULL) {
        fail_msg("%s", error.message);
    }
    return file;
}

// --- packed lumps -------------------------------------------------------------------------------

static void test_packed_lumps(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_blob plain = room_file(bsp_branch_find("cso2_100"), false, 0);
    bsp_file *file = open_blob(&plain);
    uint32_t size = bspi_load32(plain.data + ENTRY(PLANES) + 4, false);
    assert_int_equal(bspi_load16(plain.data + ENTRY(PLANES) + 10, false), 0);
    assert_int_equal(bspi_load32(plain.data + ENTRY(PLANES) + 12, false), 0);
    bsp_blob packed;
    assert_true(bsp_file_compress(file, true, NULL, &packed, &error));

    const uint8_t *entry = packed.data + ENTRY(PLANES);
    assert_memory_equal(packed.data + bspi_load32(entry, false), "LZMA", 4);
    assert_int_equal(bspi_load16(entry + 8, false), 0); // the lump's version
    assert_int_equal(bspi_load16(entry + 10, false), 1);
    assert_int_equal(bspi_load32(entry + 12, true), size);
    bsp_file *again = open_blob(&packed);
    const bsp_lump *lump = bsp_file_lump(again, PLANES);
    assert_true(lump->compressed);
    assert_int_equal(lump->fourcc, size);
    assert_int_equal(lump->unpacked_size, size);
    assert_int_equal(bsp_file_count(again, BSP_ID_PLANES), size / 20);

    bsp_blob back;
    assert_true(bsp_file_compress(again, false, NULL, &back, &error));
    assert_int_equal(back.size, plain.size);
    assert_memory_equal(back.data, plain.data, plain.size);
    bsp_file_close(again);
    bsp_file_close(file);
    bsp_blob_free(&back);
    bsp_blob_free(&packed);
    bsp_blob_free(&plain);
}

// --- the archive --------------------------------------------------------------------------------

typedef struct archive {
    uint8_t data[1024];
    size_t size;
} archive;

static void put(archive *a, uint32_t value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        a->data[a->size++] = (uint8_t)(value >> (8 * i));
    }
}

static void put_bytes(archive *a, const void *data, size_t size) {
    memcpy(a->data + a->size, data, size);
    a->size += size;
}

static void put_local(archive *a, const char *name, uint32_t crc, uint32_t packed, uint32_t size) {
    put_bytes(a, "CS\3\4\0\0", 6);
    put(a, crc, 4);
    put(a, packed, 4);
    put(a, size, 4);
    put(a, (uint32_t)strlen(name), 4);
    put_bytes(a, name, strlen(name));
}

static void put_central(archive *a, const char *name, uint32_t crc, uint32_t packed, uint32_t size,
                        uint32_t offset) {
    put_bytes(a, "CS\1\2\0\0", 6);
    put(a, crc, 4);
    put(a, size, 4);
    put(a, packed, 4);
    put(a, (uint32_t)strlen(name), 4);
    put(a, 0, 2);
    put(a, offset, 4);
    put_bytes(a, name, strlen(name));
}

static const char stored_text[] = "stored as it is";
static const char packed_text[] = "packed packed packed packed packed packed packed packed packed";

static void make_archive(archive *a) {
    static const char *const names[] = {"scripts/a.txt", "scripts/b.txt"};
    bsp_bytes text[2] = {{(const uint8_t *)stored_text, sizeof stored_text - 1},
                         {(const uint8_t *)packed_text, sizeof packed_text - 1}};
    bsp_blob lzma;
    bsp_error error = {0};
    assert_true(bsp_lzma_pack(text[1], NULL, &lzma, &error));
    uint32_t packed[2] = {0, (uint32_t)lzma.size};
    uint32_t offsets[2];
    a->size = 0;
    for (int i = 0; i < 2; i++) {
        offsets[i] = (uint32_t)a->size;
        put_local(a, names[i], bsp_crc32(0, text[i]), packed[i], (uint32_t)text[i].size);
        put_bytes(a, i == 0 ? text[0].data : lzma.data, i == 0 ? text[0].size : lzma.size);
    }
    bsp_blob_free(&lzma);
    size_t directory = a->size;
    for (int i = 0; i < 2; i++) {
        put_central(a, names[i], bsp_crc32(0, text[i]), packed[i], (uint32_t)text[i].size,
                    offsets[i]);
    }
    uint32_t size = (uint32_t)(a->size - directory);
    put_bytes(a, "CS\5\6\0\0\0\0\2\0\2\0", 12);
    put(a, size, 4);
    put(a, (uint32_t)directory, 4);
    put(a, 1, 4);
    put(a, 0, 1);
}

static void expect_file(const bsp_pak *pak, uint32_t n, const char *name, uint16_t method,
                        const char *text) {
    bsp_blob out;
    bsp_error error = {0};
    assert_true(bsp_text_equal(pak->entries[n].name, bsp_text_of(name)));
    assert_int_equal(pak->entries[n].method, method);
    if (!bsp_pak_read(pak, n, NULL, &out, &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(out.size, strlen(text));
    assert_memory_equal(out.data, text, out.size);
    bsp_blob_free(&out);
}

static size_t count_issues(bsp_issues *issues) {
    size_t count;
    (void)bsp_issues_list(issues, &count);
    return count;
}

static void test_archive(void **state) {
    (void)state;
    archive a;
    make_archive(&a);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){a.data, a.size}, NULL, issues, NULL);
    assert_int_equal(pak->count, 2);
    assert_int_equal(count_issues(issues), 0);
    expect_file(pak, 0, "scripts/a.txt", BSP_PAK_STORED, stored_text);
    expect_file(pak, 1, "scripts/b.txt", BSP_PAK_LZMA_LUMP, packed_text);
    bsp_pak_close(pak);

    bsp_blob out;
    bsp_error error = {0};
    bsp_pak_change change = {.name = bsp_text_of("scripts/a.txt"), .remove = true};
    assert_false(bsp_pak_rewrite((bsp_bytes){a.data, a.size}, &change, 1, NULL, &out, &error));
    assert_int_equal(error.code, BSP_E_UNSUPPORTED);
    bsp_issues_free(issues);
}

// Every part of the archive is claimed, and a map with it survives encoding.
static void test_archive_in_map(void **state) {
    (void)state;
    archive a;
    bsp_error error = {0};
    bsp_blob blob;
    make_archive(&a);
    const bsp_branch *branch = bsp_branch_find("cso2_100");
    room *r = room_build(branch);
    r->map.pak = (bsp_bytes){a.data, a.size};
    assert_true(bsp_map_write(&r->map, branch, NULL, &blob, &error));
    room_free(r);
    bsp_file *file = open_blob(&blob);
    uint32_t n = bsp_file_find_id(file, BSP_ID_PAK);
    bsp_parts parts;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_true(bsp_file_parts(file, n, issues, &parts, &error));
    assert_int_equal(count_issues(issues), 0);
    size_t claimed = 0;
    for (uint32_t i = 0; i < parts.count; i++) {
        claimed += parts.parts[i].size;
    }
    assert_int_equal(claimed, a.size);
    bsp_parts_free(&parts);
    uint8_t *again = malloc(blob.size);
    assert_non_null(again);
    assert_true(bsp_file_encode(file, again, &error));
    assert_memory_equal(again, blob.data, blob.size);
    free(again);
    bsp_issues_free(issues);
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

// Any byte wrong, and any end missing: an answer, no harm (the sanitizers look).
static void test_damaged_archive(void **state) {
    (void)state;
    archive sound;
    make_archive(&sound);
    for (size_t i = 0; i < 2 * sound.size; i++) {
        size_t at = i % sound.size;
        size_t size = i < sound.size ? at : sound.size;
        uint8_t *copy = malloc(size + 1);
        assert_non_null(copy);
        memcpy(copy, sound.data, size);
        if (i >= sound.size) {
            copy[at] ^= 0xFF;
        }
        bsp_pak *pak = bsp_pak_open((bsp_bytes){copy, size}, NULL, NULL, NULL);
        for (uint32_t n = 0; pak != NULL && n < pak->count; n++) {
            bsp_blob out;
            bsp_error error = {0};
            if (bsp_pak_read(pak, n, NULL, &out, &error)) {
                bsp_blob_free(&out);
            }
        }
        bsp_pak_close(pak);
        free(copy);
    }
}

// --- what is not known --------------------------------------------------------------------------

// World lights of a size that no source tells of, and displacements of the later clients: kept, and
// said; the map has none.
static void test_unknown_sizes(void **state) {
    (void)state;
    const bsp_branch *branch = bsp_branch_find("cso2_100");
    bsp_blob plain = room_file(branch, false, 0);
    bsp_file *file = open_blob(&plain);
    static const uint8_t bytes[242 * 3];
    bsp_lump_change changes[2] = {
        {.lump = 15, .data = {bytes, 3 * 92}, .version = BSP_NONE},
        {.lump = 26, .data = {bytes, 3 * 242}, .version = BSP_NONE},
    };
    bsp_blob blob;
    bsp_error error = {0};
    assert_true(bsp_file_rewrite(file, changes, 2, NULL, &blob, &error));
    bsp_file *changed = open_blob(&blob);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_true(bsp_check_records(changed, issues, &error));
    size_t count;
    unsigned said = 0;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        said += strcmp(list[i].kind->id, "lump-unknown-layout") == 0;
    }
    assert_int_equal(said, 2);
    bsp_map *map = bsp_map_load(changed, NULL, &error);
    assert_non_null(map);
    assert_int_equal(map->num_world_lights, 0);
    assert_int_equal(map->num_displacements, 0);
    bsp_map_free(map);
    bsp_issues_free(issues);
    bsp_file_close(changed);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_lumps),   cmocka_unit_test(test_archive),
        cmocka_unit_test(test_archive_in_map), cmocka_unit_test(test_damaged_archive),
        cmocka_unit_test(test_unknown_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
