// SPDX-License-Identifier: MIT
// Pictures of the samples: a sealed room shows no hole, the number of threads changes nothing, the
// eye stands where the start is, and what stands in front hides what is behind.
#include "bspkit/bspkit.h"
#include "render/renderer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loaded {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
    bsp_renderer *renderer;
} loaded;

static void load(loaded *l, const char *game) {
    char path[512];
    bsp_error error = {0};
    snprintf(path, sizeof path, "%s/%s/lobby.bsp", BSP_TEST_SAMPLES, game);
    l->file = bsp_file_open(path, NULL, &error);
    assert_non_null(l->file);
    l->map = bsp_map_load(l->file, NULL, &error);
    assert_non_null(l->map);
    l->search = bsp_search_new(NULL, &error);
    assert_non_null(l->search);
    snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, game);
    assert_true(bsp_search_add_game(l->search, path, &error));
    bsp_renderer_options options = {.search = l->search};
    l->renderer = bsp_renderer_build(l->map, l->file, &options, &error);
    assert_non_null(l->renderer);
}

static void unload(loaded *l) {
    bsp_renderer_free(l->renderer);
    bsp_search_free(l->search);
    bsp_map_free(l->map);
    bsp_file_close(l->file);
}

static bsp_image draw(const loaded *l, const bsp_view *view, uint32_t threads) {
    bsp_error error = {0};
    bsp_image image;
    bsp_draw_options options = {.threads = threads};
    assert_true(bsp_renderer_draw(l->renderer, view, &options, &image, NULL, &error));
    assert_int_equal(image.width, view->width);
    assert_int_equal(image.height, view->height);
    return image;
}

// The background is a ramp by rows; how many pixels have exactly its colour.
static uint32_t count_background(const bsp_image *image) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < image->height; y++) {
        float t = (float)y / (float)image->height;
        uint8_t sky[3] = {(uint8_t)(92 + 84 * t), (uint8_t)(128 + 62 * t), (uint8_t)(168 + 32 * t)};
        for (uint32_t x = 0; x < image->width; x++) {
            count +=
                memcmp(image->pixels + ((size_t)y * image->width + x) * 4, sky, 3) == 0 ? 1 : 0;
        }
    }
    return count;
}

static const char *const games[] = {"quake", "goldsrc", "quake2", "quake3"};

// The first room has no sky: whichever way one looks, every pixel is a wall's.
static void test_no_holes(void **state) {
    (void)state;
    for (size_t g = 0; g < 4; g++) {
        loaded l;
        load(&l, games[g]);
        l.renderer->sky.found = false; // which would be seen through a hole like a wall
        bsp_view view = {.width = 320, .height = 200};
        bsp_view_start(l.map, &view);
        for (int yaw = 0; yaw < 360; yaw += 45) {
            view.angles[1] = (float)yaw;
            bsp_image image = draw(&l, &view, 0);
            assert_true(count_background(&image) < 8); // a texel may have that colour by chance
            bsp_image_free(&image);
        }
        unload(&l);
    }
}

static void test_threads_agree(void **state) {
    (void)state;
    loaded l;
    load(&l, "quake3");
    bsp_view view = {.width = 333, .height = 211, .fov = 75};
    bsp_view_start(l.map, &view);
    bsp_image one = draw(&l, &view, 1);
    for (uint32_t threads = 2; threads < 9; threads += 3) {
        bsp_image many = draw(&l, &view, threads);
        assert_memory_equal(one.pixels, many.pixels, (size_t)333 * 211 * 4);
        bsp_image_free(&many);
    }
    bsp_image_free(&one);
    unload(&l);
}

// info_player_start stands at 128 32 24 and looks along +Y; Quake's eye is 22 units higher.
static void test_start(void **state) {
    (void)state;
    loaded l;
    load(&l, "quake");
    bsp_view view = {.width = 1, .height = 1};
    bsp_view_start(l.map, &view);
    assert_true(view.from[0] == 128 && view.from[1] == 32 && view.from[2] == 46);
    assert_true(view.angles[0] == 0 && view.angles[1] == 90 && view.angles[2] == 0);
    unload(&l);
}

// Without entities: from within the world, on the line that leads down to its middle.
static void test_no_start(void **state) {
    (void)state;
    loaded l;
    load(&l, "quake");
    bsp_map map = *l.map;
    map.entities = NULL;
    bsp_view view = {.width = 1, .height = 1};
    bsp_view_start(&map, &view);
    const bsp_model *world = &map.models[0];
    double to_middle[3];
    double length = 0;
    for (int axis = 0; axis < 3; axis++) {
        assert_true(view.from[axis] > world->mins[axis] && view.from[axis] < world->maxs[axis]);
        double middle = ((double)world->mins[axis] + (double)world->maxs[axis]) / 2;
        to_middle[axis] = middle - (double)view.from[axis];
        length += to_middle[axis] * to_middle[axis];
    }
    double pitch = (double)view.angles[0] * (3.14159265358979 / 180);
    double yaw = (double)view.angles[1] * (3.14159265358979 / 180);
    double forward[3] = {cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), -sin(pitch)};
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabs(forward[axis] * sqrt(length) - to_middle[axis]) < 1e-3 * sqrt(length));
    }
    assert_true(view.angles[2] == 0 && to_middle[2] < 0);
    unload(&l);
}

static void test_bad_views(void **state) {
    (void)state;
    loaded l;
    load(&l, "quake");
    bsp_error error = {0};
    bsp_image image;
    bsp_view none = {.width = 0, .height = 10};
    assert_false(bsp_renderer_draw(l.renderer, &none, NULL, &image, NULL, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_view strange = {.width = 16, .height = 16, .fov = NAN};
    strange.from[0] = NAN;
    strange.angles[1] = INFINITY;
    image = draw(&l, &strange, 1);
    bsp_image_free(&image);
    unload(&l);
}

static bsp_image draw_with(const loaded *l, const bsp_view *view, bsp_draw_options options,
                           bsp_draw_stats *stats) {
    bsp_error error = {0};
    bsp_image image;
    assert_true(bsp_renderer_draw(l->renderer, view, &options, &image, stats, &error));
    return image;
}

static uint32_t count_different(const bsp_image *a, const bsp_image *b) {
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        count += memcmp(a->pixels + i * 4, b->pixels + i * 4, 4) == 0 ? 0 : 1;
    }
    return count;
}

// AVX2 and the plain code give the same bytes; asking for numbers changes none.
static void test_instructions_agree(void **state) {
    (void)state;
    for (size_t g = 0; g < 4; g++) {
        loaded l;
        load(&l, games[g]);
        bsp_view view = {.width = 317, .height = 205};
        bsp_view_start(l.map, &view);
        for (int turn = 0; turn < 8; turn++) {
            bsp_draw_stats stats;
            view.angles[0] = (float)(turn * 20 - 80);
            view.angles[1] += 45;
            view.angles[2] = (float)turn * 7;
            view.top = turn == 7;
            bsp_image fast = draw_with(&l, &view, (bsp_draw_options){.threads = 1}, &stats);
            bsp_image plain =
                draw_with(&l, &view, (bsp_draw_options){.threads = 3, .no_simd = true}, NULL);
            assert_int_equal(count_different(&fast, &plain), 0);
            bsp_image_free(&fast);
            bsp_image_free(&plain);
        }
        unload(&l);
    }
}

// The samples are lit and closed: what their visibility hides is hidden by walls as well. The
// numbers are those that the queries give.
static void test_visibility(void **state) {
    (void)state;
    for (size_t g = 0; g < 4; g++) {
        loaded l;
        load(&l, games[g]);
        l.renderer->sky.found = false; // which would be seen through a hole like a wall
        bsp_view view = {.width = 320, .height = 200};
        bsp_view_start(l.map, &view);
        uint8_t row[4096];
        assert_true(l.map->visibility.row_bytes <= sizeof row);
        uint32_t leaves = bsp_query_visible_leaves(l.map, view.from, row, NULL, 0);
        for (int yaw = 0; yaw < 360; yaw += 30) {
            bsp_draw_stats with;
            bsp_draw_stats without;
            view.angles[1] = (float)yaw;
            bsp_image all = draw_with(&l, &view, (bsp_draw_options){.no_vis = true}, &without);
            bsp_image seen = draw_with(&l, &view, (bsp_draw_options){.threads = 2}, &with);
            assert_true(count_different(&all, &seen) < 8); // z-fighting may turn out differently
            assert_int_equal(with.leaf, bsp_query_leaf(l.map, view.from));
            assert_int_equal(with.cluster, bsp_query_cluster(l.map, view.from));
            assert_int_equal(with.leaves, l.map->num_leaves);
            assert_true(with.leaves_seen >= leaves);
            assert_true(with.leaves_in_view <= with.leaves_seen);
            assert_true(with.faces_in_view <= with.faces_seen && with.faces_seen <= with.faces);
            assert_true(with.faces_in_view <= without.faces_in_view);
            assert_int_equal(without.leaves_seen, l.map->num_leaves);
            assert_int_equal(without.faces_seen, without.faces);
            assert_int_equal(with.threads, 2);
            bsp_image_free(&all);
            bsp_image_free(&seen);
        }
        unload(&l);
    }
}

// The overview file of the games: (pos_x + x * scale, pos_y - y * scale). The first and last
// columns and rows that are not paper are where the bounds say.
static void test_overview(void **state) {
    (void)state;
    static const uint8_t paper[4] = {24, 26, 30, 255};
    loaded l;
    load(&l, "quake2");
    bsp_view view = {.width = 300, .height = 170, .top = true};
    bsp_overview over;
    bsp_renderer_overview(l.renderer, &view, &over);
    bsp_image image = draw(&l, &view, 1);
    uint32_t box[4] = {view.width, view.height, 0, 0};
    for (uint32_t y = 0; y < view.height; y++) {
        for (uint32_t x = 0; x < view.width; x++) {
            if (memcmp(image.pixels + ((size_t)y * view.width + x) * 4, paper, 4) != 0) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x + 1 > box[2] ? x + 1 : box[2];
                box[3] = y + 1 > box[3] ? y + 1 : box[3];
            }
        }
    }
    float want[4] = {over.mins[0], over.maxs[1], over.maxs[0], over.mins[1]};
    for (int i = 0; i < 4; i++) {
        float step = i % 2 == 0 ? over.scale : -over.scale;
        float at = over.origin[i % 2] + (float)box[i] * step;
        assert_true(fabsf(at - want[i]) <= over.scale);
    }
    bsp_image_free(&image);
    unload(&l);
}

static size_t put_file(uint8_t *pak, size_t at, uint32_t number, const char *name, const void *data,
                       size_t size) {
    uint8_t *entry = pak + 12 + 64 * number;
    const uint32_t place[2] = {(uint32_t)at, (uint32_t)size};
    snprintf((char *)entry, 56, "%s", name);
    for (int i = 0; i < 8; i++) {
        entry[56 + i] = (uint8_t)(place[i / 4] >> 8 * (i % 4));
    }
    memcpy(pak + at, data, size);
    return at + size;
}

// A PAK with the material of the sample's displacements, and its four pictures of one texel.
static bsp_bytes four_textures(const uint8_t colours[4][3], uint8_t pak[4096]) {
    static const char material[] = "Lightmapped_4WayBlend { $basetexture t0 $basetexture2 t1 "
                                   "$basetexture3 t2 $basetexture4 t3 }";
    memset(pak, 0, 4096);
    memcpy(pak, "PACK\x0c\0\0\0\x40\1\0\0", 12); // 5 entries of 64 bytes
    size_t at =
        put_file(pak, 12 + 64 * 5, 0, "materials/lobby/hill1.vmt", material, sizeof material - 1);
    for (uint32_t i = 0; i < 4; i++) {
        char name[32];
        uint8_t vtf[83] = {'V', 'T', 'F', 0, 7, 0, 0, 0, 1, 0, 0, 0, 80, 0, 0, 0, 1, 0, 1};
        vtf[24] = 1;              // a frame
        vtf[52] = 2;              // RGB888
        vtf[56] = 1;              // a mip
        memset(vtf + 57, 255, 4); // no small picture
        memcpy(vtf + 80, colours[i], 3);
        snprintf(name, sizeof name, "materials/t%u.vtf", (unsigned)i);
        at = put_file(pak, at, 1 + i, name, vtf, sizeof vtf);
    }
    return (bsp_bytes){pak, at};
}

// Every displacement vertex with one alpha: a picture of the first texture, of the second, and
// one that is 51/255 of the way between them, to a rounding.
static void test_second_texture(void **state) {
    (void)state;
    loaded l;
    load(&l, "source");
    bsp_disp_vert *verts = (bsp_disp_vert *)(uintptr_t)l.map->disp_verts; // this test's own map
    bsp_view view = {.width = 640, .height = 360, .top = true};
    bsp_image images[3];
    bsp_error error = {0};
    for (int n = 0; n < 3; n++) {
        for (uint32_t v = 0; v < l.map->num_disp_verts; v++) {
            verts[v].alpha = n == 0 ? 0.0F : n == 1 ? 255.0F : 51.0F;
        }
        bsp_renderer_options options = {.search = l.search, .full_bright = true};
        bsp_renderer_free(l.renderer);
        l.renderer = bsp_renderer_build(l.map, l.file, &options, &error);
        assert_non_null(l.renderer);
        images[n] = draw(&l, &view, 1);
    }
    bsp_image plain = draw_with(&l, &view, (bsp_draw_options){.no_simd = true}, NULL);
    assert_int_equal(count_different(&images[2], &plain), 0);
    bsp_image_free(&plain);
    uint32_t mixed = 0;
    for (size_t i = 0; i < (size_t)640 * 360 * 4; i++) {
        int first = images[0].pixels[i];
        int second = images[1].pixels[i];
        double wanted = first + (second - first) / 5.0;
        assert_true(fabs(images[2].pixels[i] - wanted) <= 1);
        mixed += first != second;
    }
    assert_true(mixed > 1000);
    for (int n = 0; n < 3; n++) {
        bsp_image_free(&images[n]);
    }
    unload(&l);
}

// A material of four textures: each alone where its share is full and that of those over it is
// none.
static void test_four_textures(void **state) {
    (void)state;
    static const uint8_t colours[4][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}};
    loaded l;
    load(&l, "source");
    bsp_map *map = (bsp_map *)(uintptr_t)l.map; // this test's own map
    uint32_t count = 0;
    for (uint32_t d = 0; d < map->num_displacements; d++) {
        bsp_displacement *disp = (bsp_displacement *)(uintptr_t)&map->displacements[d];
        uint32_t side = (1u << disp->power) + 1;
        disp->flags = 0xC0000000u;
        count += side * side;
    }
    bsp_disp_blend *blends = calloc(count, sizeof *blends);
    assert_non_null(blends);
    map->disp_blends = blends;
    map->num_disp_blends = count;
    map->pak = (bsp_bytes){NULL, 0}; // it has that material, too
    bsp_error error = {0};
    bsp_search *search = bsp_search_new(NULL, &error);
    uint8_t zip[4096];
    assert_true(bsp_search_add_memory(search, "a.pak", four_textures(colours, zip), &error));
    bsp_view view = {.width = 320, .height = 180, .top = true};
    for (uint32_t shown = 0; shown < 5; shown++) { // at last half of the fourth over the first
        for (uint32_t i = 0; i < count; i++) {
            memset(blends[i].share, 0, sizeof blends[i].share);
            blends[i].share[shown < 4 ? shown : 3] = shown < 4 ? 1 : 1.0F / 3;
        }
        const bsp_renderer_options options = {.search = search, .full_bright = true};
        bsp_renderer_free(l.renderer);
        l.renderer = bsp_renderer_build(map, l.file, &options, &error);
        assert_non_null(l.renderer);
        bsp_image image = draw(&l, &view, 1);
        bsp_image plain = draw_with(&l, &view, (bsp_draw_options){.no_simd = true}, NULL);
        assert_int_equal(count_different(&image, &plain), 0);
        uint32_t found = 0;
        for (size_t i = 0; i < (size_t)320 * 180; i++) {
            const uint8_t *c = image.pixels + 4 * i;
            const uint8_t half[3] = {255, 128, 0};
            const uint8_t *wanted = shown < 4 ? colours[shown] : half;
            found += abs(c[0] - wanted[0]) <= 1 && abs(c[1] - wanted[1]) <= 1 && c[2] == wanted[2];
        }
        assert_true(found > 500);
        bsp_image_free(&image);
        bsp_image_free(&plain);
    }
    map->disp_blends = NULL;
    map->num_disp_blends = 0;
    free(blends);
    unload(&l);
    bsp_search_free(search);
}

// From above: the rooms are there, and the paper around them.
static bool is_missing(const bsp_renderer *renderer, bsp_text name) {
    for (uint32_t n = 0; n < bsp_renderer_missing(renderer); n++) {
        if (bsp_text_equal(bsp_renderer_missing_name(renderer, n), name)) {
            return true;
        }
    }
    return false;
}

// Without a game folder the textures of the map's mesh are missing, and no others: not those of
// triggers, which are not drawn unless they are asked for.
static void check_missing(const loaded *l, bool hidden) {
    bsp_error error = {0};
    const bsp_renderer_options options = {.full_bright = true, .hidden = hidden};
    const bsp_mesh_options drawn = {.hidden = hidden, .sky = true, .overlays = true};
    bsp_renderer *renderer = bsp_renderer_build(l->map, NULL, &options, &error);
    bsp_mesh *mesh = bsp_mesh_build(l->map, &drawn, &error);
    bsp_textures *textures = bsp_textures_open(NULL, l->map, NULL, &error);
    assert_true(renderer != NULL && mesh != NULL && textures != NULL);
    for (uint32_t m = 0; m < l->map->num_materials; m++) {
        bool meshed = false;
        for (uint32_t g = 0; g < mesh->num_groups; g++) {
            meshed = meshed || mesh->groups[g].material == m;
        }
        bsp_texture texture;
        assert_true(bsp_textures_find(textures, m, &texture, &error));
        bool should = meshed && !texture.found && !texture.no_draw && !texture.sky;
        assert_int_equal(is_missing(renderer, l->map->materials[m].name), should);
        bsp_texture_free(&texture);
    }
    bsp_textures_close(textures);
    bsp_mesh_free(mesh);
    bsp_renderer_free(renderer);
}

// Quake 2: no surface of the first material is drawn.
static void hide_first(const bsp_map *map) {
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        bsp_texinfo *texinfo = (bsp_texinfo *)(uintptr_t)&map->texinfos[i];
        texinfo->flags |= texinfo->material == 0 ? 0x80 : 0; // SURF_NODRAW
    }
}

static void test_missing(void **state) {
    (void)state;
    static const char *const families[] = {"quake", "goldsrc", "quake2", "quake3", "source"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        loaded l;
        load(&l, families[i]);
        check_missing(&l, false);
        check_missing(&l, true);
        if (strcmp(families[i], "quake2") == 0) {
            hide_first(l.map);
            check_missing(&l, false);
        }
        unload(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_holes),       cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_start),          cmocka_unit_test(test_no_start),
        cmocka_unit_test(test_bad_views),      cmocka_unit_test(test_instructions_agree),
        cmocka_unit_test(test_visibility),     cmocka_unit_test(test_overview),
        cmocka_unit_test(test_second_texture), cmocka_unit_test(test_four_textures),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
