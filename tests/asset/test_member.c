// SPDX-License-Identifier: MIT
// Maps in archives: a file that is opened out of a PAK, a zip or a VPK is the file that it is on
// the disk, owns its bytes, and leaves nothing where it cannot be opened.
#include "bspkit/bspkit.h"
#include "support/alloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define MAP BSP_TEST_SAMPLES "/quake/lobby.bsp"
#define NAME "maps/lobby.bsp"

static bsp_blob sample;

static int read_sample(void **state) {
    (void)state;
    return bsp_blob_read(MAP, NULL, NULL, &sample, NULL) ? 0 : 1;
}

static int free_sample(void **state) {
    (void)state;
    bsp_blob_free(&sample);
    return 0;
}

// --- archives -----------------------------------------------------------------------------------

typedef struct archive {
    uint8_t *data;
    size_t size;
} archive;

static void put(archive *a, const void *data, size_t size) {
    memcpy(a->data + a->size, data, size);
    a->size += size;
}

static void put32(archive *a, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    put(a, bytes, 4);
}

static archive room_for_sample(void) {
    archive a = {malloc(sample.size + 4096), 0};
    assert_non_null(a.data);
    return a;
}

// Head, files, directory: "PACK", where the directory is, and its size; a record is a name of 56
// bytes, an offset and a size.
static archive make_pak(void) {
    char name[56] = NAME;
    archive a = room_for_sample();
    put(&a, "PACK", 4);
    put32(&a, (uint32_t)(12 + sample.size));
    put32(&a, 64);
    put(&a, sample.data, sample.size);
    put(&a, name, sizeof name);
    put32(&a, 12);
    put32(&a, (uint32_t)sample.size);
    return a;
}

static archive make_zip(uint16_t method) {
    bsp_pak_change change = {
        .name = bsp_text_of(NAME), .data = {sample.data, sample.size}, .method = method};
    bsp_blob zip;
    archive a = room_for_sample();
    assert_true(bsp_pak_rewrite((bsp_bytes){NULL, 0}, &change, 1, NULL, &zip, NULL));
    put(&a, zip.data, zip.size);
    bsp_blob_free(&zip);
    return a;
}

static archive make_stored(void) {
    return make_zip(BSP_PAK_STORED);
}

static archive make_deflated(void) {
    return make_zip(BSP_PAK_DEFLATE);
}

// Version 1, all of the file in the archive of the directory itself (0x7FFF): head, tree, data.
static archive make_vpk(void) {
    static const char tree[] = "bsp\0maps\0lobby";
    archive a = room_for_sample();
    put32(&a, 0x55AA1234);
    put32(&a, 1);
    put32(&a, (uint32_t)(sizeof tree + 18 + 3)); // three empty strings end the three levels
    put(&a, tree, sizeof tree);
    put32(&a, bsp_crc32(0, (bsp_bytes){sample.data, sample.size}));
    put(&a, "\0\0\xFF\x7F", 4); // no bytes in the tree; the archive
    put32(&a, 0);
    put32(&a, (uint32_t)sample.size);
    put(&a, "\xFF\xFF\0\0\0", 5);
    put(&a, sample.data, sample.size);
    return a;
}

static bsp_search *search_of(const archive *a, const bsp_search_options *options) {
    bsp_search *search = bsp_search_new(options, NULL);
    if (search != NULL &&
        !bsp_search_add_memory(search, "archive", (bsp_bytes){a->data, a->size}, NULL)) {
        bsp_search_free(search);
        search = NULL;
    }
    return search;
}

// --- tests --------------------------------------------------------------------------------------

// The archive is gone before the file is read.
static void test_a_member_is_the_file(void **state) {
    (void)state;
    static archive (*const makers[])(void) = {make_pak, make_stored, make_deflated, make_vpk};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        bsp_error error = {0};
        archive a = makers[i]();
        bsp_search *search = search_of(&a, NULL);
        assert_non_null(search);
        bsp_file *file = bsp_file_open_member(search, bsp_text_of("MAPS\\Lobby.bsp"), NULL, &error);
        bsp_search_free(search);
        memset(a.data, 0xAA, a.size);
        free(a.data);
        if (file == NULL) {
            fail_msg("archive %zu: %s", i, error.message);
        }
        const bsp_file_info *info = bsp_file_get_info(file);
        assert_int_equal(info->bytes.size, sample.size);
        assert_memory_equal(info->bytes.data, sample.data, sample.size);
        assert_string_equal(info->detection.branch->name, "quake");
        bsp_map *map = bsp_map_load(file, NULL, &error);
        assert_non_null(map);
        assert_true(map->num_faces != 0);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

static void test_options_are_those_of_a_file(void **state) {
    (void)state;
    bsp_error error = {0};
    archive a = make_pak();
    bsp_search *search = search_of(&a, NULL);
    bsp_open_options options = {.branch = "no such branch"};
    assert_null(bsp_file_open_member(search, bsp_text_of(NAME), &options, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_limits limits = {.memory = sample.size / 2};
    options = (bsp_open_options){.budget = bsp_budget_new(&limits, NULL)};
    assert_null(bsp_file_open_member(search, bsp_text_of(NAME), &options, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(options.budget);
    bsp_search_free(search);
    free(a.data);
}

static void test_what_is_none(void **state) {
    (void)state;
    bsp_error error = {0};
    archive a = make_pak();
    bsp_search *search = search_of(&a, NULL);
    assert_null(bsp_file_open_member(search, bsp_text_of("maps/other.bsp"), NULL, &error));
    assert_int_equal(error.code, BSP_E_NOT_FOUND);
    assert_non_null(strstr(error.message, "maps/other.bsp"));
    bsp_search_free(search);
    a.data[12] = 'X'; // the version of the map
    search = search_of(&a, NULL);
    assert_null(bsp_file_open_member(search, bsp_text_of(NAME), NULL, &error));
    assert_int_equal(error.code, BSP_E_FORMAT);
    bsp_search_free(search);
    free(a.data);
}

// Of a zip whose directory lies about its file nothing is opened.
static void test_damaged_member(void **state) {
    (void)state;
    bsp_error error = {0};
    archive a = make_deflated();
    a.data[a.size / 2] ^= 0xFF;
    bsp_search *search = search_of(&a, NULL);
    assert_non_null(search);
    assert_null(bsp_file_open_member(search, bsp_text_of(NAME), NULL, &error));
    assert_int_equal(error.code, BSP_E_DAMAGED);
    bsp_search_free(search);
    free(a.data);
}

// Two allocators: the archive's for the bytes, the file's for the rest. Every request is refused
// once.
static void test_memory_ends(void **state) {
    (void)state;
    archive a = make_deflated();
    bool opened = false;
    for (uint64_t n = 1; !opened; n++) {
        test_meter of_archive = {0};
        test_meter of_file = {.fail_at = n};
        bsp_allocator archives = meter_allocator(&of_archive);
        bsp_allocator files = meter_allocator(&of_file);
        bsp_search *search = search_of(&a, &(bsp_search_options){.allocator = &archives});
        assert_non_null(search);
        of_archive.fail_at = of_archive.requests + n;
        bsp_error error = {0};
        bsp_file *file = bsp_file_open_member(search, bsp_text_of(NAME),
                                              &(bsp_open_options){.allocator = &files}, &error);
        opened = file != NULL;
        assert_int_equal(error.code, opened ? BSP_OK : BSP_E_MEMORY);
        bsp_file_close(file);
        bsp_search_free(search);
        assert_int_equal(of_archive.live, 0);
        assert_int_equal(of_file.live, 0);
        assert_false(of_archive.wrong || of_file.wrong);
        assert_true(n < 10000);
    }
    free(a.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_member_is_the_file),
        cmocka_unit_test(test_options_are_those_of_a_file),
        cmocka_unit_test(test_what_is_none),
        cmocka_unit_test(test_damaged_member),
        cmocka_unit_test(test_memory_ends),
    };
    return cmocka_run_group_tests(tests, read_sample, free_sample);
}
