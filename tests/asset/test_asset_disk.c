// SPDX-License-Identifier: MIT
// Files of a program in the place of the disk's (bsp_disk): the same files, written to a real
// folder, make the same search path, file by file; what is opened is closed; paths lead nowhere
// else.
#define _POSIX_C_SOURCE 200809L // mkdtemp

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FILES 32

typedef struct file {
    const char *path;
    const char *text;
    size_t size; // 1 and 2: a PAK with one file; 0: the text
} file;

static const char gameinfo[] =
    "GameInfo { FileSystem { SearchPaths {\n"
    "game+mod |gameinfo_path|custom/*\n game |gameinfo_path|.\n"
    "game |all_source_engine_paths|HL2\n game |all_source_engine_paths|hl2/pack.vpk\n"
    "game |all_source_engine_paths|../outside\n} } }";

static const file files[] = {
    {"mod/gameinfo.txt", gameinfo, 0},
    {"mod/materials/wall.vmt", "mod", 0},
    {"mod/materials/wall.d/deep/er.txt", "deeper", 0},
    {"mod/materials/wall-a.vmt", "dash", 0},
    {"mod/custom/b/materials/wall.vmt", "from b", 0},
    {"mod/custom/a/other.txt", "from a", 0},
    {"mod/custom/a/materials/Wall.vmt", "from a", 0},
    {"hl2/materials/wall.vmt", "hl2", 0},
    {"hl2/materials/only.vmt", "only hl2", 0},
    {"hl2/empty.txt", "", 0},
    {"hl2x/not.txt", "of another folder", 0},
    {"quake/pak0.pak", "", 1},
    {"quake/pak1.pak", "", 2},
    {"quake/loose.txt", "loose", 0},
    {"secret.txt", "secret", 0},
};
#define NUM_FILES (sizeof files / sizeof *files)

typedef struct disk {
    bsp_disk disk;
    bsp_disk_file list[MOST_FILES];
    int open; // files that are
    size_t refused;
} disk;

static bsp_bytes bytes_of(size_t number) {
    const file *f = &files[number];
    if (f->size == 0) {
        return (bsp_bytes){(const uint8_t *)f->text, strlen(f->text)};
    }
    static uint8_t paks[3][12 + 4 + 64];
    uint8_t *pak = paks[f->size];
    memcpy(pak, "PACK\x10\0\0\0\x40\0\0\0", 12);
    memcpy(pak + 12, f->size == 1 ? "zero" : "one!", 4);
    memset(pak + 16, 0, 64);
    memcpy(pak + 16, "in_pak.txt", 10);
    pak[16 + 56] = 12;
    pak[16 + 60] = 4;
    return (bsp_bytes){pak, sizeof paks[0]};
}

static bool open_file(void *user, size_t number, bsp_bytes *bytes) {
    disk *d = user;
    if (number == d->refused) {
        return false;
    }
    d->open++;
    *bytes = bytes_of(number);
    return true;
}

static void close_file(void *user, size_t number, bsp_bytes bytes) {
    disk *d = user;
    d->open--;
    assert_ptr_equal(bytes.data, bytes_of(number).data);
}

static void disk_begin(disk *d) {
    *d = (disk){.disk = {.files = d->list,
                         .count = NUM_FILES,
                         .open = open_file,
                         .close = close_file,
                         .user = d},
                .refused = SIZE_MAX};
    for (size_t i = 0; i < NUM_FILES; i++) {
        d->list[i] = (bsp_disk_file){files[i].path, bytes_of(i).size};
    }
}

static bsp_search *search_of(disk *d, const bsp_allocator *allocator) {
    bsp_search_options options = {.disk = d == NULL ? NULL : &d->disk, .allocator = allocator};
    return bsp_search_new(&options, NULL);
}

// --- the same on the disk -----------------------------------------------------------------------

static char root[64];

static void write_all(void) {
    strcpy(root, "/tmp/bspkit_disk_XXXXXX");
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < NUM_FILES; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", root, files[i].path);
        for (char *c = path + strlen(root) + 1; *c != '\0'; c++) {
            if (*c == '/') {
                *c = '\0';
                (void)mkdir(path, 0777);
                *c = '/';
            }
        }
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        bsp_bytes bytes = bytes_of(i);
        assert_int_equal(fwrite(bytes.data, 1, bytes.size, f), bytes.size);
        fclose(f);
    }
}

static void remove_all(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}

static void expect_same(const bsp_search *own, const bsp_search *real) {
    size_t count;
    size_t real_count;
    const bsp_asset *list = bsp_search_list(own, &count);
    const bsp_asset *real_list = bsp_search_list(real, &real_count);
    assert_int_equal(count, real_count);
    for (size_t i = 0; i < count; i++) {
        bsp_blob a;
        bsp_blob b;
        assert_true(bsp_text_equal(list[i].name, real_list[i].name));
        assert_int_equal(list[i].size, real_list[i].size);
        assert_true(bsp_search_read(own, list[i].name, &a, NULL));
        assert_true(bsp_search_read(real, list[i].name, &b, NULL));
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        bsp_blob_free(&a);
        bsp_blob_free(&b);
    }
}

static void test_as_disk(void **state) {
    (void)state;
    disk d;
    disk_begin(&d);
    write_all();
    static const struct {
        const char *folder;
        size_t count;
    } games[] = {{"quake", 4}, {"quake/", 4}, {"./quake", 4}, {"hl2", 3}, {"mod", 8}, {"hl2x", 1}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char path[256];
        size_t count;
        bsp_search *own = search_of(&d, NULL);
        bsp_search *real = search_of(NULL, NULL);
        snprintf(path, sizeof path, "%s/%s", root, games[i].folder);
        assert_true(bsp_search_add_game(own, games[i].folder, NULL));
        assert_true(bsp_search_add_game(real, path, NULL));
        (void)bsp_search_list(own, &count);
        // On a real disk "HL2" is another folder than "hl2": the file only there comes of own case.
        if (strcmp(games[i].folder, "mod") != 0) {
            assert_int_equal(count, games[i].count);
            expect_same(own, real);
        } else {
            assert_non_null(bsp_search_find(own, bsp_text_of("materials/only.vmt")));
            assert_null(bsp_search_find(real, bsp_text_of("materials/only.vmt")));
        }
        bsp_search_free(own);
        bsp_search_free(real);
        assert_int_equal(d.open, 0);
    }
    remove_all();
}

static void expect(const bsp_search *search, const char *name, const char *text) {
    bsp_blob out;
    bool found = bsp_search_read(search, bsp_text_of(name), &out, NULL);
    assert_int_equal(found, text != NULL);
    if (found) {
        assert_int_equal(out.size, strlen(text));
        assert_memory_equal(out.data, text, out.size);
        bsp_blob_free(&out);
    }
}

static void test_gameinfo(void **state) {
    (void)state;
    disk d;
    disk_begin(&d);
    bsp_search *search = search_of(&d, NULL);
    assert_true(bsp_search_add_game(search, "MOD", NULL));
    expect(search, "materials/wall.vmt", "from a"); // custom/* comes first, a before b
    expect(search, "materials/wall-a.vmt", "dash");
    expect(search, "materials/wall.d/deep/er.txt", "deeper");
    expect(search, "materials/only.vmt", "only hl2");
    expect(search, "not.txt", NULL);
    expect(search, "secret.txt", NULL);
    expect(search, "../secret.txt", NULL);
    bsp_search_free(search);
    assert_int_equal(d.open, 0);
}

static void test_archives(void **state) {
    (void)state;
    disk d;
    disk_begin(&d);
    bsp_search *search = search_of(&d, NULL);
    assert_true(bsp_search_add_game(search, "quake", NULL));
    expect(search, "in_pak.txt", "one!");
    assert_int_equal(d.open, 2); // both archives, until the end
    bsp_search_free(search);
    assert_int_equal(d.open, 0);
    search = search_of(&d, NULL);
    bsp_error error;
    assert_true(bsp_search_add(search, "quake/pak0.pak", &error));
    expect(search, "in_pak.txt", "zero");
    assert_true(bsp_search_add(search, ".", &error)); // all
    expect(search, "secret.txt", "secret");
    bsp_search_free(search);
}

static void test_faults(void **state) {
    (void)state;
    disk d;
    disk_begin(&d);
    bsp_error error;
    bsp_search *search = search_of(&d, NULL);
    static const char *const bad[] = {"none", "mod/none", "hl", "..", "mod/../hl2", "../tmp"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(bsp_search_add_game(search, bad[i], &error));
        assert_int_equal(error.code, BSP_E_NOT_FOUND);
    }
    d.refused = 13; // quake/loose.txt
    assert_true(bsp_search_add_game(search, "quake", NULL));
    bsp_blob out;
    assert_false(bsp_search_read(search, bsp_text_of("loose.txt"), &out, &error));
    assert_int_equal(error.code, BSP_E_IO);
    assert_string_equal(error.message, "quake/loose.txt: it cannot be read");
    bsp_search_free(search);
    assert_int_equal(d.open, 0);
}

static bool work(const bsp_allocator *allocator) {
    disk d;
    disk_begin(&d);
    bsp_search *search = search_of(&d, allocator);
    bool done = search != NULL && bsp_search_add_game(search, "quake", NULL) &&
                bsp_search_add_game(search, "mod", NULL);
    bsp_search_free(search);
    assert_int_equal(d.open, 0);
    return done;
}

static void test_memory_ends(void **state) {
    (void)state;
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        bool done = work(&allocator);
        refused = meter.requests >= n;
        assert_int_equal(done, !refused);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_disk),     cmocka_unit_test(test_gameinfo),
        cmocka_unit_test(test_archives),    cmocka_unit_test(test_faults),
        cmocka_unit_test(test_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
