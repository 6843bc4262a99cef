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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_found),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_meaning),
        cmocka_unit_test(test_grey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
