// SPDX-License-Identifier: MIT
// Files written piece by piece: the pieces against a flat copy of them, zips as large as they come,
// files of the disk, and what fails on the way.
#define _POSIX_C_SOURCE 200809L // mkstemp, mkdtemp, ftruncate

#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "edit/rewrite/pieces.h"
#include "edit/pak/zip_content.h"
#include "support/alloc.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"
#define MOST_FILES 65535u

static bool to_buffer(void *user, const char *data, size_t size) {
    bspi_buffer *buffer = user;
    bspi_buffer_add(buffer, data, size);
    return !buffer->failed;
}

// --- pieces -------------------------------------------------------------------------------------

#define FLAT 20000u

// Bytes are added in any way, and some are changed: what is written is what a plain copy has.
static void compare_pieces(uint64_t seed) {
    test_random random = {seed};
    uint8_t source[4096];
    uint8_t flat[FLAT + sizeof source];
    size_t size = 0;
    bspi_heap heap;
    bspi_arena arena;
    bspi_heap_init(&heap, NULL, 0);
    bspi_arena_init(&arena, &heap);
    bspi_pieces pieces = {.heap = &heap, .arena = &arena};
    random_fill(&random, source, sizeof source);
    while (size < FLAT) {
        size_t from = random_below(&random, sizeof source);
        size_t some = random_below(&random, sizeof source - from);
        some = random_u32(&random) % 2 == 0 ? some % 30 : some;
        switch (random_u32(&random) % 4) {
        case 0:
            bspi_pieces_zeros(&pieces, some);
            memset(flat + size, 0, some);
            break;
        case 1:
            assert_true(bspi_pieces_add_copy(&pieces, (bsp_bytes){source + from, some}));
            memcpy(flat + size, source + from, some);
            break;
        default:
            bspi_pieces_add(&pieces, (bsp_bytes){source + from, some});
            memcpy(flat + size, source + from, some);
        }
        size += some;
        if (random_u32(&random) % 3 == 0 && size > 1) {
            size_t at = random_below(&random, size - 1);
            size_t count = 1 + random_below(&random, size - at < 500 ? size - at : 500);
            uint8_t *open = bspi_pieces_open(&pieces, at, count);
            assert_non_null(open);
            assert_memory_equal(open, flat + at, count);
            memset(open, (int)(seed & 0xFF), count);
            memset(flat + at, (int)(seed & 0xFF), count);
        }
    }
    assert_null(bspi_pieces_open(&pieces, size, 1));
    assert_null(bspi_pieces_open(&pieces, UINT64_MAX, 2));
    bspi_buffer out = {.heap = &heap};
    assert_true(bspi_pieces_write(&pieces, NULL, true, to_buffer, &out, NULL));
    assert_int_equal(out.size, size);
    assert_int_equal(pieces.size, size);
    assert_memory_equal(out.data, flat, size);
    bspi_buffer_free(&out);
    bspi_pieces_free(&pieces);
    bspi_arena_free(&arena);
}

static void test_pieces(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        compare_pieces(seed);
    }
}

// --- many files ---------------------------------------------------------------------------------

typedef struct crowd {
    bsp_pak_change *changes;
    char (*names)[16];
} crowd;

// Files 0000f, 0001f ... each with its own name in it; of `names` different names.
static crowd make_crowd(uint32_t count, uint32_t names, bool remove) {
    crowd c = {calloc(count, sizeof *c.changes), calloc(count, sizeof *c.names)};
    assert_true(c.changes != NULL && c.names != NULL);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(c.names[i], sizeof *c.names, "%x%s", i % names, remove ? "F" : "f");
        bsp_text name = bsp_text_of(c.names[i]);
        c.changes[i] = (bsp_pak_change){
            .name = name, .remove = remove, .data = {(const uint8_t *)name.data, name.size}};
    }
    return c;
}

static void free_crowd(crowd *c) {
    free(c->changes);
    free(c->names);
}

static bsp_blob rewrite(bsp_bytes zip, const bsp_pak_change *changes, uint32_t count) {
    bsp_blob out;
    bsp_error error = {0};
    if (!bsp_pak_rewrite(zip, changes, count, NULL, &out, &error)) {
        fail_msg("%s", error.message);
    }
    return out;
}

static bsp_pak *open_zip(const bsp_blob *zip, uint32_t count) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){zip->data, zip->size}, NULL, issues, NULL);
    assert_non_null(pak);
    assert_int_equal(pak->count, count);
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 0);
    bsp_issues_free(issues);
    return pak;
}

// As many files as a zip can have come, half of them are replaced, all go.
static void test_most_files(void **state) {
    (void)state;
    crowd all = make_crowd(MOST_FILES, MOST_FILES, false);
    crowd none = make_crowd(MOST_FILES, MOST_FILES, true);
    bsp_blob empty = rewrite((bsp_bytes){NULL, 0}, NULL, 0);
    bsp_bytes old = {empty.data, empty.size};
    bsp_blob full = rewrite(old, all.changes, MOST_FILES);
    bsp_pak *pak = open_zip(&full, MOST_FILES);
    for (uint32_t i = 0; i < MOST_FILES; i++) {
        assert_true(bsp_text_equal(pak->entries[i].name, all.changes[i].name));
        assert_int_equal(pak->entries[i].packed.size, all.changes[i].name.size);
        assert_memory_equal(pak->entries[i].packed.data, all.changes[i].name.data,
                            all.changes[i].name.size);
    }
    bsp_pak_close(pak);
    bsp_bytes data = {full.data, full.size};
    bsp_blob out;
    bsp_error error = {0};
    const bsp_pak_change more = {.name = bsp_text_of("more")};
    assert_false(bsp_pak_rewrite(data, &more, 1, NULL, &out, &error));
    assert_int_equal(error.code, BSP_E_RANGE);
    bsp_blob gone = rewrite(data, none.changes, 0);
    assert_int_equal(gone.size, full.size);
    assert_memory_equal(gone.data, full.data, full.size);
    bsp_blob_free(&gone);
    bsp_blob_free(&full);
    full = rewrite(old, all.changes, MOST_FILES / 2);
    gone = rewrite((bsp_bytes){full.data, full.size}, none.changes, MOST_FILES / 2);
    assert_int_equal(gone.size, empty.size);
    assert_memory_equal(gone.data, empty.data, empty.size);
    bsp_blob_free(&gone);
    bsp_blob_free(&full);
    bsp_blob_free(&empty);
    free_crowd(&all);
    free_crowd(&none);
}

// Of changes of one name the last counts, and takes the place of all files of that name.
static void test_one_name_for_all(void **state) {
    (void)state;
    enum { COUNT = 30000 };
    crowd some = make_crowd(COUNT, COUNT, false);
    bsp_blob zip = rewrite((bsp_bytes){NULL, 0}, some.changes, COUNT);
    bsp_pak *pak = open_zip(&zip, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) { // names of one length, from 1000f on
        if (pak->entries[i].name.size == 5) {
            memcpy(zip.data + pak->entries[i].record + 46, "samef", 5);
        }
    }
    bsp_pak_close(pak);
    crowd one = make_crowd(COUNT, 1, false);
    for (uint32_t i = 0; i < COUNT; i++) {
        one.changes[i].name = bsp_text_of("SAMEF");
    }
    one.changes[COUNT - 1].data = (bsp_bytes){(const uint8_t *)"last", 4};
    bsp_blob out = rewrite((bsp_bytes){zip.data, zip.size}, one.changes, COUNT);
    pak = open_zip(&out, 0x1000 + 1);
    const bsp_pak_entry *entry = &pak->entries[0x1000];
    assert_true(bsp_text_equal(entry->name, bsp_text_of("SAMEF")));
    assert_int_equal(entry->packed.size, 4);
    assert_memory_equal(entry->packed.data, "last", 4);
    bsp_pak_close(pak);
    bsp_blob_free(&out);
    bsp_blob_free(&zip);
    free_crowd(&one);
    free_crowd(&some);
}

// --- bounds -------------------------------------------------------------------------------------

// New files on multiples of 65536, as the comment asks for, would take 4 GiB: refused, and not made
// in memory first.
static void test_alignment_bomb(void **state) {
    (void)state;
    static const char comment[] = "XZP1 65536";
    uint8_t end[22 + sizeof comment - 1] = "PK\5\6";
    end[20] = sizeof comment - 1;
    memcpy(end + 22, comment, sizeof comment - 1);
    crowd all = make_crowd(MOST_FILES, MOST_FILES, false);
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_error error = {0};
    bsp_blob out;
    assert_false(bsp_pak_rewrite((bsp_bytes){end, sizeof end}, all.changes, MOST_FILES, &allocator,
                                 &out, &error));
    assert_int_equal(error.code, BSP_E_RANGE);
    assert_string_equal(error.message, "the pak would pass 2 GiB");
    assert_true(meter.peak < (size_t)64 << 20);
    assert_int_equal(meter.live, 0);
    free_crowd(&all);
}

// A file of the disk that is larger than a zip's numbers (and has no bytes on it).
static void test_large_file(void **state) {
    (void)state;
    char path[] = "/tmp/bspkit-plan.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    if (ftruncate(fd, (off_t)5 << 30) == 0) {
        const bsp_pak_change change = {.name = bsp_text_of("large"), .path = path};
        bsp_error error = {0};
        bsp_blob out;
        assert_false(bsp_pak_rewrite((bsp_bytes){NULL, 0}, &change, 1, NULL, &out, &error));
        assert_int_equal(error.code, sizeof(size_t) > 4 ? BSP_E_RANGE : BSP_E_LIMIT);
    }
    (void)close(fd);
    (void)unlink(path);
}

// --- files of the disk --------------------------------------------------------------------------

enum { BIG = 3 << 20, NUM_BIG = 4 };

static void write_file(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Random bytes hardly pack: some are packed again when they are written. Either way the zip is the
// one that is made of bytes in memory; if a file changes in between, none is.
static void try_method(uint16_t method, uint8_t *const bytes[NUM_BIG], char paths[NUM_BIG][64]) {
    bsp_pak_change there[NUM_BIG + 1] = {0};
    bsp_pak_change disk[NUM_BIG + 1] = {0};
    static const char *const names[] = {"a", "b", "c", "d", "empty"};
    for (int i = 0; i <= NUM_BIG; i++) {
        there[i] = (bsp_pak_change){.name = bsp_text_of(names[i]), .method = method};
        disk[i] = there[i];
        disk[i].path = i < NUM_BIG ? paths[i] : "/dev/null";
        there[i].data = (bsp_bytes){bytes[i % NUM_BIG], i < NUM_BIG ? BIG : 0};
        if (i < NUM_BIG) {
            write_file(paths[i], bytes[i], BIG);
        }
    }
    bsp_error error = {0};
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_blob want = rewrite((bsp_bytes){NULL, 0}, there, NUM_BIG + 1);
    bsp_pak *none = bsp_pak_open((bsp_bytes){NULL, 0}, NULL, NULL, &error);
    bsp_plan *plan = bsp_pak_plan(none, disk, NUM_BIG + 1, &allocator, &error);
    bsp_blob got;
    assert_non_null(plan);
    assert_true(meter.live < BSPI_ZIP_KEPT + ((size_t)1 << 20));
    if (!bsp_plan_make(plan, NULL, &got, &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(got.size, want.size);
    assert_memory_equal(got.data, want.data, want.size);
    bsp_blob_free(&got);
    bytes[NUM_BIG - 1][BIG / 2] ^= 1;
    write_file(paths[NUM_BIG - 1], bytes[NUM_BIG - 1], BIG);
    assert_false(bsp_plan_make(plan, NULL, &got, &error));
    assert_int_equal(error.code, BSP_E_IO);
    assert_non_null(strstr(error.message, "changed while it was read"));
    bsp_plan_free(plan);
    assert_int_equal(meter.live, 0);
    assert_false(meter.wrong);
    (void)unlink(paths[0]);
    assert_null(bsp_pak_plan(none, disk, 1, NULL, &error));
    assert_int_equal(error.code, BSP_E_NOT_FOUND);
    bsp_pak_close(none);
    bsp_blob_free(&want);
}

static void test_files_of_the_disk(void **state) {
    (void)state;
    char folder[] = "/tmp/bspkit-plan.XXXXXX";
    char paths[NUM_BIG][64];
    uint8_t *bytes[NUM_BIG];
    test_random random = {7};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < NUM_BIG; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d", folder, i);
        bytes[i] = malloc(BIG);
        assert_non_null(bytes[i]);
        random_fill(&random, bytes[i], BIG);
    }
    try_method(BSP_PAK_STORED, bytes, paths);
    try_method(BSP_PAK_DEFLATE, bytes, paths);
    for (int i = 0; i < NUM_BIG; i++) {
        (void)unlink(paths[i]);
        free(bytes[i]);
    }
    assert_int_equal(rmdir(folder), 0);
}

// --- a map --------------------------------------------------------------------------------------

typedef struct edit {
    bsp_plan *zip;
    bsp_plan *map;
} edit;

// A file comes into the map's zip, and the entities change.
static edit plan_edit(const bsp_file *file, const bsp_pak *pak, bsp_text text,
                      const bsp_allocator *allocator, bsp_error *error) {
    const bsp_pak_change changes[] = {
        {.name = bsp_text_of("new/one.txt"), .data = {(const uint8_t *)"one", 3}},
        {.name = bsp_text_of("new/two.txt"), .data = {(const uint8_t *)"two", 3}, .method = 8},
        {.name = bsp_text_of("new/three.txt"), .path = SAMPLE, .method = 8}};
    edit e = {bsp_pak_plan(pak, changes, 2, allocator, error), NULL};
    const bsp_lump_change lumps[] = {
        {.lump = bsp_file_find_id(file, BSP_ID_PAK), .plan = e.zip, .version = BSP_NONE},
        {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
         .data = {(const uint8_t *)text.data, text.size},
         .version = BSP_NONE}};
    e.map = e.zip == NULL ? NULL : bsp_file_plan(file, lumps, 2, allocator, error);
    return e;
}

// The plan of a map against the same made by rewriting twice; a file that differs is told.
static void test_map(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(SAMPLE, NULL, &error);
    bsp_pak *pak = bsp_file_pak(file, NULL, &error);
    const bsp_text text = bsp_text_of("{\n\"classname\" \"worldspawn\"\n}\n");
    edit e = plan_edit(file, pak, text, NULL, &error);
    bsp_blob blob;
    assert_non_null(e.map);
    assert_true(bsp_plan_make(e.map, NULL, &blob, &error));
    assert_int_equal(blob.size, bsp_plan_size(e.map));
    bsp_file *made = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_true(bsp_plan_matches(e.map, made, &error));
    assert_false(bsp_plan_matches(e.map, file, &error));
    assert_int_equal(error.code, BSP_E_IO);
    bsp_bytes got;
    assert_true(bsp_file_data(made, bsp_file_find_id(made, BSP_ID_ENTITIES), &got, &error));
    assert_true(bsp_text_equal((bsp_text){(const char *)got.data, got.size}, text));
    bsp_pak *after = bsp_file_pak(made, NULL, &error);
    assert_int_equal(after->count, pak->count + 2);
    bsp_pak_close(after);
    bsp_file_close(made);
    blob.data[blob.size - 1] ^= 1;
    made = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_false(bsp_plan_matches(e.map, made, &error));
    bsp_file_close(made);
    made = bsp_file_open_memory((bsp_bytes){blob.data, blob.size - 1}, NULL, &error);
    assert_false(bsp_plan_matches(e.map, made, &error));
    bsp_file_close(made);
    bsp_blob_free(&blob);
    bsp_plan_free(e.map);
    bsp_plan_free(e.zip);
    bsp_pak_close(pak);
    bsp_file_close(file);
}

static bool refuse(void *user, const char *data, size_t size) {
    (void)data;
    size_t *left = user;
    bool good = size <= *left;
    *left -= good ? size : *left;
    return good;
}

// A sink that has enough after any number of bytes.
static void test_full_sink(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(SAMPLE, NULL, &error);
    bsp_plan *plan = bsp_file_plan(file, NULL, 0, NULL, &error);
    size_t size = bsp_file_get_info(file)->bytes.size;
    assert_int_equal(bsp_plan_size(plan), size);
    for (size_t room = 0; room <= size; room += size / 10) {
        size_t left = room;
        assert_false(bsp_plan_write(plan, refuse, &left, &error) != (room == size));
        assert_true(room == size || error.code == BSP_E_IO);
    }
    bsp_plan_free(plan);
    bsp_file_close(file);
}

// A plan made; `*sum` tells whether it gives the same as another time. Packing is starved on
// smaller maps (test_edit_starve).
static bool plan_all(const bsp_file *file, const bsp_pak *pak, const bsp_allocator *allocator,
                     uint32_t *sum) {
    bsp_error error = {0};
    bsp_blob blob = {0};
    edit e = plan_edit(file, pak, bsp_text_of("{\n}\n"), allocator, &error);
    bool done = e.map != NULL && bsp_plan_make(e.map, allocator, &blob, &error);
    *sum = done ? bsp_crc32(0, (bsp_bytes){blob.data, blob.size}) : 0;
    assert_true(done || error.code == BSP_E_MEMORY);
    bsp_blob_free(&blob);
    bsp_plan_free(e.map);
    bsp_plan_free(e.zip);
    return done;
}

// The n-th request for memory fails, for each n until none does: then it all does, or nothing stays
// allocated; and what is made is what it should be.
static void test_memory(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(SAMPLE, NULL, &error);
    bsp_pak *pak = bsp_file_pak(file, NULL, &error);
    unsigned failures = 0;
    uint32_t want;
    uint32_t got;
    assert_true(plan_all(file, pak, NULL, &want));
    for (bool reached = true; reached;) {
        test_meter meter = {.fail_at = ++failures};
        bsp_allocator allocator = meter_allocator(&meter);
        bool done = plan_all(file, pak, &allocator, &got);
        assert_true(!done || got == want);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
        reached = meter.requests >= failures;
        assert_true(done || reached);
    }
    print_message("%u requests\n", failures - 1);
    bsp_pak_close(pak);
    bsp_file_close(file);
}

// --- an end record in the comment ---------------------------------------------------------------

// A comment can say "PK\5\6", and have what follows it: the record whose comment ends where the zip
// does counts, when it is read and when the files are packed and unpacked.
static void test_end_in_comment(void **state) {
    (void)state;
    static const char comment[] = "made by PK\5\6, not an end: 0123456789 0123456789 0123456789";
    bsp_error error = {0};
    char text[4000];
    memset(text, 'x', sizeof text);
    const bsp_pak_change change = {.name = bsp_text_of("x.txt"),
                                   .data = {(const uint8_t *)text, sizeof text}};
    bsp_blob zip = rewrite((bsp_bytes){NULL, 0}, &change, 1);
    uint8_t noted[8192];
    size_t size = zip.size + sizeof comment - 1;
    memcpy(noted, zip.data, zip.size);
    noted[zip.size - 2] = sizeof comment - 1;
    memcpy(noted + zip.size, comment, sizeof comment - 1);
    bsp_file *file = bsp_file_open(SAMPLE, NULL, &error);
    bsp_lump_change lump = {
        .lump = bsp_file_find_id(file, BSP_ID_PAK), .data = {noted, size}, .version = BSP_NONE};
    bsp_blob blobs[3];
    bsp_file *files[3];
    assert_true(bsp_file_rewrite(file, &lump, 1, NULL, &blobs[0], &error));
    for (int i = 0; i < 3; i++) { // as it is, packed, unpacked
        assert_true(i == 0 || bsp_file_compress(files[i - 1], i == 1, NULL, &blobs[i], &error));
        files[i] = bsp_file_open_memory((bsp_bytes){blobs[i].data, blobs[i].size}, NULL, &error);
        bsp_issues *issues = bsp_issues_new(NULL, 0);
        bsp_pak *pak = bsp_file_pak(files[i], issues, &error);
        assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 0);
        bsp_issues_free(issues);
        assert_true(bsp_text_equal(pak->comment, bsp_text_of(comment)));
        assert_int_equal(pak->count, 1);
        assert_int_equal(pak->entries[0].method, i == 1 ? BSP_PAK_LZMA : BSP_PAK_STORED);
        bsp_blob content;
        assert_true(bsp_pak_read(pak, 0, NULL, &content, &error));
        assert_memory_equal(content.data, text, sizeof text);
        bsp_blob_free(&content);
        bsp_pak_close(pak);
    }
    assert_int_equal(blobs[2].size, blobs[0].size);
    assert_memory_equal(blobs[2].data, blobs[0].data, blobs[0].size);
    for (int i = 2; i >= 0; i--) {
        bsp_file_close(files[i]);
        bsp_blob_free(&blobs[i]);
    }
    bsp_file_close(file);
    bsp_blob_free(&zip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_most_files),
        cmocka_unit_test(test_one_name_for_all),
        cmocka_unit_test(test_alignment_bomb),
        cmocka_unit_test(test_large_file),
        cmocka_unit_test(test_files_of_the_disk),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_full_sink),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_end_in_comment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
