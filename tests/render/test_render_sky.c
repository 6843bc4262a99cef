// SPDX-License-Identifier: MIT
// Skies: which picture is where and how it lies, worked out by hand from id's tables; the maps'
// keys lead to the pictures; Quake's two layers; and a sky surface hides what is behind it.
#include "render/renderer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

typedef struct box {
    bspi_heap heap;
    bspi_arena arena;
    bspi_sky sky;
} box;

// A picture of 2 x 2 texels: number, then 10 for the right and 20 for the lower half.
static void fill_side(bsp_image *image, uint8_t number) {
    static const uint8_t none[4] = {0, 0, 0, 255};
    assert_true(bsp_image_fill(2, 2, none, NULL, image, NULL));
    for (size_t i = 0; i < 4; i++) {
        image->pixels[4 * i] = number;
        image->pixels[4 * i + 1] = (uint8_t)(i % 2 * 10 + i / 2 * 20);
    }
}

static void build(box *b, bsp_sky *from) {
    bspi_heap_init(&b->heap, NULL, 0);
    bspi_arena_init(&b->arena, &b->heap);
    assert_true(bspi_sky_build(&b->arena, from, &b->sky, NULL));
    bsp_sky_free(from);
    assert_true(b->sky.found);
}

static void check(const box *b, float x, float y, float z, int number, int corner) {
    const float direction[3] = {x, y, z};
    uint8_t color[3];
    bspi_sky_color(&b->sky, direction, color);
    assert_int_equal(color[0], number);
    assert_int_equal(color[1], corner);
}

// rt is +X, lf -X, bk +Y, ft -Y. Who looks along +X has +Y on the left.
static void test_box(void **state) {
    (void)state;
    box b;
    bsp_sky sky = {.num_sides = 6};
    for (uint8_t i = 0; i < 6; i++) {
        fill_side(&sky.sides[i], (uint8_t)(1 + i));
    }
    build(&b, &sky);
    float c = 0.9F; // near a corner: its texel alone counts
    check(&b, 1, c, c, 1, 0);
    check(&b, 1, -c, c, 1, 10);
    check(&b, 1, -c, -c, 1, 30);
    check(&b, -1, -c, c, 2, 0);
    check(&b, -1, c, -c, 2, 30);
    check(&b, -c, 1, c, 3, 0);
    check(&b, c, 1, -c, 3, 30);
    check(&b, c, -1, c, 4, 0);
    check(&b, -c, -1, -c, 4, 30);
    // The upper picture goes on where the picture towards +X (its lower edge is at the horizon)
    // ends: below the upper one's lower edge is +X.
    check(&b, c, c, 1, 5, 20);
    check(&b, -c, -c, 1, 5, 10);
    check(&b, c, c, -1, 6, 0);
    check(&b, -c, -c, -1, 6, 30);
    check(&b, 300, 300 * c, 300 * c, 1, 0); // of any length
    check(&b, 0, 0, 0, 0, 0);               // and none
    bspi_arena_free(&b.arena);
}

// The front layer hides the far one but for its holes. Straight up is the corner of the picture; a
// flat direction along +X is 2.953125 repeats away from it.
static void test_layers(void **state) {
    (void)state;
    box b;
    static const uint8_t far[4] = {50, 0, 0, 255};
    bsp_sky sky = {.num_layers = 2, .flat = true};
    sky.layers[0] = (bsp_sky_layer){.alpha = BSP_ALPHA_OPAQUE, .scale = {1, 1}};
    sky.layers[1] = (bsp_sky_layer){.alpha = BSP_ALPHA_BLEND, .scale = {1, 1}};
    assert_true(bsp_image_fill(64, 64, far, NULL, &sky.layers[0].image, NULL));
    assert_true(bsp_image_fill(64, 64, far, NULL, &sky.layers[1].image, NULL));
    for (size_t i = 0; i < 64 * 64; i++) { // columns 60 to 62 are there, the rest is a hole
        bool there = i % 64 >= 60 && i % 64 <= 62;
        sky.layers[1].image.pixels[4 * i] = 200;
        sky.layers[1].image.pixels[4 * i + 3] = there ? 255 : 0;
    }
    build(&b, &sky);
    check(&b, 1, 0, 0, 200, 0); // 0.953125 * 64 = 61, between the texels 60 and 61
    check(&b, 0, 1, 0, 50, 0);
    check(&b, 0, 0, 1, 50, 0);
    bspi_arena_free(&b.arena);
}

// Clouds: straight up is (acos 0, acos 0) = pi / 2 repeats; nothing below the horizon.
static void test_clouds(void **state) {
    (void)state;
    box b;
    static const uint8_t dark[4] = {10, 0, 0, 255};
    bsp_sky sky = {.num_layers = 1, .cloud_height = 512};
    sky.layers[0] = (bsp_sky_layer){.alpha = BSP_ALPHA_ADD, .scale = {2, 1}};
    assert_true(bsp_image_fill(100, 1, dark, NULL, &sky.layers[0].image, NULL));
    sky.layers[0].image.pixels[4 * 13] = 90; // 2 * pi / 2 = 3.14159: texels 13 and 14
    sky.layers[0].image.pixels[4 * 14] = 90;
    build(&b, &sky);
    check(&b, 0, 0, 1, 90, 0);
    check(&b, 0.5F, 0, 1, 10, 0);
    check(&b, 0, 0, -1, 0, 0);
    bspi_arena_free(&b.arena);
}

// --- maps ---------------------------------------------------------------------------------------

// A map of one family with a sky name, and an archive of loose pictures in memory: a stored zip is
// more than is needed here, so a PAK.
static void put32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static size_t make_pak(const char *name, uint8_t *out) {
    static const uint8_t tga[18 + 3] = {0, 0, 2, [12] = 1, [14] = 1, [16] = 24, [18] = 7, 8, 9};
    memset(out, 0, 12 + 21 + 64);
    memcpy(out, "PACK", 4);
    put32(out + 4, 12 + 21);
    put32(out + 8, 64);
    memcpy(out + 12, tga, sizeof tga);
    strcpy((char *)out + 33, name);
    put32(out + 33 + 56, 12);
    put32(out + 33 + 60, 21);
    return 12 + 21 + 64;
}

static void check_named(bsp_sky_source source, const char *key, const char *value, const char *file,
                        int side) {
    uint8_t pak[128];
    bsp_pair pair = {bsp_text_of(key), bsp_text_of(value)};
    bsp_entity world = {.pairs = &pair, .num_pairs = 1};
    bsp_entities entities = {.list = &world, .count = 1};
    bsp_branch branch = {.name = "test"};
    bsp_traits traits = {.luxel = 16, .sky_source = source};
    bsp_map map = {.branch = &branch, .traits = &traits, .entities = &entities};
    bsp_search *search = bsp_search_new(NULL, NULL);
    assert_true(bsp_search_add_memory(search, "pak", (bsp_bytes){pak, make_pak(file, pak)}, NULL));
    bsp_textures *textures = bsp_textures_open(search, &map, NULL, NULL);
    assert_non_null(textures);
    bsp_sky sky;
    assert_true(bsp_textures_find_sky(textures, &sky, NULL));
    assert_int_equal(sky.num_sides, 1);
    assert_non_null(sky.sides[side].pixels);
    assert_int_equal(sky.sides[side].pixels[0], 9); // a TGA begins with blue
    bsp_sky_free(&sky);
    bsp_textures_close(textures);
    bsp_search_free(search);
}

static void test_names(void **state) {
    (void)state;
    check_named(BSP_SKIES_LAYERS, "sky", "night_", "gfx/env/night_rt.tga", 0);
    check_named(BSP_SKIES_LAYERS, "skyname", "night", "gfx/env/night_lf.tga", 1);
    check_named(BSP_SKIES_GOLDSRC, "skyname", "dusk", "gfx/env/duskbk.tga", 2);
    check_named(BSP_SKIES_GOLDSRC, "classname", "worldspawn", "gfx/env/desertft.tga", 3);
    check_named(BSP_SKIES_QUAKE2, "sky", "space1", "env/space1up.tga", 4);
    check_named(BSP_SKIES_QUAKE2, "classname", "worldspawn", "env/unit1_dn.tga", 5);
}

// The samples of Quake have a sky of two layers, whose pictures are in the map.
static void test_sample(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    bsp_textures *textures = bsp_textures_open(NULL, map, NULL, NULL);
    assert_non_null(textures);
    bsp_sky sky;
    assert_true(bsp_textures_find_sky(textures, &sky, NULL));
    assert_true(sky.flat);
    assert_int_equal(sky.num_layers, 2);
    assert_int_equal(sky.layers[0].image.width, sky.layers[1].image.width);
    bsp_sky_free(&sky);
    bsp_textures_close(textures);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),   cmocka_unit_test(test_layers), cmocka_unit_test(test_clouds),
        cmocka_unit_test(test_names), cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
