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
    // By the game that a map is from, where no folder tells the version.
    {"named/aperturerise", "source_21"},
    {"named/apt_nexuiz", "quake3"},
    {"named/bevy_trenchbroom__assets__maps__example", "bsp2"},
    {"named/bevy_trenchbroom__assets__maps__librequake", "quake"},
    {"named/c0a0d", "goldsrc"},
    {"named/cs-source__maps__hns_vertigo", "goldsrc"}, // in the folder of a Source game
    {"named/cs-source", "source_20"},
    {"named/he_dustwar", "source_21"},
    {"named/hns_lzma", "source_20"},
    {"named/mission64", "quake2"},
    {"named/u2m1", "quake2"},
    {"named/oa", "quake3"},
    {"named/onsreborn", "quake3"},
    {"named/tankracer", "quake3"},
    {"named/od_", "source_20"},
    {"named/pcollab", "source_20"},
    {"named/ricochet", "source_20"},
    {"named/slipgate", "quake"},
    {"named/svenquake2", "goldsrc"},
    {"named/ww_ravine", "goldsrc"},
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
    fail_msg("%s: no list says what it is", file->path);
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
        {"IBSP\x16\0\0\0", 8, SEEMS "a map of Call of Duty 4"},
        {"FAKK\xC\0\0\0", 8,
         SEEMS "a damaged map of Heavy Metal: F.A.K.K.2 or American McGee's Alice"},
        {"\x2A\0\0\0\0\0\0\0", 8, SEEMS "a map of James Bond 007: Nightfire"},
        {"\xFF\xD8\xFF\xE0\0\0\0\0", 8, SEEMS "a JPEG picture"},
        {"\x7F"
         "ELF\2\1\1\0",
         8, SEEMS "a program"},
        {"MZ\x90\0\3\0\0\0", 8, SEEMS "a program"},
        {"glTF\2\0\0\0", 8, SEEMS "a glTF model"},
        {"DDS \x7C\0\0\0", 8, SEEMS "a DDS picture"},
        {"RIFF\x24\1\0\0", 8, SEEMS "a sound or a film (RIFF)"},
        {"OggS\0\2\0\0", 8, SEEMS "a sound (Ogg)"},
        {"VTF\0\7\0\0\0", 8, SEEMS "a Valve texture (VTF)"},
        {"\x34\x12\xAA\x55\1\0\0\0", 8, SEEMS "a Valve archive (VPK)"},
        {"\x1F\x8B\x08\0\0\0\0\0", 8, SEEMS "gzip data"},
        {"IDP2\x08\0\0\0", 8, SEEMS "a Quake 2 model"},
        {"IDP3\x0F\0\0\0", 8, SEEMS "a Quake 3 model"},
        {"IDS2\2\0\0\0", 8, SEEMS "a Quake 2 sprite"},
        {"7z\xBC\xAF\x27\x1C\0\4", 8, SEEMS "a 7-Zip archive"},
        {"Rar!\x1A\7\1\0", 8, SEEMS "a RAR archive"},
        {"\xFD"
         "7zXZ\0\0\4",
         8, SEEMS "xz data"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0", 55,
         SEEMS "a Git LFS pointer: git lfs pull fetches the file"},
        {"<!DOCTYPE html>\n", 16, SEEMS "a web page"},
        {"<html lang=\"en\">", 16, SEEMS "a web page"},
        {"version 2\n", 10, SEEMS "text"},
        {"// a map\n{\n", 10, SEEMS "text"},
        {"{\"asset\":{\"version\":\"2.0\"}}", 27, SEEMS "text"},
        {"world\n{\n\t\"id\" \"1\"\n", 18, SEEMS "text"},
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

// Textures, archives, map source, text: everything that lies beside the maps.
static void visit_other(const test_file *file, void *user) {
    size_t size = strlen(file->path);
    if (size < 4 || strcmp(file->path + size - 4, ".bsp") != 0) {
        refuse(file->bytes, NULL);
        ++*(uint32_t *)user;
    }
}

static void test_other_files(void **state) {
    (void)state;
    uint32_t refused = 0;
    for_each_file(BSP_TEST_SAMPLES, "", visit_other, &refused);
    assert_true(refused >= 100);
    if (corpus_folder() != NULL) {
        for_each_file(corpus_folder(), "", visit_other, &refused);
    }
    print_message("%u files of other formats refused\n", refused);
}

// The block is as big as the file, so that the sanitizer sees what is read behind it.
static void refuse_copy(const uint8_t *file, size_t size) {
    uint8_t *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, file, size);
    bsp_bytes bytes = {copy, size};
    refuse(bytes, NULL);
    free(copy);
}

// Bytes of any value, or (`sparse`) such as directories have: small numbers between zeros.
static void fill_noise(test_random *random, bool sparse, uint8_t *file, size_t size) {
    random_fill(random, file, size);
    for (size_t i = 0; sparse && i < size; i++) {
        bool low = i % 4 < 2;
        file[i] = low ? (uint8_t)(file[i] & (i % 4 == 0 ? 0xFF : 0x0F)) : 0;
    }
}

static void test_noise(void **state) {
    (void)state;
    test_random random = {77};
    for (uint32_t i = 0; i < 1000; i++) {
        uint8_t file[4096];
        size_t size = i < 200 ? i + 1 : 1 + random_below(&random, sizeof file);
        fill_noise(&random, i % 2 == 1, file, size);
        refuse_copy(file, size);
    }
}

// The head of a branch's files: its magic and version, or only one of them.
static size_t make_head(const bsp_branch *branch, uint8_t *file) {
    size_t size = strlen(branch->magic);
    memcpy(file, branch->magic, size);
    bool same = size == 4 && memcmp(file, &(uint32_t){branch->version}, 4) == 0;
    for (int i = 0; i < 4 && !same; i++) {
        file[size++] = (uint8_t)(branch->version >> (8 * i));
    }
    return size;
}

// A head like a map's, and noise where the directory should be; or nothing at all.
static void test_heads(void **state) {
    (void)state;
    test_random random = {78};
    const bsp_branch *branch;
    for (size_t b = 0; (branch = bsp_branch_at(b)) != NULL; b++) {
        for (uint32_t i = 0; i < 40; i++) {
            uint8_t file[4096] = {0};
            size_t head = make_head(branch, file);
            size_t size = head + random_below(&random, sizeof file - head);
            if (i != 0) {
                random_fill(&random, file + head, size - head);
            }
            refuse_copy(file, size);
        }
    }
}

// The beginning of a map, wherever its directory is cut.
static void test_cut_heads(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t b = 0; (branch = bsp_branch_at(b)) != NULL; b++) {
        if (!branch->opaque) {
            bsp_blob blob = room_file(branch, false, 0);
            for (size_t size = 0; size < bsp_shape_size(bsp_branch_shape(branch)); size++) {
                refuse_copy(blob.data, size);
            }
            bsp_blob_free(&blob);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built),       cmocka_unit_test(test_forced),
        cmocka_unit_test(test_corpus),      cmocka_unit_test(test_other_formats),
        cmocka_unit_test(test_other_files), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_heads),       cmocka_unit_test(test_cut_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
