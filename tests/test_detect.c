// SPDX-License-Identifier: MIT
// Detection: what a file is, and that what is none is refused in one clear line.
#include "support/files.h"
#include "support/random.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- maps ---------------------------------------------------------------------------------------

static void test_built(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        for (int big = 0; !branch->opaque && big < (branch->family == BSP_SOURCE) + 1; big++) {
            bsp_blob blob = room_file(branch, big == 1, 0);
            bsp_bytes bytes = {blob.data, blob.size};
            bsp_detection found;
            bsp_error error = {0};
            assert_true(bsp_detect(bytes, NULL, &found, &error));
            assert_string_equal(found.branch->name, branch->name);
            assert_int_equal(found.big_endian, big);
            assert_true(found.reason[0] != '\0');
            bsp_blob_free(&blob);
        }
    }
}

static void test_forced(void **state) {
    (void)state;
    bsp_blob blob = room_file(bsp_branch_find("source_20"), true, 0);
    bsp_bytes bytes = {blob.data, blob.size};
    bsp_detection found;
    assert_true(bsp_detect(bytes, bsp_branch_find("source_19"), &found, NULL));
    assert_string_equal(found.branch->name, "source_19");
    assert_true(found.big_endian);
    bytes.size = 100;
    bsp_error error = {0};
    assert_false(bsp_detect(bytes, bsp_branch_find("source_19"), &found, &error));
    assert_int_equal(error.code, BSP_E_FORMAT);
    bsp_blob_free(&blob);
}

// The folders of the corpus say what its collectors took the maps for.
typedef struct expected {
    const char *where; // part of the path
    const char *branch;
} expected;

// q3map2 writes a directory of 18 lumps for every game of version 47, which is Quake Live's.
static const expected corpus_rows[] = {
    {"__2psb__", "2psb"}, // as its compiler was told
    {"/goldsrc30/", "goldsrc"},
    {"/q1_29/", "quake"},
    {"/q1_bsp2/", "bsp2"},
    {"/q1_hexen2_29/", "hexen2"},
    {"/q2_38/", "quake2"},
    {"/q2_qbism/", "qbism"},
    {"/fbsp/", "fbsp"},
    {"/q3_46/", "quake3"},
    {"/q3_47/", "quake_live"},
    {"/rbsp/", "rbsp"},
    {"/console_psbv/", "source_20"},
    {"/titanfall_rbsp/", "titanfall2"},
    {"/v19/", "source_19"},
    {"/v20/", "source_20"},
    {"/v23/", "dota2_23"},
    {"/v25/", "strata_25"},
    {"/v42/", "desolation_42"},
    {"/v21/", "source_21"},
};

typedef struct corpus_state {
    uint32_t left4dead2;
    bool real[128]; // branches that a map was taken for, by their numbers
} corpus_state;

static void remember(corpus_state *state, const bsp_branch *found) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        assert_true(i < sizeof state->real / sizeof *state->real);
        state->real[i] = state->real[i] || branch == found;
    }
}

static void visit(const test_file *file, void *user) {
    corpus_state *state = user;
    bsp_detection found;
    bsp_error error = {0};
    bool known = bsp_detect(file->bytes, NULL, &found, &error);
    if (strncmp(file->path, "foreign/", 8) == 0) {
        assert_false(known);
        assert_int_equal(error.code, BSP_E_FORMAT);
        return;
    }
    if (!known) {
        fail_msg("%s: %s", file->path, error.message);
    }
    for (size_t i = 0; i < sizeof corpus_rows / sizeof *corpus_rows; i++) {
        if (strstr(file->path, corpus_rows[i].where) == NULL) {
            continue;
        }
        bool left4dead2 = strcmp(corpus_rows[i].branch, "source_21") == 0 &&
                          strcmp(found.branch->name, "left4dead2") == 0;
        if (strcmp(found.branch->name, corpus_rows[i].branch) != 0 && !left4dead2) {
            fail_msg("%s is taken for %s", file->path, found.branch->name);
        }
        state->left4dead2 += left4dead2;
        remember(state, found.branch);
        return;
    }
    fail_msg("%s: nobody said what it is", file->path);
}

static void test_corpus(void **state) {
    (void)state;
    if (corpus_folder() == NULL) {
        print_message("skipped: the map corpus is not there\n");
        skip();
    }
    corpus_state totals = {0};
    assert_true(for_each_file(corpus_folder(), ".bsp", visit, &totals) > 0);
    assert_int_equal(totals.left4dead2, 1); // the manifest has one map of it
    // What the tables say of themselves is what was tried.
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        bsp_verified least = branch->opaque ? BSP_VERIFIED_NOT : BSP_VERIFIED_BUILT;
        bsp_verified right = totals.real[i] ? BSP_VERIFIED_REAL : least;
        if (branch->verified != right) {
            fail_msg("%s says %s", branch->name, bsp_verified_name(branch->verified));
        }
    }
}

// --- other files --------------------------------------------------------------------------------

static void refuse(bsp_bytes bytes, const char *message) {
    bsp_detection found;
    bsp_error error = {0};
    if (bsp_detect(bytes, NULL, &found, &error)) {
        fail_msg("%zu bytes are taken for %s", bytes.size, found.branch->name);
    }
    assert_int_equal(error.code, BSP_E_FORMAT);
    assert_true(error.message[0] != '\0');
    for (const char *c = error.message; *c != '\0'; c++) {
        assert_true(*c >= ' ' && *c <= '~');
    }
    if (message != NULL) {
        assert_string_equal(error.message, message);
    }
    assert_null(bsp_file_open_memory(bytes, NULL, NULL));
}

typedef struct other_file {
    const char *start;
    size_t size;
    const char *what;
} other_file;

#define SEEMS "not a BSP that is known here: it seems to be "

static void test_other_formats(void **state) {
    (void)state;
    static const other_file rows[] = {
        {"PK\3\4\24\0\0\0", 8, SEEMS "a zip archive (a BSP may be inside)"},
        {"\x89PNG\r\n\x1A\n", 8, SEEMS "a PNG picture"},
        {"WAD2\1\0\0\0", 8, SEEMS "a Quake texture archive (WAD2)"},
        {"WAD3\1\0\0\0", 8, SEEMS "a Half-Life texture archive (WAD3)"},
        {"PACK\0\1\0\0", 8, SEEMS "a Quake archive (PAK)"},
        {"IBSP\x4F\0\0\0", 8, SEEMS "a map of UFO: Alien Invasion"},
        {"IBSP\x3B\0\0\0", 8, SEEMS "a map of Call of Duty"},
        {"FAKK\xC\0\0\0", 8,
         SEEMS "a damaged map of Heavy Metal: F.A.K.K.2 or American McGee's Alice"},
        {"\x2A\0\0\0\0\0\0\0", 8, SEEMS "a map of James Bond 007: Nightfire"},
        {"\xFF\xD8\xFF\xE0\0\0\0\0", 8, SEEMS "a JPEG picture"},
        {"// a map\n{\n", 10, SEEMS "text"},
        {"{\"classname\"", 12, SEEMS "text"},
        {"\1\2\3\4", 4, "not a BSP that is known here: it begins with the bytes 01 02 03 04"},
        {"\0", 1, "not a BSP that is known here: it begins with the bytes 00"},
        {"", 0, "not a BSP: the file is empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t file[300] = {0};
        memcpy(file, rows[i].start, rows[i].size);
        bsp_bytes bytes = {file, rows[i].size};
        refuse(bytes, rows[i].what);
        if (rows[i].size == 8) { // magics, whatever follows
            bytes.size = sizeof file;
            refuse(bytes, rows[i].what);
        }
    }
}

static void test_noise(void **state) {
    (void)state;
    test_random random = {77};
    for (uint32_t i = 0; i < 1000; i++) {
        uint8_t file[4096];
        size_t size = i < 200 ? i + 1 : 1 + random_below(&random, sizeof file);
        random_fill(&random, file, size);
        // The block is as big as the file, so that the sanitizer sees what is read behind it.
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, file, size);
        bsp_bytes bytes = {copy, size};
        refuse(bytes, NULL);
        free(copy);
    }
}

// A head like a map's, and noise where the directory should be.
static void test_heads(void **state) {
    (void)state;
    static const char heads[][9] = {
        "\x1D\0\0\0",     "\x1E\0\0\0",     "BSP2",           "2PSB",           "IBSP\x26\0\0\0",
        "QBSP\x26\0\0\0", "IBSP\x2E\0\0\0", "IBSP\x2F\0\0\0", "RBSP\1\0\0\0",   "FBSP\1\0\0\0",
        "VBSP\x11\0\0\0", "VBSP\x14\0\0\0", "VBSP\x15\0\0\0", "PSBV\0\0\0\x14", "VBSP\x63\0\0\0",
        "rBSP\x1D\0\0\0", "rBSP\x25\0\0\0", "rBSP\x2F\0\0\0", "IBSP\x29\0\0\0", "FAKK\x0C\0\0\0",
        "FAKK\x2A\0\0\0", "2015\x13\0\0\0", "EALA\x15\0\0\0", "EF2!\x14\0\0\0",
    };
    test_random random = {78};
    for (uint32_t i = 0; i < 1000; i++) {
        const char *head = heads[i % (sizeof heads / sizeof *heads)];
        bool long_head = head[1] >= '0' && strcmp(head, "BSP2") != 0 && strcmp(head, "2PSB") != 0;
        size_t head_size = long_head ? 8 : 4;
        uint8_t file[4096];
        size_t size = head_size + random_below(&random, sizeof file - head_size);
        random_fill(&random, file, size);
        memcpy(file, head, head_size);
        bsp_bytes bytes = {file, size};
        refuse(bytes, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built),  cmocka_unit_test(test_forced),
        cmocka_unit_test(test_corpus), cmocka_unit_test(test_other_formats),
        cmocka_unit_test(test_noise),  cmocka_unit_test(test_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
