// SPDX-License-Identifier: MIT
// Directories that point out of the file: an edit writes bytes of the file and of the change, and
// no others. Each edit is made twice, with the file between two different fillings of the memory
// around it: one foreign byte in what is written would make a difference.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "edit/rewrite/pieces.h"
#include "support/files.h"
#include "support/specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define AROUND ((size_t)1 << 16) // bytes before the file and after it
#define NUM_FILLINGS 2
#define BSPX_ENTRY 32u
#define BSPX_OFFSET 24u // of an entry, after its name

static const uint8_t fillings[NUM_FILLINGS] = {0xA5, 0x5A};

/// A file in memory that is filled before it and after it.
typedef struct guarded {
    uint8_t *block;
    bsp_bytes bytes;
} guarded;

static guarded guard(bsp_bytes bytes, uint8_t filling) {
    guarded g = {malloc(bytes.size + 2 * AROUND), {NULL, bytes.size}};
    assert_non_null(g.block);
    memset(g.block, filling, bytes.size + 2 * AROUND);
    memcpy(g.block + AROUND, bytes.data, bytes.size);
    g.bytes.data = g.block + AROUND;
    return g;
}

typedef bool edit(const bsp_file *file, const bsp_file_info *info, uint32_t lump, bsp_blob *out);

static bool rewrite(const bsp_file *file, bsp_lump_change change, bsp_blob *out) {
    change.version = BSP_NONE;
    return bsp_file_rewrite(file, &change, 1, NULL, out, NULL);
}

static bool no_change(const bsp_file *file, const bsp_file_info *info, uint32_t lump,
                      bsp_blob *out) {
    (void)info;
    return lump == 0 && bsp_file_rewrite(file, NULL, 0, NULL, out, NULL);
}

static bool longer(const bsp_file *file, const bsp_file_info *info, uint32_t lump, bsp_blob *out) {
    (void)info;
    static const uint8_t text[300] = "{\n\"classname\" \"worldspawn\"\n}\n";
    return rewrite(file, (bsp_lump_change){.lump = lump, .data = {text, sizeof text}}, out);
}

static bool apart(const bsp_file *file, const bsp_file_info *info, uint32_t lump, bsp_blob *out) {
    (void)info;
    static const uint8_t text[9] = "{\n\n}\n";
    return rewrite(
        file, (bsp_lump_change){.lump = lump, .data = {text, sizeof text}, .apart = true}, out);
}

static bool removed(const bsp_file *file, const bsp_file_info *info, uint32_t lump, bsp_blob *out) {
    (void)info;
    return rewrite(file, (bsp_lump_change){.lump = lump, .remove = true}, out);
}

static bool added(const bsp_file *file, const bsp_file_info *info, uint32_t lump, bsp_blob *out) {
    static const uint8_t bytes[] = "some";
    const char *names[] = {"bspx:TEST", "game:test"};
    return lump < 2 && info->num_lumps != 0 &&
           rewrite(file,
                   (bsp_lump_change){
                       .lump = BSP_NONE, .name = names[lump], .data = {bytes, sizeof bytes}},
                   out);
}

static bool packed(const bsp_file *file, const bsp_file_info *info, uint32_t lump, bsp_blob *out) {
    (void)info;
    return lump < 2 && bsp_file_compress(file, lump == 1, NULL, out, NULL);
}

static edit *const edits[] = {no_change, longer, apart, removed, added, packed};

// Lumps that an edit did not ask for have the bytes that they had, also those that were cut off.
static void compare_lumps(const bsp_file *file, const bsp_file *made, uint32_t but,
                          const char *name) {
    const bsp_file_info *info = bsp_file_get_info(file);
    for (uint32_t n = 0; n < info->num_directory_lumps; n++) {
        bsp_bytes before = bsp_file_stored(file, n);
        bsp_bytes after = bsp_file_stored(made, n);
        if (n != but && bsp_file_lump(file, n)->kind != BSP_KIND_GAME &&
            (before.size != after.size ||
             (before.size != 0 && memcmp(before.data, after.data, before.size) != 0))) {
            fail_msg("%s: %s changed with lump %u", name, bsp_file_lump(file, n)->name, but);
        }
    }
}

static void expect_same(const bsp_blob *a, const bsp_blob *b, const char *name, uint32_t n,
                        size_t which) {
    if (a->size != b->size || (a->size != 0 && memcmp(a->data, b->data, a->size) != 0)) {
        fail_msg("%s: edit %zu of lump %u writes bytes that are not the file's", name, which, n);
    }
}

// True if lumps of the directory share no bytes with each other or with the head: then what one of
// them holds says nothing of the others.
static bool are_apart(const bsp_file *file) {
    const bsp_file_info *info = bsp_file_get_info(file);
    for (uint32_t n = 0; n < info->num_lumps; n++) {
        const bsp_lump *a = bsp_file_lump(file, n);
        if (a->size != 0 && a->offset < bsp_shape_size(bsp_branch_shape(info->detection.branch))) {
            return false;
        }
        for (uint32_t i = 0; i < n && a->size != 0; i++) {
            const bsp_lump *b = bsp_file_lump(file, i);
            bool nested = b->kind == BSP_KIND_GAME && a->place == BSP_IN_GAME_LUMP;
            if (b->size != 0 && !nested && a->offset < b->offset + b->size &&
                b->offset < a->offset + a->size) {
                return false;
            }
        }
    }
    return true;
}

/// All edits of all lumps.
static unsigned edit_all(bsp_bytes bytes, const char *branch, const char *name) {
    unsigned made = 0;
    guarded g[NUM_FILLINGS];
    bsp_file *file[NUM_FILLINGS];
    bsp_open_options options = {.branch = branch};
    for (int i = 0; i < NUM_FILLINGS; i++) {
        g[i] = guard(bytes, fillings[i]);
        file[i] = bsp_file_open_memory(g[i].bytes, &options, NULL);
    }
    const bsp_file_info *info = file[0] == NULL ? NULL : bsp_file_get_info(file[0]);
    for (uint32_t n = 0; info != NULL && n < info->num_lumps; n++) {
        for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
            bsp_blob out[NUM_FILLINGS] = {{0}, {0}};
            bool done = edits[e](file[0], info, n, &out[0]);
            assert_int_equal(edits[e](file[1], info, n, &out[1]), done);
            expect_same(&out[0], &out[1], name, n, e);
            if (done) {
                bsp_open_options as = {.branch = info->detection.branch->name};
                bsp_file *again =
                    bsp_file_open_memory((bsp_bytes){out[0].data, out[0].size}, &as, NULL);
                assert_non_null(again);
                if (edits[e] != packed && are_apart(file[0])) {
                    compare_lumps(file[0], again, n, name);
                }
                bsp_file_close(again);
                made++;
            }
            bsp_blob_free(&out[0]);
            bsp_blob_free(&out[1]);
        }
    }
    for (int i = 0; i < NUM_FILLINGS; i++) {
        bsp_file_close(file[i]);
        free(g[i].block);
    }
    return made;
}

// --- what directories say -----------------------------------------------------------------------

/// Numbers that reach out of a file of `size` bytes, or just not.
static uint32_t extreme(size_t which, size_t size) {
    const uint32_t list[] = {0,
                             1,
                             (uint32_t)size - 1,
                             (uint32_t)size,
                             (uint32_t)size + 1,
                             (uint32_t)size + 1000,
                             0x7FFFFFFF,
                             0xFFFFFFFF,
                             0x80000000};
    return list[which];
}

#define NUM_EXTREMES 9u

static void store(uint8_t *at, uint32_t value, bool big) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (big ? 24 - 8 * i : 8 * i));
    }
}

static size_t find_bspx(bsp_bytes bytes) {
    for (size_t at = 0; at + 8 < bytes.size; at += 4) {
        if (memcmp(bytes.data + at, "BSPX", 4) == 0) {
            return at + 8;
        }
    }
    fail_msg("no BSPX");
    return 0;
}

static void try_bspx(const test_file *file, void *user) {
    unsigned *made = user;
    size_t first = find_bspx(file->bytes);
    uint8_t *copy = malloc(file->bytes.size);
    assert_non_null(copy);
    for (uint32_t entry = 0; entry < 2; entry++) {
        for (size_t o = 0; o < NUM_EXTREMES; o++) {
            for (size_t s = 0; s < NUM_EXTREMES; s += 2) {
                uint8_t *at = copy + first + entry * BSPX_ENTRY + BSPX_OFFSET;
                memcpy(copy, file->bytes.data, file->bytes.size);
                store(at, extreme(o, file->bytes.size), false);
                store(at + 4, extreme(s, file->bytes.size), false);
                *made += edit_all((bsp_bytes){copy, file->bytes.size}, NULL, file->path);
            }
        }
    }
    free(copy);
}

static void test_bspx(void **state) {
    (void)state;
    unsigned made = 0;
    assert_int_equal(for_each_file(BSP_TEST_SAMPLES "/quake", "_bspx.bsp", try_bspx, &made), 1);
    print_message("%u files made\n", made);
    assert_true(made > 1000);
}

/// Each word of the directory of a branch's file becomes each of the numbers.
static void try_directory(const specimen *s) {
    const bsp_shape *shape = bsp_branch_shape(s->branch);
    uint8_t *copy = malloc(s->bytes.size);
    unsigned made = 0;
    assert_non_null(copy);
    // Every branch has the same code: a few lumps of each are enough.
    for (uint32_t n = 0; n < shape->num_lumps; n += 1 + shape->num_lumps / 4) {
        for (uint32_t word = 0; word < shape->entry->size / 4; word++) {
            size_t at = shape->head->size + (size_t)n * shape->entry->size + 4 * word;
            for (size_t which = 1; which < NUM_EXTREMES; which += 3) {
                memcpy(copy, s->bytes.data, s->bytes.size);
                store(copy + at, extreme(which, s->bytes.size), s->big_endian);
                made += edit_all((bsp_bytes){copy, s->bytes.size}, s->branch->name, s->name);
            }
        }
    }
    free(copy);
    assert_true(made != 0);
}

static void test_directories(void **state) {
    (void)state;
    static const char *const names[] = {"quake", "goldsrc",   "quake2",    "quake3",
                                        "rbsp",  "source_20", "left4dead2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const bsp_branch *branch = bsp_branch_find(names[i]);
        assert_non_null(branch);
        specimen_do(try_directory, branch, false, 0);
    }
}

// --- files that were found ----------------------------------------------------------------------

static void try_file(const test_file *file, void *user) {
    *(unsigned *)user += edit_all(file->bytes, NULL, file->path);
}

static void test_kept(void **state) {
    (void)state;
    unsigned made = 0;
    assert_true(for_each_file(BSP_TEST_KEPT, ".bsp", try_file, &made) > 10);
    assert_true(made > 100);
}

static void test_found(void **state) {
    (void)state;
    unsigned made = 0;
    if (for_each_file(BSP_TEST_SHARED "/hostile", ".bsp", try_file, &made) == 0) {
        print_message("SKIP: ../shared/hostile is not there\n");
        skip();
    }
    print_message("%u files made\n", made);
    assert_true(made > 100);
}

// --- the rule itself ----------------------------------------------------------------------------

static void test_refused_ranges(void **state) {
    (void)state;
    static const uint8_t source[16] = "0123456789abcdef";
    static const struct {
        uint64_t at;
        uint64_t size;
        bool good;
    } cases[] = {{0, 16, true},          {16, 0, true},          {15, 1, true},
                 {15, 2, false},         {16, 1, false},         {17, 1, false},
                 {UINT64_MAX, 1, false}, {1, UINT64_MAX, false}, {UINT64_MAX, 2, false},
                 {UINT64_MAX, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bspi_heap heap;
        bspi_arena arena;
        bsp_error error = {0};
        bspi_heap_init(&heap, NULL, 0);
        bspi_arena_init(&arena, &heap);
        bspi_pieces pieces = {.heap = &heap, .arena = &arena, .error = &error};
        bspi_pieces_slice(&pieces, (bsp_bytes){source, sizeof source}, cases[i].at, cases[i].size);
        assert_int_equal(pieces.failed, !cases[i].good);
        assert_int_equal(pieces.size, cases[i].good ? cases[i].size : 0);
        assert_int_equal(error.code, cases[i].good ? BSP_OK : BSP_E_DAMAGED);
        bspi_pieces_free(&pieces);
        bspi_arena_free(&arena);
    }
}

// Texts and zips of no bytes may be no memory at all.
static void test_nothing(void **state) {
    (void)state;
    static const char entity[] = "{\n\"classname\" \"light\"\n}\n";
    bsp_error error = {0};
    bsp_blob out;
    bsp_entities *none = bsp_entities_parse((bsp_text){NULL, 0}, NULL, NULL, &error);
    assert_non_null(none);
    bsp_entity_change add = {.action = BSP_ENTITY_ADD, .value = bsp_text_of(entity)};
    assert_true(bsp_entities_change(none, &add, 1, NULL, &out, &error));
    assert_int_equal(out.size, sizeof entity - 1);
    assert_memory_equal(out.data, entity, out.size);
    bsp_blob_free(&out);
    assert_true(bsp_entities_change(none, NULL, 0, NULL, &out, &error));
    assert_int_equal(out.size, 0);
    bsp_pair pair = {bsp_text_of("a"), bsp_text_of("b")};
    bsp_entity_source source = {.entity = BSP_NONE, .pairs = &pair, .num_pairs = 1};
    assert_true(bsp_entities_compose(none, &source, 1, NULL, &out, &error));
    assert_int_equal(out.size, strlen("{\n\"a\" \"b\"\n}"));
    assert_memory_equal(out.data, "{\n\"a\" \"b\"\n}", out.size);
    bsp_blob_free(&out);
    bsp_entities_free(none);
    bsp_pak_change file = {.name = bsp_text_of("a.txt"),
                           .data = {(const uint8_t *)entity, sizeof entity}};
    assert_true(bsp_pak_rewrite((bsp_bytes){NULL, 0}, &file, 1, NULL, &out, &error));
    // Head, name, data; record, name; end: PKWARE's APPNOTE.
    assert_int_equal(out.size, 30 + 5 + sizeof entity + 46 + 5 + 22);
    bsp_blob_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_ranges), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_bspx),           cmocka_unit_test(test_directories),
        cmocka_unit_test(test_kept),           cmocka_unit_test(test_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
