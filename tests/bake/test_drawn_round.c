// SPDX-License-Identifier: MIT
// The normals of luxels of a round surface: the top of a pillar with six sides. q3map2 (10165e88)
// made its vertices round by q3map_shadeAngle 100, and wrote the normals with -normalmap.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/places/places.h"

#include "bake/light/drawn/drawn.h"

#include <math.h>
#include <string.h>

#define PAGE 128.0f
#define WIDTH 6u // a column and a row more than the surface: they lie beside it
#define HEIGHT 7u

static const bsp_draw_vert verts[6] = {{.point = {215, 430, 240},
                                        .normal = {-0.74879259f, -0.43454123f, 0.50048333f},
                                        .light_uv = {{63.5f / PAGE, 1.75f / PAGE}}},
                                       {.point = {285, 430, 240},
                                        .normal = {0.74879259f, -0.43454123f, 0.50048333f},
                                        .light_uv = {{67.875f / PAGE, 1.75f / PAGE}}},
                                       {.point = {250, 410, 240},
                                        .normal = {0, -0.86657822f, 0.49904123f},
                                        .light_uv = {{65.6875f / PAGE, 0.5f / PAGE}}},
                                       {.point = {215, 470, 240},
                                        .normal = {-0.74879259f, 0.43454123f, 0.50048333f},
                                        .light_uv = {{63.5f / PAGE, 4.25f / PAGE}}},
                                       {.point = {285, 470, 240},
                                        .normal = {0.74879259f, 0.43454123f, 0.50048333f},
                                        .light_uv = {{67.875f / PAGE, 4.25f / PAGE}}},
                                       {.point = {250, 490, 240},
                                        .normal = {0, 0.86657822f, 0.49904123f},
                                        .light_uv = {{65.6875f / PAGE, 5.5f / PAGE}}}};
static const uint32_t indices[12] = {0, 1, 2, 3, 1, 0, 3, 4, 1, 5, 4, 3};

// Its luxels on the page of -normalmap: (normal + 1) * 127.5. Nothing was measured in the last
// row's first and last ones: they are the means of those around them.
static const uint8_t expected[HEIGHT][WIDTH][3] = {
    {{46, 62, 200}, {79, 42, 209}, {123, 22, 199}, {154, 23, 196}, {178, 41, 207}, {210, 63, 200}},
    {{32, 72, 191}, {61, 54, 208}, {110, 42, 220}, {164, 45, 218}, {210, 63, 200}, {216, 79, 205}},
    {{28, 96, 201},
     {61, 102, 233},
     {115, 85, 247},
     {167, 97, 244},
     {221, 97, 208},
     {221, 101, 210}},
    {{24, 146, 200},
     {57, 148, 232},
     {117, 158, 250},
     {170, 155, 244},
     {220, 147, 212},
     {221, 146, 211}},
    {{32, 182, 191},
     {61, 200, 208},
     {112, 213, 220},
     {164, 209, 218},
     {208, 192, 201},
     {216, 170, 208}},
    {{46, 192, 200},
     {78, 212, 208},
     {116, 233, 197},
     {154, 231, 196},
     {177, 213, 207},
     {208, 192, 201}},
    {{80, 212, 202},
     {116, 233, 197},
     {135, 233, 197},
     {135, 233, 197},
     {154, 231, 196},
     {180, 212, 201}}};

static void test_top(void **state) {
    (void)state;
    const bsp_face face = {.type = BSP_FACE_POLYGON, .num_verts = 6, .num_indices = 12};
    const bsp_face_light light = {.page = {0}, .vecs = {{0}, {0}, {0, 0, 1}}};
    const bsp_leaf leaf = {.cluster = 0};
    const bsp_relight_options options = {.extra = 1};
    bspi_lit_model model = {.entity = NULL};
    uint32_t of[1] = {0};
    bspi_drawn_page page = {.width = 128, .height = 128};
    bspi_drawn_face drawn_face = {.count = 0};
    bspi_drawn drawn = {.faces = &drawn_face, .pages = &page, .num_pages = 1};
    bspi_relight own = {.models = &model, .face_models = of, .drawn = &drawn, .options = &options};
    const bsp_branch *branch = bsp_branch_find("quake3");
    bsp_map map = {.branch = branch,
                   .traits = bsp_branch_traits(branch),
                   .faces = &face,
                   .num_faces = 1,
                   .face_lights = &light,
                   .num_face_lights = 1,
                   .draw_verts = verts,
                   .num_draw_verts = 6,
                   .draw_indices = indices,
                   .num_draw_indices = 12,
                   .leaves = &leaf,
                   .num_leaves = 1};
    bspi_places places;
    own.map = &map;
    bspi_heap_init(&own.heap, NULL, 0);
    assert_true(bspi_drawn_places(&own, 0, 1, &places, NULL));
    assert_true(places.width == WIDTH && places.height == HEIGHT);
    for (uint32_t n = 0; n < places.count; n++) {
        bool beside = n == (HEIGHT - 1) * WIDTH || n == HEIGHT * WIDTH - 1;
        assert_true(places.lit[n] == !beside);
        for (int i = 0; i < 3 && !beside; i++) {
            float byte = (places.normals[n][i] + 1) * 127.5f;
            assert_true(fabsf(byte - (float)expected[n / WIDTH][n % WIDTH][i]) <= 1);
        }
    }
    assert_false(places.hill); // light from below the plane does not fall on it
    assert_true(places.normal[2] == 1);
    assert_int_equal(places.seam, 0);
    bspi_heap_free(&own.heap, drawn_face.inside, drawn_face.count);
    bspi_places_free(&own, &places);
    drawn_face = (bspi_drawn_face){.count = 0};
    drawn.told.dark = true; // what is filled is weaker: test_gather_fill
    assert_true(bspi_drawn_places(&own, 0, 1, &places, NULL));
    assert_int_equal(places.seam, 2);
    bspi_heap_free(&own.heap, drawn_face.inside, drawn_face.count);
    bspi_places_free(&own, &places);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_top)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
