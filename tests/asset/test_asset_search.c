// SPDX-License-Identifier: MIT
// The search path: archives written here byte by byte, order, case, names that try to leave, cuts,
// and memory that ends.
#define _POSIX_C_SOURCE 200809L // mkdtemp, symlink

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/alloc.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- writing archives ---------------------------------------------------------------------------

typedef struct blob {
    uint8_t bytes[8192];
    size_t size;
} blob;

static void put(blob *b, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        b->bytes[b->size++] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
    }
}

static void put_bytes(blob *b, const void *bytes, size_t size) {
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static void put_name(blob *b, const char *name, size_t room) {
    memset(b->bytes + b->size, 0, room);
    memcpy(b->bytes + b->size, name, strlen(name));
    b->size += room;
}

static blob make_pak(const char *name, const char *text) {
    blob b = {.size = 0};
    size_t size = strlen(text);
    put_bytes(&b, "PACK", 4);
    put(&b, (uint32_t)(12 + size), 4);
    put(&b, 64, 4);
    put_bytes(&b, text, size);
    put_name(&b, name, 56);
    put(&b, 12, 4);
    put(&b, (uint32_t)size, 4);
    return b;
}

static blob make_wad(const char *magic, uint32_t type, const char *name, const char *text) {
    blob b = {.size = 0};
    size_t size = strlen(text);
    put_bytes(&b, magic, 4);
    put(&b, 1, 4);
    put(&b, (uint32_t)(12 + size), 4);
    put_bytes(&b, text, size);
    put(&b, 12, 4);
    put(&b, (uint32_t)size, 4);
    put(&b, (uint32_t)size, 4);
    put(&b, type, 4);
    put_name(&b, name, 16);
    return b;
}

static blob make_zip(const char *name, const char *text, bool deflate) {
    blob b = {.size = 0};
    uint8_t packed[1024];
    size_t size = strlen(text);
    size_t packed_size = size;
    memcpy(packed, text, size);
    if (deflate) {
        struct libdeflate_compressor *c = libdeflate_alloc_compressor(9);
        packed_size = libdeflate_deflate_compress(c, text, size, packed, sizeof packed);
        libdeflate_free_compressor(c);
    }
    uint32_t crc = libdeflate_crc32(0, text, size);
    for (int central = 0; central < 2; central++) {
        put(&b, central ? 0x02014b50u : 0x04034b50u, 4);
        put(&b, 20, central ? 4 : 2);
        put(&b, 0, 2);
        put(&b, deflate ? 8 : 0, 2);
        put(&b, 0, 4);
        put(&b, crc, 4);
        put(&b, (uint32_t)packed_size, 4);
        put(&b, (uint32_t)size, 4);
        put(&b, (uint32_t)strlen(name), 2);
        put(&b, 0, 2);
        if (central) {
            put(&b, 0, 14);
        }
        put_bytes(&b, name, strlen(name));
        if (!central) {
            put_bytes(&b, packed, packed_size);
        }
    }
    size_t directory = 30 + strlen(name) + packed_size;
    put(&b, 0x06054b50u, 4);
    put(&b, 0, 4);
    put(&b, 1, 2);
    put(&b, 1, 2);
    put(&b, (uint32_t)(b.size - 12 - directory), 4);
    put(&b, (uint32_t)directory, 4);
    put(&b, 0, 2);
    return b;
}

// A file "materials/a.vmt" whose first three bytes are in the tree, the rest in `archive`; and " ".
static blob make_vpk(uint32_t version, uint32_t archive, const char *text) {
    blob tree = {.size = 0};
    put_bytes(&tree, "vmt\0materials\0a\0", 16);
    put(&tree, 0, 4);
    put(&tree, 3, 2);
    put(&tree, archive, 2);
    put(&tree, 0, 4);
    put(&tree, (uint32_t)strlen(text) - 3, 4);
    put(&tree, 0xFFFF, 2);
    put_bytes(&tree, text, 3);
    put_bytes(&tree, "\0\0", 2);
    put_bytes(&tree, " \0 \0readme\0", 11);
    put(&tree, 0, 4);
    put(&tree, 2, 2);
    put(&tree, 0x7FFF, 2);
    put(&tree, 0, 8);
    put(&tree, 0xFFFF, 2);
    put_bytes(&tree, "hi\0\0\0", 5);
    blob b = {.size = 0};
    put(&b, 0x55aa1234u, 4);
    put(&b, version, 4);
    put(&b, (uint32_t)tree.size, 4);
    if (version == 2) {
        put(&b, 0, 16);
    }
    put_bytes(&b, tree.bytes, tree.size);
    if (archive == 0x7FFF) {
        put_bytes(&b, text + 3, strlen(text) - 3);
    }
    return b;
}

// --- asking -------------------------------------------------------------------------------------

static bsp_search *search_new(void) {
    bsp_search *search = bsp_search_new(NULL, NULL);
    assert_non_null(search);
    return search;
}

static void add(bsp_search *search, const blob *b) {
    assert_true(bsp_search_add_memory(search, "test", (bsp_bytes){b->bytes, b->size}, NULL));
}

static void expect(const bsp_search *search, const char *name, const char *text) {
    bsp_blob out;
    bsp_error error;
    if (text == NULL) {
        assert_null(bsp_search_find(search, bsp_text_of(name)));
        assert_false(bsp_search_read(search, bsp_text_of(name), &out, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        return;
    }
    assert_non_null(bsp_search_find(search, bsp_text_of(name)));
    assert_true(bsp_search_read(search, bsp_text_of(name), &out, NULL));
    assert_int_equal(out.size, strlen(text));
    assert_memory_equal(out.data, text, out.size);
    bsp_blob_free(&out);
}

static const char lines[] = "a line again a line again a line again a line again a line again";

static void test_archives(void **state) {
    (void)state;
    blob archives[] = {
        make_pak("gfx/Palette.lmp", "colours"),    make_wad("WAD2", 0x44, "brick", "pixels"),
        make_wad("WAD3", 0x43, "WALL", "texels"),  make_zip("Textures\\x.tga", "stored", false),
        make_zip("scripts/y.shader", lines, true), make_vpk(1, 0x7FFF, "first material"),
    };
    bsp_search *search = search_new();
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        add(search, &archives[i]);
    }
    expect(search, "GFX/palette.LMP", "colours");
    expect(search, "gfx\\palette.lmp", "colours");
    expect(search, "./gfx//palette.lmp", "colours");
    expect(search, "BRICK.mip", "pixels");
    expect(search, "wall.mip", "texels");
    expect(search, "textures/X.tga", "stored");
    expect(search, "scripts/y.shader", lines);
    expect(search, "materials/a.vmt", "first material");
    expect(search, "readme", "hi");
    expect(search, "gfx", NULL);
    expect(search, "", NULL);
    size_t count;
    (void)bsp_search_list(search, &count);
    assert_int_equal(count, 7);
    bsp_search_free(search);
}

static void test_order(void **state) {
    (void)state;
    blob first = make_pak("a.txt", "first");
    blob second = make_vpk(2, 0x7FFF, "second");
    blob third = make_pak("A.TXT", "third");
    bsp_search *search = search_new();
    add(search, &first);
    add(search, &second);
    add(search, &third);
    expect(search, "a.txt", "first");
    expect(search, "materials/a.vmt", "second");
    bsp_search_free(search);
}

// --- folders ------------------------------------------------------------------------------------

static char folder[64];

static void write_at(const char *name, const void *bytes, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void make_folder(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

static void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void begin_folder(void) {
    strcpy(folder, "/tmp/bspkit_asset_XXXXXX");
    assert_non_null(mkdtemp(folder));
    make_folder("Game");
    make_folder("Game/Textures");
    write_at("secret.txt", "secret", 6);
    write_at("Game/Textures/Wall.TGA", "wall", 4);
}

static void test_folder(void **state) {
    (void)state;
    char game[128];
    char link[128];
    char target[128];
    begin_folder();
    snprintf(game, sizeof game, "%s/Game", folder);
    snprintf(link, sizeof link, "%s/Game/link.txt", folder);
    snprintf(target, sizeof target, "%s/secret.txt", folder);
    assert_int_equal(symlink(target, link), 0);
    snprintf(link, sizeof link, "%s/Game/up", folder);
    assert_int_equal(symlink("..", link), 0);
    bsp_search *search = search_new();
    assert_true(bsp_search_add(search, game, NULL));
    expect(search, "textures/wall.tga", "wall");
    expect(search, "../secret.txt", NULL);
    expect(search, "textures/../../secret.txt", NULL);
    expect(search, "..\\secret.txt", NULL);
    expect(search, "link.txt", NULL);
    expect(search, "up/secret.txt", NULL);
    expect(search, target, NULL);
    expect(search, "/textures/wall.tga", NULL);
    bsp_search_free(search);
    remove_folder();
}

// Loose files first; of numbered paks the highest number; of zips the last name.
static void test_game(void **state) {
    (void)state;
    char game[128];
    begin_folder();
    snprintf(game, sizeof game, "%s/Game", folder);
    static const struct {
        const char *file;
        const char *text;
    } paks[] = {{"Game/pak0.pak", "zero"},
                {"Game/pak9.pak", "nine"},
                {"Game/PAK10.pak", "ten"},
                {"Game/zz.pak", "letters"}};
    for (size_t i = 0; i < sizeof paks / sizeof *paks; i++) {
        blob b = make_pak("order.txt", paks[i].text);
        write_at(paks[i].file, b.bytes, b.size);
    }
    blob b = make_pak("textures/wall.tga", "hidden");
    write_at("Game/pak1.pak", b.bytes, b.size);
    b = make_zip("zip.txt", "from a", true);
    write_at("Game/a.pk3", b.bytes, b.size);
    b = make_zip("zip.txt", "from b", true);
    write_at("Game/B.pk3", b.bytes, b.size);
    b = make_vpk(2, 7, "material in an archive");
    write_at("Game/pak01_dir.vpk", b.bytes, b.size);
    write_at("Game/pak01_007.vpk", "erial in an archive", 19);
    write_at("Game/broken.pk3", "no zip at all", 13);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_search_options options = {.issues = issues};
    bsp_search *search = bsp_search_new(&options, NULL);
    assert_true(bsp_search_add_game(search, game, NULL));
    expect(search, "order.txt", "ten");
    expect(search, "zip.txt", "from b");
    expect(search, "textures/wall.tga", "wall");
    expect(search, "materials/a.vmt", "material in an archive");
    assert_int_equal(bsp_issues_count(issues, BSP_WARNING), 1);
    bsp_search_free(search);
    bsp_issues_free(issues);
    bsp_error error;
    search = search_new();
    assert_false(bsp_search_add_game(search, "/no/such/folder", &error));
    assert_int_equal(error.code, BSP_E_NOT_FOUND);
    bsp_search_free(search);
    remove_folder();
}

// --- damage -------------------------------------------------------------------------------------

static void read_all(const bsp_search *search) {
    size_t count;
    const bsp_asset *list = bsp_search_list(search, &count);
    for (size_t i = 0; i < count; i++) {
        bsp_blob out;
        if (bsp_search_read(search, list[i].name, &out, NULL)) {
            assert_int_equal(out.size, list[i].size);
            bsp_blob_free(&out);
        }
    }
}

static void damage(const blob *whole) {
    uint32_t random = 3;
    for (size_t n = 0; n < whole->size + 3000; n++) {
        size_t size = n < whole->size ? n : whole->size;
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, whole->bytes, size);
        if (n >= whole->size) {
            random = random * 1664525u + 1013904223u;
            copy[(random >> 8) % size] = (uint8_t)(random >> 4);
        }
        bsp_limits limits = {.memory = 1 << 20};
        bsp_search_options options = {.budget = bsp_budget_new(&limits, NULL),
                                      .file_limit = 1 << 20};
        bsp_search *search = bsp_search_new(&options, NULL);
        (void)bsp_search_add_memory(search, "damaged", (bsp_bytes){copy, size}, NULL);
        read_all(search);
        bsp_search_free(search);
        bsp_budget_free(options.budget);
        free(copy);
    }
}

static void test_damage(void **state) {
    (void)state;
    blob archives[] = {make_pak("a", "text"), make_wad("WAD3", 0x43, "a", "text"),
                       make_zip("a", lines, true), make_vpk(1, 0x7FFF, "material")};
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        damage(&archives[i]);
    }
}

static bool search_with(test_meter *meter) {
    bsp_allocator allocator = meter_allocator(meter);
    bsp_search_options options = {.allocator = &allocator};
    blob zip = make_zip("a.txt", lines, true);
    blob vpk = make_vpk(2, 0x7FFF, "material");
    bsp_search *search = bsp_search_new(&options, NULL);
    bsp_blob out = {NULL, 0, allocator};
    bool done = search != NULL &&
                bsp_search_add_memory(search, "z", (bsp_bytes){zip.bytes, zip.size}, NULL) &&
                bsp_search_add_memory(search, "v", (bsp_bytes){vpk.bytes, vpk.size}, NULL) &&
                bsp_search_read(search, bsp_text_of("A.txt"), &out, NULL);
    bsp_blob_free(&out);
    bsp_search_free(search);
    return done;
}

static void test_memory_ends(void **state) {
    (void)state;
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_meter meter = {.fail_at = n};
        bool done = search_with(&meter);
        refused = meter.requests >= n;
        assert_int_equal(done, !refused);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archives), cmocka_unit_test(test_order),
        cmocka_unit_test(test_folder),   cmocka_unit_test(test_game),
        cmocka_unit_test(test_damage),   cmocka_unit_test(test_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
