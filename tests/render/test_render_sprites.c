// SPDX-License-Identifier: MIT
// Sprites that turn to the viewer in pictures. The map is the GoldSrc sample; the sprite is that of
// the samples, with each way of turning in its head. Where its corners are on the picture is worked
// out here from the definition of each way.
#include "bspkit/bspkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 128
#define NAME "sprites/glow.spr"
#define HALF 8.0 // half of its edge
#define RADIANS (3.14159265358979323846 / 180)

typedef struct stage {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
    uint8_t *pak;
} stage;

static void put32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> 8 * i);
    }
}

// The sprite of the samples, with another way of turning, in a PAK.
static void add_sprite(stage *s, uint32_t type) {
    bsp_error error;
    size_t size;
    uint8_t sprite[4096];
    FILE *file = fopen(BSP_TEST_SAMPLES "/models/goldsrc/" NAME, "rb");
    assert_non_null(file);
    size = fread(sprite, 1, sizeof sprite, file);
    fclose(file);
    assert_true(size > 64 && size < sizeof sprite);
    s->pak = calloc(1, 12 + size + 64);
    assert_non_null(s->pak);
    memcpy(s->pak, "PACK", 4);
    put32(s->pak + 4, (uint32_t)(12 + size));
    put32(s->pak + 8, 64);
    memcpy(s->pak + 12, sprite, size);
    put32(s->pak + 12 + 8, type);
    strcpy((char *)s->pak + 12 + size, NAME);
    put32(s->pak + 12 + size + 56, 12);
    put32(s->pak + 12 + size + 60, (uint32_t)size);
    const bsp_bytes pak = {s->pak, 12 + size + 64};
    assert_true(bsp_search_add_memory(s->search, "pak", pak, &error));
}

static void set_up(stage *s, uint32_t type) {
    bsp_error error;
    s->file = bsp_file_open(BSP_TEST_SAMPLES "/goldsrc/lobby.bsp", NULL, &error);
    assert_non_null(s->file);
    s->map = bsp_map_load(s->file, NULL, &error);
    s->search = bsp_search_new(NULL, &error);
    assert_true(s->map != NULL && s->search != NULL);
    add_sprite(s, type);
}

static void tear_down(stage *s) {
    bsp_search_free(s->search);
    bsp_map_free(s->map);
    bsp_file_close(s->file);
    free(s->pak);
}

static uint32_t first_light(const bsp_map *map) {
    for (uint32_t i = 0; i < map->entities->count; i++) {
        if (bsp_text_matches(bsp_entity_value(&map->entities->list[i], "classname"),
                             bsp_text_of("light"))) {
            return i;
        }
    }
    fail_msg("no light in the sample");
    return 0;
}

typedef struct scenery {
    const char *angles; // of the sprite
    const char *mode;
    const char *fx;
    const char *scale;
} scenery;

static bsp_image picture(const stage *s, const scenery *as, const bsp_view *view, bool shown,
                         uint32_t threads) {
    bsp_error error;
    uint32_t entity = first_light(s->map);
    const bsp_scene_key keys[] = {{entity, "classname", bsp_text_of("env_sprite")},
                                  {entity, "model", bsp_text_of(shown ? NAME : "")},
                                  {entity, "origin", bsp_text_of("128 150 60")},
                                  {entity, "rendermode", bsp_text_of(as->mode)},
                                  {entity, "renderamt", bsp_text_of("255")},
                                  {entity, "renderfx", bsp_text_of(as->fx)},
                                  {entity, "scale", bsp_text_of(as->scale)},
                                  {entity, "angles", bsp_text_of(as->angles)}};
    const bsp_scene_state state = {.keys = keys, .num_keys = sizeof keys / sizeof *keys};
    const bsp_renderer_options options = {.search = s->search, .state = &state};
    bsp_renderer *renderer = bsp_renderer_build(s->map, s->file, &options, &error);
    assert_non_null(renderer);
    const bsp_draw_options how = {.threads = threads};
    bsp_image image;
    assert_true(bsp_renderer_draw(renderer, view, &how, &image, NULL, &error));
    bsp_renderer_free(renderer);
    return image;
}

// The box of what differs: left, top, right, bottom, and how many pixels.
static uint32_t compare(const bsp_image *a, const bsp_image *b, int box[4]) {
    uint32_t count = 0;
    box[0] = box[1] = SIDE;
    box[2] = box[3] = -1;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            size_t at = ((size_t)y * SIDE + (size_t)x) * 4;
            if (memcmp(a->pixels + at, b->pixels + at, 3) != 0) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x > box[2] ? x : box[2];
                box[3] = y > box[3] ? y : box[3];
                count++;
            }
        }
    }
    return count;
}

static void axes_of(const double angles[3], double axes[3][3]) { // forward, right, up
    double p = angles[0] * RADIANS, y = angles[1] * RADIANS, r = angles[2] * RADIANS;
    const double f[3] = {cos(p) * cos(y), cos(p) * sin(y), -sin(p)};
    const double right[3] = {-sin(r) * sin(p) * cos(y) + cos(r) * sin(y),
                             -sin(r) * sin(p) * sin(y) - cos(r) * cos(y), -sin(r) * cos(p)};
    const double up[3] = {cos(r) * sin(p) * cos(y) + sin(r) * sin(y),
                          cos(r) * sin(p) * sin(y) - sin(r) * cos(y), cos(r) * cos(p)};
    memcpy(axes[0], f, sizeof f);
    memcpy(axes[1], right, sizeof right);
    memcpy(axes[2], up, sizeof up);
}

// By the definitions: which way is right and up for the sprite.
static void turn(uint32_t type, double view[3][3], double own[3][3], const double roll,
                 const double to_eye[3], double right[3], double up[3]) {
    for (int i = 0; i < 3; i++) {
        right[i] = view[1][i];
        up[i] = type <= 1 ? i == 2 : view[2][i];
        if (type == 3) {
            right[i] = own[1][i];
            up[i] = own[2][i];
        } else if (type == 4) {
            right[i] = cos(roll) * view[1][i] + sin(roll) * view[2][i];
            up[i] = cos(roll) * view[2][i] - sin(roll) * view[1][i];
        }
    }
    if (type <= 1) { // at a right angle to the way to the eye, or to the way it looks
        const double *way = type == 1 ? to_eye : view[0];
        double flat = (type == 1 ? 1 : -1) * hypot(way[0], way[1]);
        right[0] = -way[1] / flat;
        right[1] = way[0] / flat;
        right[2] = 0;
    }
}

static void expect(uint32_t type, const double angles[3], double size, const bsp_view *view,
                   double box[4]) {
    static const double at[3] = {128, 150, 60};
    double eye[3], camera[3][3], own[3][3], right[3], up[3];
    double looks[3] = {(double)view->angles[0], (double)view->angles[1], (double)view->angles[2]};
    axes_of(looks, camera);
    axes_of(angles, own);
    for (int i = 0; i < 3; i++) {
        eye[i] = (double)view->from[i] - at[i];
    }
    turn(type, camera, own, angles[2] * RADIANS, eye, right, up);
    box[0] = box[1] = 1e9;
    box[2] = box[3] = -1e9;
    for (int corner = 0; corner < 4; corner++) {
        double a = (corner & 1) != 0 ? size : -size, b = (corner & 2) != 0 ? size : -size;
        double v[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; axis++) {
            for (int i = 0; i < 3; i++) {
                v[axis] += (a * right[i] + b * up[i] - eye[i]) * camera[axis][i];
            }
        }
        double x = SIDE / 2.0 + v[1] / v[0] * SIDE / 2.0, y = SIDE / 2.0 - v[2] / v[0] * SIDE / 2.0;
        box[0] = fmin(box[0], x);
        box[1] = fmin(box[1], y);
        box[2] = fmax(box[2], x);
        box[3] = fmax(box[3], y);
    }
}

static void check(uint32_t type, const scenery *as, const double angles[3], double size,
                  const bsp_view *view) {
    stage s;
    int box[4];
    double wanted[4];
    set_up(&s, type);
    bsp_image with = picture(&s, as, view, true, 1);
    bsp_image without = picture(&s, as, view, false, 1);
    bsp_image again = picture(&s, as, view, true, 3);
    assert_memory_equal(with.pixels, again.pixels, (size_t)SIDE * SIDE * 4);
    assert_true(compare(&with, &without, box) > 20);
    expect(type, angles, size, view, wanted);
    for (int i = 0; i < 4; i++) { // the middle of a pixel is in it
        assert_true(fabs(box[i] + 0.5 - wanted[i]) < 1.6);
    }
    bsp_image_free(&with);
    bsp_image_free(&without);
    bsp_image_free(&again);
    tear_down(&s);
}

static void turn_as_their_type_says(void **state) {
    (void)state;
    static const double angles[3] = {0, 70, 30};
    const scenery as = {"0 70 30", "5", "0", "2"};
    const bsp_view views[] = {
        {.width = SIDE, .height = SIDE, .from = {128, 90, 60}, .angles = {0, 90, 0}},
        {.width = SIDE, .height = SIDE, .from = {100, 100, 100}, .angles = {35, 55, 0}},
        {.width = SIDE, .height = SIDE, .from = {150, 100, 50}, .angles = {-10, 100, 20}},
    };
    for (uint32_t type = 0; type < 5; type++) {
        for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
            check(type, &as, angles, 2 * HALF, &views[v]);
        }
    }
}

// A glow is as large on the picture at any distance: as its picture is at 200 units. renderfx 14 is
// an ordinary sprite.
static void glows_keep_their_size(void **state) {
    (void)state;
    static const double angles[3] = {0, 0, 0};
    const scenery glow = {"0 0 0", "3", "0", "8"}, plain = {"0 0 0", "3", "14", "2"};
    for (int i = 0; i < 2; i++) {
        double away = i == 0 ? 50 : 100;
        const bsp_view view = {.width = SIDE,
                               .height = SIDE,
                               .from = {128, 150 - (float)away, 60},
                               .angles = {0, 90, 0}};
        check(2, &glow, angles, 8 * HALF * away / 200, &view);
        check(2, &plain, angles, 2 * HALF, &view);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(turn_as_their_type_says),
                                       cmocka_unit_test(glows_keep_their_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
