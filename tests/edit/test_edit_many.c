// SPDX-License-Identifier: MIT
// Directories of more entries than any compiler writes: an edit keeps every one of them, and each
// still names its own bytes. And entries that all name the same bytes: reading them is counted. The
// files are laid out here by hand, and read back by hand.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 5000, GAME_ENTRY = 16, BSPX_ENTRY = 32, NAME = 24 };

static void put32(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint32_t get32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// The entities grow by a sixth of an alignment and more, so that all behind them moves.
static void grow_entities(const patch *p, bsp_blob *out) {
    static const char text[] =
        "{\n\"classname\" \"worldspawn\"\n\"message\" \"all of this moves what "
        "stands after it, and by no multiple of anything\"\n}\n";
    bsp_error error = {0};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){p->data, p->size}, NULL, &error);
    assert_non_null(file);
    char grown[4096];
    size_t size = 0;
    for (int i = 0; i < 30; i++) {
        memcpy(grown + size, text, sizeof text - 1);
        size += sizeof text - 1;
    }
    bsp_lump_change change = {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
                              .data = {(const uint8_t *)grown, size},
                              .version = BSP_NONE};
    if (!bsp_file_rewrite(file, &change, 1, NULL, out, &error)) {
        fail_msg("%s", error.message);
    }
    bsp_file_close(file);
}

// Each entry names four bytes that say its number.
static void expect_number(const bsp_blob *blob, uint32_t offset, uint32_t size, uint32_t number) {
    if (size != 4 || offset > blob->size - 4 ||
        get32((const uint8_t *)blob->data + offset) != number) {
        fail_msg("entry %u lost its bytes", number);
    }
}

static void test_bspx(void **state) {
    (void)state;
    patch p = patch_of("quake", false, 8 + MANY * (BSPX_ENTRY + 4) + 4);
    size_t at = (p.size - (8 + MANY * (BSPX_ENTRY + 4) + 4) + 3) / 4 * 4;
    size_t data = at + 8 + (size_t)MANY * BSPX_ENTRY;
    memcpy(p.data + at, "BSPX", 4);
    put32(p.data + at + 4, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        uint8_t *entry = p.data + at + 8 + (size_t)i * BSPX_ENTRY;
        (void)snprintf((char *)entry, NAME, "NUMBER%u", i);
        put32(entry + NAME, data + 4 * (uint64_t)i);
        put32(entry + NAME + 4, 4);
        put32(p.data + data + 4 * (size_t)i, i);
    }
    bsp_blob out;
    grow_entities(&p, &out);
    const uint8_t *bytes = out.data;
    size_t found = 0;
    for (size_t i = 0; i + 8 <= out.size && found == 0; i += 4) {
        found = memcmp(bytes + i, "BSPX", 4) == 0 ? i : 0;
    }
    assert_true(found != at && found != 0);
    assert_int_equal(get32(bytes + found + 4), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint8_t *entry = bytes + found + 8 + (size_t)i * BSPX_ENTRY;
        char name[NAME];
        (void)snprintf(name, sizeof name, "NUMBER%u", i);
        assert_string_equal((const char *)entry, name);
        expect_number(&out, get32(entry + NAME), get32(entry + NAME + 4), i);
    }
    bsp_blob_free(&out);
    patch_free(&p);
}

static void test_game_lumps(void **state) {
    (void)state;
    size_t size = 4 + MANY * (GAME_ENTRY + 4);
    patch p = patch_of("source_20", false, size);
    size_t at = p.size - size;
    size_t data = at + 4 + (size_t)MANY * GAME_ENTRY;
    patch_entry(&p, "GAME_LUMP", at, size);
    put32(p.data + at, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        uint8_t *entry = p.data + at + 4 + (size_t)i * GAME_ENTRY;
        put32(entry, 0x41000000u + i);
        put32(entry + 4, 0); // no flags, version 0
        put32(entry + 8, data + 4 * (uint64_t)i);
        put32(entry + 12, 4);
        put32(p.data + data + 4 * (size_t)i, i);
    }
    bsp_blob out;
    grow_entities(&p, &out);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){out.data, out.size}, NULL, NULL);
    assert_non_null(file);
    const bsp_lump *lump = bsp_file_lump(file, bsp_file_find_id(file, BSP_ID_GAME_LUMP));
    assert_true(lump->offset != at && lump->size == size);
    const uint8_t *bytes = (const uint8_t *)out.data + lump->offset;
    assert_int_equal(get32(bytes), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint8_t *entry = bytes + 4 + (size_t)i * GAME_ENTRY;
        assert_int_equal(get32(entry), 0x41000000u + i);
        expect_number(&out, get32(entry + 8), get32(entry + 12), i);
    }
    bsp_file_close(file);
    bsp_blob_free(&out);
    patch_free(&p);
}

// --- shared bytes -------------------------------------------------------------------------------

static void expect_too_much(const patch *p) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_file *file = patch_open(p, NULL);
    bsp_error error = {0};
    assert_false(bsp_check(file, issues, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_non_null(strstr(error.message, "the work limit of"));
    assert_non_null(strstr(error.message, "the default of 'file'"));
    bsp_file_close(file);
    bsp_issues_free(issues);
}

// 5000 lumps are each all of the file: a check would read a thousand times what is there.
static void test_shared_by_lumps(void **state) {
    (void)state;
    patch p = patch_of("quake", false, 8 + MANY * BSPX_ENTRY + 4);
    size_t at = (p.size - (8 + MANY * BSPX_ENTRY + 4) + 3) / 4 * 4;
    memcpy(p.data + at, "BSPX", 4);
    put32(p.data + at + 4, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        uint8_t *entry = p.data + at + 8 + (size_t)i * BSPX_ENTRY;
        (void)snprintf((char *)entry, NAME, "NUMBER%u", i);
        put32(entry + NAME + 4, p.size);
    }
    expect_too_much(&p);
    patch_free(&p);
}

// The embedded files of a zip all have the same half MiB.
static void test_shared_by_files(void **state) {
    (void)state;
    enum { FILES = 3000, SHARED = 1 << 19, LOCAL = 31, CENTRAL = 47, END = 22 };
    size_t size = LOCAL + SHARED + FILES * CENTRAL + END;
    patch p = patch_of("source_20", false, size);
    size_t at = p.size - size;
    patch_entry(&p, "PAKFILE", at, size);
    uint8_t *zip = p.data + at;
    memcpy(zip, "PK\3\4", 4);
    put32(zip + 18, SHARED);
    put32(zip + 22, SHARED);
    zip[26] = 1; // characters of the name
    zip[30] = 'a';
    for (uint32_t i = 0; i < FILES; i++) {
        uint8_t *record = zip + LOCAL + SHARED + (size_t)i * CENTRAL;
        memcpy(record, "PK\1\2", 4);
        put32(record + 20, SHARED);
        put32(record + 24, SHARED);
        record[28] = 1;
        record[46] = 'a';
    }
    uint8_t *end = zip + size - END;
    memcpy(end, "PK\5\6", 4);
    put32(end + 8, FILES | FILES << 16);
    put32(end + 12, FILES * CENTRAL);
    put32(end + 16, LOCAL + SHARED);
    expect_too_much(&p);
    patch_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bspx),
        cmocka_unit_test(test_game_lumps),
        cmocka_unit_test(test_shared_by_lumps),
        cmocka_unit_test(test_shared_by_files),
    };
    return cmocka_run_group_tests_name("edit_many", tests, NULL, NULL);
}
