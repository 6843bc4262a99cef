// SPDX-License-Identifier: MIT
// Textures of the sample maps: all are found in their game folders, the same picture in each game;
// without the folder each is a labelled checkerboard.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
    bsp_textures *textures;
} place;

static place open_map(const char *game, const char *name, bool with_game) {
    place p;
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", BSP_TEST_SAMPLES, game, name);
    p.file = bsp_file_open(path, NULL, NULL);
    assert_non_null(p.file);
    p.map = bsp_map_load(p.file, NULL, NULL);
    assert_non_null(p.map);
    p.search = bsp_search_new(NULL, NULL);
    snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, game);
    assert_true(!with_game || bsp_search_add_game(p.search, path, NULL));
    p.textures = bsp_textures_open(p.search, p.map, NULL, NULL);
    assert_non_null(p.textures);
    return p;
}

static void close_map(place *p) {
    bsp_textures_close(p->textures);
    bsp_search_free(p->search);
    bsp_map_free(p->map);
    bsp_file_close(p->file);
}

static const char *const maps[][2] = {
    {"quake", "lobby.bsp"},       {"quake", "lobby_bsp2.bsp"},    {"goldsrc", "lobby.bsp"},
    {"quake2", "lobby.bsp"},      {"goldsrc", "lobby_embed.bsp"}, {"quake3", "lobby.bsp"},
    {"quake3", "lobby_rbsp.bsp"}, {"source", "lobby.bsp"},        {"source", "lobby_be.bsp"},
};

static void test_all_found(void **state) {
    (void)state;
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        place p = open_map(maps[m][0], maps[m][1], true);
        assert_true(p.map->num_materials > 10);
        for (uint32_t i = 0; i < p.map->num_materials; i++) {
            bsp_texture texture;
            assert_true(bsp_textures_find(p.textures, i, &texture, NULL));
            assert_true(texture.found || p.map->materials[i].name.size == 0);
            assert_true(texture.width != 0 && texture.image.width != 0);
            bsp_texture_free(&texture);
        }
        close_map(&p);
    }
}

static void test_missing(void **state) {
    (void)state;
    place p = open_map("quake2", "lobby.bsp", false);
    bsp_texture texture;
    bsp_error error;
    assert_true(bsp_textures_find(p.textures, 0, &texture, NULL));
    assert_false(texture.found);
    assert_string_equal(texture.note, "not found");
    assert_int_equal(texture.image.width, 64);
    bsp_texture_free(&texture);
    assert_false(bsp_textures_find(p.textures, p.map->num_materials, &texture, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    close_map(&p);
}

static bsp_texture find(const place *p, const char *name) {
    bsp_texture texture;
    assert_true(bsp_textures_find_name(p->textures, bsp_text_of(name), &texture, NULL));
    assert_true(texture.found);
    return texture;
}

static void expect(const place *p, const char *name, bsp_alpha alpha, const char *source) {
    bsp_texture texture = find(p, name);
    assert_int_equal(texture.alpha, alpha);
    assert_non_null(strstr(texture.source, source));
    bsp_texture_free(&texture);
}

static void test_meaning(void **state) {
    (void)state;
    place p = open_map("quake3", "lobby.bsp", true);
    expect(&p, "textures/lobby/grate1", BSP_ALPHA_TEST, "grate1.tga");
    expect(&p, "textures/lobby/water1", BSP_ALPHA_BLEND, "water1.tga");
    expect(&p, "textures/lobby/lamp0", BSP_ALPHA_OPAQUE, "lamp0.tga");
    expect(&p, "textures/lobby/brick1", BSP_ALPHA_OPAQUE, "brick1.tga");
    bsp_texture sky = find(&p, "textures/lobby/sky1");
    assert_true(sky.sky && sky.unlit && !sky.no_draw);
    bsp_texture_free(&sky);
    // Fog has a picture for editors; the game shows none.
    bsp_texture fog = find(&p, "textures/lobby/fog1");
    assert_true(fog.fog && fog.found);
    bsp_texture_free(&fog);
    close_map(&p);
    p = open_map("source", "lobby.bsp", true);
    expect(&p, "LOBBY\\GRATE1", BSP_ALPHA_TEST, "grate1.vtf");
    expect(&p, "lobby/glass1", BSP_ALPHA_BLEND, "glass1.vtf");
    expect(&p, "skybox/lobbyup", BSP_ALPHA_OPAQUE, "lobby.vtf");
    close_map(&p);
    p = open_map("goldsrc", "lobby.bsp", true);
    expect(&p, "{grate1", BSP_ALPHA_TEST, "lobby.wad");
    close_map(&p);
    p = open_map("quake", "lobby.bsp", true);
    bsp_texture first = find(&p, "+0lamp");
    bsp_texture second = find(&p, "+1lamp"); // is shown as the first frame
    assert_memory_equal(first.image.pixels, second.image.pixels, 32 * 32 * 4);
    bsp_texture_free(&first);
    bsp_texture_free(&second);
    close_map(&p);
}

// Without a palette: shades of grey, and a note of it.
static void test_grey(void **state) {
    (void)state;
    place p = open_map("quake", "lobby.bsp", false);
    bsp_texture texture = find(&p, "brick1");
    assert_string_equal(texture.note, "grey: no palette");
    assert_int_equal(texture.image.pixels[0], texture.image.pixels[1]);
    bsp_texture_free(&texture);
    close_map(&p);
}

static bsp_texture find_at(const place *p, const char *name, float time) {
    const bsp_textures_options options = {.time = time};
    bsp_textures *textures = bsp_textures_open(p->search, p->map, &options, NULL);
    assert_non_null(textures);
    place then = *p;
    then.textures = textures;
    bsp_texture texture = find(&then, name);
    bsp_textures_close(textures);
    return texture;
}

// Which of two pictures a third shows: 0 or 1; they differ.
static int which(const bsp_texture frames[2], bsp_texture shown) {
    size_t size = 4 * (size_t)shown.image.width * shown.image.height;
    assert_memory_not_equal(frames[0].image.pixels, frames[1].image.pixels, size);
    int first = memcmp(shown.image.pixels, frames[0].image.pixels, size) == 0;
    assert_true(first || memcmp(shown.image.pixels, frames[1].image.pixels, size) == 0);
    bsp_texture_free(&shown);
    return !first;
}

// Two frames of Quake, each for a fifth of a second, under the names of both.
static void test_frames(void **state) {
    (void)state;
    place p = open_map("quake", "lobby.bsp", true);
    bsp_texture frames[2] = {find_at(&p, "+0lamp", 0), find_at(&p, "+0lamp", 0.25F)};
    static const float times[] = {0, 0.1F, 0.3F, 0.5F, 0.7F, 60.1F};
    static const int shown[] = {0, 0, 1, 0, 1, 0};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_int_equal(which(frames, find_at(&p, "+0lamp", times[i])), shown[i]);
        assert_int_equal(which(frames, find_at(&p, "+1lamp", times[i])), shown[i]);
    }
    bsp_texture_free(&frames[0]);
    bsp_texture_free(&frames[1]);
    close_map(&p);
}

// Quake 2: a chain of two texinfos, each for half a second.
static void test_chain(void **state) {
    (void)state;
    place p = open_map("quake2", "lobby.bsp", true);
    uint32_t lamp = 0;
    while (!bsp_text_equal(p.map->materials[lamp].name, bsp_text_of("lobby/lamp0"))) {
        lamp++;
    }
    for (int half = 0; half < 4; half++) {
        const bsp_textures_options options = {.time = 0.25F + 0.5F * (float)half};
        bsp_textures *textures = bsp_textures_open(p.search, p.map, &options, NULL);
        bsp_texture texture;
        assert_true(bsp_textures_find(textures, lamp, &texture, NULL));
        assert_non_null(strstr(texture.source, half % 2 == 0 ? "lamp0" : "lamp1"));
        bsp_texture_free(&texture);
        bsp_textures_close(textures);
    }
    close_map(&p);
}

// --- a made game --------------------------------------------------------------------------------

typedef struct archive { // a PAK: head, files, directory
    uint8_t bytes[2048];
    size_t size;
    uint8_t entries[8][64];
    size_t count;
} archive;

static void put32(uint8_t *at, size_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static void pack(archive *a, const char *name, const void *data, size_t size) {
    uint8_t *entry = a->entries[a->count++];
    a->size = a->size == 0 ? 12 : a->size;
    snprintf((char *)entry, 56, "%s", name);
    put32(entry + 56, a->size);
    put32(entry + 60, size);
    memcpy(a->bytes + a->size, data, size);
    a->size += size;
}

// A picture of one pixel.
static void pack_pixel(archive *a, const char *name, uint8_t red) {
    uint8_t tga[18 + 3] = {[2] = 2, [12] = 1, [14] = 1, [16] = 24, [17] = 0x20, [20] = red};
    pack(a, name, tga, sizeof tga);
}

// Two frames of one pixel each, RGBA8888, version 7.2 without a small image.
static void pack_frames(archive *a, const char *name, uint8_t first, uint8_t second) {
    uint8_t vtf[80 + 8] = {'V', 'T', 'F', 0, 7, 0, 0, 0, 2, 0, 0, 0, 80};
    vtf[16] = vtf[18] = 1; // width, height
    vtf[24] = 2;           // frames
    vtf[56] = 1;           // mips; the format before it, 0, is RGBA8888
    memset(vtf + 57, 0xFF, 4);
    vtf[63] = 1; // depth
    vtf[80] = first;
    vtf[84] = second;
    pack(a, name, vtf, sizeof vtf);
}

static void close_archive(archive *a) {
    memcpy(a->bytes, "PACK", 4);
    put32(a->bytes + 4, a->size);
    put32(a->bytes + 8, a->count * 64);
    memcpy(a->bytes + a->size, a->entries, a->count * 64);
    a->size += a->count * 64;
}

// The red of the pixel that a texture shows at a time, and how far it has moved.
static uint8_t red_at(const char *game, const archive *a, const char *name, float time,
                      float shift[2]) {
    place p = open_map(game, "lobby.bsp", false);
    bsp_error error = {0};
    assert_true(
        bsp_search_add_memory(p.search, "made.pak", (bsp_bytes){a->bytes, a->size}, &error));
    bsp_texture texture = find_at(&p, name, time);
    uint8_t red = texture.image.pixels[0];
    memcpy(shift, texture.shift, sizeof texture.shift);
    bsp_texture_free(&texture);
    close_map(&p);
    return red;
}

static void test_anim_map(void **state) {
    (void)state;
    static const char script[] = "a/b\n{\n{\nanimMap 2 x.tga y.tga z.tga\ntcMod scroll 0.5 -1\n"
                                 "tcMod scroll 0.25 0\n}\n}\n";
    archive a = {.size = 0};
    pack(&a, "scripts/a.shader", script, sizeof script - 1);
    pack_pixel(&a, "x.tga", 10);
    pack_pixel(&a, "y.tga", 20);
    pack_pixel(&a, "z.tga", 30);
    close_archive(&a);
    float shift[2];
    assert_int_equal(red_at("quake3", &a, "a/b", 0, shift), 10);
    assert_true(shift[0] == 0 && shift[1] == 0);
    assert_int_equal(red_at("quake3", &a, "a/b", 0.5F, shift), 20);
    assert_true(shift[0] == 0.375F && shift[1] == 0.5F);
    assert_int_equal(red_at("quake3", &a, "a/b", 1.25F, shift), 30);
    assert_true(shift[0] == 0.9375F && shift[1] == 0.75F);
    assert_int_equal(red_at("quake3", &a, "a/b", 1.5F, shift), 10);
}

static void test_proxies(void **state) {
    (void)state;
    static const char moving[] =
        "\"UnlitGeneric\" { \"$basetexture\" \"f\" \"Proxies\" {\n"
        "\"AnimatedTexture\" { \"animatedTextureVar\" \"$basetexture\" "
        "\"animatedTextureFrameRate\" \"4\" }\n"
        "\"TextureScroll\" { \"textureScrollVar\" \"$baseTextureTransform\" "
        "\"textureScrollRate\" \"0.5\" \"textureScrollAngle\" \"90\" } } }";
    static const char still[] = "\"UnlitGeneric\" { \"$basetexture\" \"f\" \"$frame\" \"1\" }";
    archive a = {.size = 0};
    pack(&a, "materials/moving.vmt", moving, sizeof moving - 1);
    pack(&a, "materials/still.vmt", still, sizeof still - 1);
    pack_frames(&a, "materials/f.vtf", 50, 60);
    close_archive(&a);
    float shift[2];
    assert_int_equal(red_at("source", &a, "moving", 0.2F, shift), 50);
    assert_true(shift[0] < 1e-6F && shift[1] > 0.0999F && shift[1] < 0.1001F);
    assert_int_equal(red_at("source", &a, "moving", 0.3F, shift), 60);
    assert_int_equal(red_at("source", &a, "moving", 0.5F, shift), 50);
    assert_int_equal(red_at("source", &a, "still", 0.5F, shift), 60);
    assert_true(shift[0] == 0 && shift[1] == 0);
}

// What is added to the picture stays quiet where its texture is missing.
static void test_missing_glow(void **state) {
    (void)state;
    static const char glow[] = "UnlitGeneric { $basetexture a $additive 1 }";
    static const char glass[] = "UnlitGeneric { $basetexture a $translucent 1 }";
    archive a = {.size = 0};
    pack(&a, "materials/glow.vmt", glow, sizeof glow - 1);
    pack(&a, "materials/glass.vmt", glass, sizeof glass - 1);
    close_archive(&a);
    place p = open_map("source", "lobby.bsp", false);
    assert_true(bsp_search_add_memory(p.search, "made.pak", (bsp_bytes){a.bytes, a.size}, NULL));
    bsp_texture texture;
    assert_true(bsp_textures_find_name(p.textures, bsp_text_of("glow"), &texture, NULL));
    assert_true(!texture.found && texture.alpha == BSP_ALPHA_ADD && texture.opacity == 0.125F);
    bsp_texture_free(&texture);
    assert_true(bsp_textures_find_name(p.textures, bsp_text_of("glass"), &texture, NULL));
    assert_true(!texture.found && texture.alpha == BSP_ALPHA_BLEND && texture.opacity == 1);
    bsp_texture_free(&texture);
    close_map(&p);
}

// The path of a material that is not there is told whole, where another patches it.
static void test_long_names(void **state) {
    (void)state;
#define LONG_NAME                                                                                  \
    "materials/maps/a_map_with_quite_a_long_name_of_its_own/models/props/of_an_office/"            \
    "wall_that_is_patched.vmt"
    static const char patch[] = "patch { include \"" LONG_NAME "\" }";
    archive a = {.size = 0};
    pack(&a, "materials/maps/office/wall_848_-1327_-1768.vmt", patch, sizeof patch - 1);
    close_archive(&a);
    place p = open_map("source", "lobby.bsp", false);
    assert_true(bsp_search_add_memory(p.search, "made.pak", (bsp_bytes){a.bytes, a.size}, NULL));
    bsp_texture texture;
    assert_true(bsp_textures_find_name(p.textures, bsp_text_of("maps/office/wall_848_-1327_-1768"),
                                       &texture, NULL));
    assert_false(texture.found);
    assert_string_equal(texture.note,
                        "materials/maps/office/wall_848_-1327_-1768.vmt: the material "
                        "that it patches, " LONG_NAME ", was not found");
    bsp_texture_free(&texture);
    close_map(&p);
}

// A decal of GoldSrc: the number of a pixel's colour is how much of the last colour is there.
static void test_gradient(void **state) {
    (void)state;
    uint8_t bytes[40 + 256 + 64 + 16 + 4 + 2 + 768] = {'{', 'x'};
    const size_t offsets[4] = {40, 40 + 256, 40 + 256 + 64, 40 + 256 + 64 + 16};
    put32(bytes + 16, 16);
    put32(bytes + 20, 16);
    for (int i = 0; i < 4; i++) {
        put32(bytes + 24 + 4 * i, offsets[i]);
    }
    bytes[40] = 200;
    bytes[41] = 255;
    bytes[381] = 1; // 256 colours
    memcpy(bytes + sizeof bytes - 3, "\x0A\x14\x1E", 3);
    archive a = {.size = 0};
    pack(&a, "{x.mip", bytes, sizeof bytes);
    close_archive(&a);
    place p = open_map("goldsrc", "lobby.bsp", false);
    assert_true(bsp_search_add_memory(p.search, "made.pak", (bsp_bytes){a.bytes, a.size}, NULL));
    bsp_texture texture;
    assert_true(bsp_textures_find_decal(p.textures, bsp_text_of("{X"), &texture, NULL));
    assert_true(texture.found && texture.width == 16 && texture.height == 16);
    assert_int_equal(texture.alpha, BSP_ALPHA_BLEND);
    assert_memory_equal(texture.image.pixels, "\x0A\x14\x1E\xC8\x0A\x14\x1E\xFF\x0A\x14\x1E", 12);
    bsp_texture_free(&texture);
    assert_true(bsp_textures_find_decal(p.textures, bsp_text_of("{none"), &texture, NULL));
    assert_true(!texture.found && texture.image.pixels == NULL);
    close_map(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_found),    cmocka_unit_test(test_missing),
        cmocka_unit_test(test_meaning),      cmocka_unit_test(test_grey),
        cmocka_unit_test(test_missing_glow), cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_gradient),     cmocka_unit_test(test_frames),
        cmocka_unit_test(test_anim_map),     cmocka_unit_test(test_proxies),
        cmocka_unit_test(test_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
