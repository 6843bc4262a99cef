// SPDX-License-Identifier: MIT
// How models are drawn in pictures: props fade with the distance as their fields and keys say, and
// those that are missing are listed. The map is the Source sample with a crate of the samples in
// the air of its first room.
#include "bspkit/bspkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define AWAY 90.0F // from the eye to the crate
#define SIDE 96u   // of the pictures, in pixels

typedef struct stage {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
} stage;

static void set_up(stage *s) {
    bsp_error error = {0};
    s->file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    assert_non_null(s->file);
    s->map = bsp_map_load(s->file, NULL, &error);
    assert_non_null(s->map);
    s->search = bsp_search_new(NULL, &error);
    assert_true(bsp_search_add(s->search, BSP_TEST_SAMPLES "/models/source", &error));
    assert_true(bsp_search_add_game(s->search, BSP_TEST_SAMPLES "/source", &error));
}

static void tear_down(stage *s) {
    bsp_search_free(s->search);
    bsp_map_free(s->map);
    bsp_file_close(s->file);
}

static bsp_image picture(const bsp_map *map, const stage *s, const bsp_scene_state *state,
                         uint32_t threads) {
    bsp_error error = {0};
    const bsp_renderer_options options = {.search = s->search, .state = state};
    bsp_renderer *renderer = bsp_renderer_build(map, s->file, &options, &error);
    assert_non_null(renderer);
    const bsp_view view = {
        .width = SIDE, .height = SIDE, .from = {128, 40, 80}, .angles = {0, 90, 0}};
    const bsp_draw_options how = {.threads = threads};
    bsp_image image;
    assert_true(bsp_renderer_draw(renderer, &view, &how, &image, NULL, &error));
    bsp_renderer_free(renderer);
    return image;
}

// With a static prop of these fields; a least distance below 0: without it.
static bsp_image with_static(const stage *s, uint32_t flags, float least, float most) {
    const bsp_text name = bsp_text_of("models/props/crate.mdl");
    const bsp_static_prop prop = {.scale = 1,
                                  .origin = {128, 40 + AWAY, 80},
                                  .flags = flags,
                                  .fade_min = least,
                                  .fade_max = most};
    bsp_map map = *s->map;
    map.static_props = &prop;
    map.num_static_props = least >= 0;
    map.static_prop_models = &name;
    map.num_static_prop_models = 1;
    return picture(&map, s, NULL, 1);
}

static uint32_t entity_of_class(const bsp_map *map, const char *name) {
    for (uint32_t i = 0; i < map->entities->count; i++) {
        if (bsp_text_matches(bsp_entity_value(&map->entities->list[i], "classname"),
                             bsp_text_of(name))) {
            return i;
        }
    }
    fail_msg("no %s in the sample", name);
    return 0;
}

// With an entity that shows the crate; NULL: with one that shows nothing.
static bsp_image with_entity(const stage *s, const char *least, const char *most,
                             uint32_t threads) {
    uint32_t entity = entity_of_class(s->map, "light");
    const bsp_scene_key keys[] = {
        {entity, "model",
         bsp_text_of(least == NULL ? "models/props/none.mdl" : "models/props/crate.mdl")},
        {entity, "origin", bsp_text_of("128 130 80")},
        {entity, "fademindist", bsp_text_of(least == NULL ? "" : least)},
        {entity, "fademaxdist", bsp_text_of(least == NULL ? "" : most)}};
    const bsp_scene_state state = {.keys = keys, .num_keys = 4};
    bsp_map map = *s->map;
    map.num_static_props = 0;
    return picture(&map, s, &state, threads);
}

// `left` of the crate is there: of each pixel, that part is the crate's and the rest that of the
// picture without it.
static void check(bsp_image *with, const bsp_image *whole, const bsp_image *without, double left) {
    uint32_t changed = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE * 4; i++) {
        double wanted = whole->pixels[i] * left + without->pixels[i] * (1 - left);
        assert_true(abs((int)with->pixels[i] - (int)(wanted + 0.5)) <= (left > 0 && left < 1));
        changed += abs((int)whole->pixels[i] - (int)without->pixels[i]) > 8;
    }
    assert_true(changed > 1000); // the crate can be told from the wall
    bsp_image_free(with);
}

static void check_rows(const stage *s, uint32_t flags, float least, float most, double left) {
    bsp_image whole = with_static(s, 0, 0, 0);
    bsp_image without = with_static(s, 0, -1, 0);
    bsp_image with = with_static(s, flags, least, most);
    check(&with, &whole, &without, left);
    bsp_image_free(&whole);
    bsp_image_free(&without);
}

static void static_props_fade(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    check_rows(&s, 1, 100, 200, 1);
    check_rows(&s, 1, 60, 120, (120.0 * 120 - 90 * 90) / (120.0 * 120 - 60 * 60));
    check_rows(&s, 1, 0, 100, (100.0 * 100 - 90 * 90) / (100.0 * 100));
    check_rows(&s, 1, 40, 80, 0);
    check_rows(&s, 1, 80, 80, 0);
    check_rows(&s, 1, 95, 95, 1);
    check_rows(&s, 0, 40, 80, 1);    // the flag says that it fades
    check_rows(&s, 0x21, 40, 80, 1); // by its size on the screen, in pixels
    check_rows(&s, 1, 40, 0, 1);     // without an end
    tear_down(&s);
}

static void entities_fade(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    static const struct {
        const char *least, *most;
        double left;
    } rows[] = {
        {"100", "200", 1},       {"60", "120", 7.0 / 12},
        {"120", "60", 7.0 / 12}, {"-60", "120", 7.0 / 12},
        {"40", "80", 0},         {"-200", "80", 0},
        {"0", "0", 1},           {"-1", "0", 1},
    };
    bsp_image whole = with_entity(&s, "", "", 1);
    bsp_image without = with_entity(&s, NULL, NULL, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bsp_image again = with_entity(&s, rows[i].least, rows[i].most, 7);
        bsp_image with = with_entity(&s, rows[i].least, rows[i].most, 1);
        assert_memory_equal(with.pixels, again.pixels, (size_t)SIDE * SIDE * 4);
        check(&with, &whole, &without, rows[i].left);
        bsp_image_free(&again);
    }
    bsp_image_free(&whole);
    bsp_image_free(&without);
    tear_down(&s);
}

// The list outlives scene and map; a name counts once, however many props have it.
static void missing_models_are_listed(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    bsp_error error = {0};
    char name[] = "models/none.mdl";
    const bsp_text names[2] = {bsp_text_of(name), bsp_text_of("models/props/crate.mdl")};
    const bsp_static_prop props[3] = {{.scale = 1}, {.scale = 1}, {.scale = 1, .model = 1}};
    bsp_map map = *s.map;
    map.static_props = props;
    map.num_static_props = 3;
    map.static_prop_models = names;
    map.num_static_prop_models = 2;
    for (int no_props = 0; no_props < 2; no_props++) {
        const bsp_renderer_options options = {.search = s.search, .no_props = no_props != 0};
        bsp_renderer *renderer = bsp_renderer_build(&map, s.file, &options, &error);
        assert_non_null(renderer);
        memset(name, 'x', sizeof name - 1);
        uint32_t count;
        const bsp_scene_missing *list = bsp_renderer_missing_models(renderer, &count);
        assert_int_equal(count, no_props ? 0 : 1);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(bsp_text_matches(list[i].name, bsp_text_of("models/none.mdl")));
            assert_int_equal(list[i].props, 2);
            assert_non_null(strstr(list[i].note, "is not in the search path"));
        }
        strcpy(name, "models/none.mdl");
        bsp_renderer_free(renderer);
    }
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_props_fade),
        cmocka_unit_test(entities_fade),
        cmocka_unit_test(missing_models_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
