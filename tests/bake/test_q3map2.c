// SPDX-License-Identifier: MIT
// What q3map2 was told, by the command line in a map; and what eight places have of a polygon that
// shines: the same bits by the functions for any processor and those for this one, and what the
// formula for one place gives. Pieces and polygons of what hostile maps and shaders have.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/base/q3map2_told.h"
#include "bake/light/bounce/shining.h"
#include "bake/light/bounce/shreds.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/faces/piece.h"
#include "bake/light/lamps/polygons.h"
#include "core/vector.h"
#include "support/random.h"

#include <bspkit/entities.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 20000u
#define TURN 6.2831853f

// --- the command line ---------------------------------------------------------------------------

// `deluxe`: the map has directions of light.
static void read_line_of(const char *line, bool deluxe, bspi_q3map2_told *out) {
    char text[512];
    (void)snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" \"_q3map2_cmdline\" \"%s\" }",
                   line);
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(entities);
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    assert_true(bspi_q3map2_told_read(&heap, &entities->list[0], deluxe, out, NULL));
    bsp_entities_free(entities);
}

static void read_line(const char *line, bspi_q3map2_told *out) {
    read_line_of(line, false, out);
}

static bool is(float value, float wanted) {
    return fabsf(value - wanted) < 1e-6f;
}

static void test_told(void **state) {
    (void)state;
    bspi_q3map2_told told;
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    assert_true(bspi_q3map2_told_read(&heap, NULL, false, &told, NULL));
    assert_true(is(told.bounces, 0) && is(told.samples, 1) && is(told.gamma, 1) && !told.fast);
    read_line("-bsp -meta; -vis -fast; -light -bounce 8 -samples 3 -DIRTY -dirtdepth 64", &told);
    assert_true(is(told.bounces, 8) && is(told.samples, 3) && told.dirt && is(told.dirt_depth, 64));
    assert_false(told.fast_bounce); // that was of another stage
    read_line("-light -bounce 2; -light -fastbounce -scale 2 -sky 0.5", &told); // the last one
    assert_true(is(told.bounces, 0) && told.fast_bounce && !told.fast && is(told.sky, 1));
    assert_true(is(told.point, 2) && is(told.spot, 2) && is(told.area, 2));
    read_line("-light -griddirectionality -bouncegrid -bouncescale 1.5 -bouncescale 2", &told);
    assert_true(is(told.bounce, 3) && is(told.grid_directionality, 1));
    read_line("-light -backsplash 0.5 -7 -border -cheap -border -shade; -bsp -gamma 2", &told);
    assert_true(is(told.backsplash, 0.5f) && is(told.backsplash_distance, -7));
    assert_true(is(told.gamma, 1) && told.shade && told.known);
    assert_int_equal(told.num_unheeded, 2); // each once
    assert_string_equal(told.unheeded[0], "-border");
    assert_string_equal(told.unheeded[1], "-cheap");
    read_line("-light -floodlight -shadeangle 60 -lightanglehl 1 -nosurf -notrace", &told);
    assert_true(told.floodlight && is(told.shade_angle, 60) && is(told.half_lambert, 1));
    assert_true(told.no_surfaces && told.no_trace && told.num_unheeded == 0);
    read_line("-light -fast -super 2 -filter", &told);
    assert_true(told.filter && is(told.super, 2) && told.num_unheeded == 0);
    read_line("-light -dark -thresh 0.5 -samples 3 -samplessearchboxsize 2", &told);
    assert_true(told.dark && is(told.thresh, 0.5f) && is(told.samples_box, 2));
    assert_int_equal(told.num_unheeded, 0);
    read_line("-light -lowquality -trianglecheck -dirtdebug", &told);
    assert_int_equal(told.num_unheeded, 3);
    read_line("", &told);
    assert_false(told.known);
    read_line("-light", &told);
    read_line("-light;;;", &told);
    read_line(" ; -light -bounce", &told);
    assert_true(is(told.bounces, 0));
    read_line("-light -sky 1e30 -sky 1e30 -scale 1e38 -bounce 1e39 -gamma nan", &told);
    assert_true(is(told.sky / 1e30f, 1) && is(told.area / 1e38f, 1)); // what is no number is passed
    assert_true(is(told.bounces, 0) && is(told.gamma, 1));
}

// What games have by themselves, and words of the sRGB curve: 0.5 of it is 0.2140 of light.
static void test_told_srgb(void **state) {
    (void)state;
    bspi_q3map2_told told;
    float color[3] = {0.5f, 1, 0.04f};
    read_line("-light -sRGB -nosRGBtex", &told);
    assert_true(told.srgb_light && told.srgb_colors && !told.srgb_textures);
    assert_true(told.num_unheeded == 0 && is(told.least, 1 / 12.92f));
    bspi_told_color(&told, color);
    assert_true(fabsf(color[0] - 0.21404f) < 1e-5f && is(color[1], 1));
    assert_true(is(color[2], 0.04f / 12.92f));
    read_line("-light -faster", &told);
    assert_true(told.faster && told.fast && told.fast_bounce && told.num_unheeded == 0);
    read_line("-light -bounce 2 -faster -bounceonly", &told);
    assert_true(told.bounce_only && told.num_unheeded == 1); // -faster of what is thrown back
    read_line("-light -sRGBlight -nosRGB", &told);
    assert_true(!told.srgb_light && is(told.least, 1));
    read_line_of("-light -fast", true, &told); // Xonotic
    assert_true(told.srgb_light && told.srgb_colors && told.srgb_textures && told.patch_shadows);
    assert_true(told.no_styles && told.fast);
    read_line_of("-light -nosRGBlight", true, &told);
    assert_true(!told.srgb_light && told.srgb_colors);
    read_line_of("-light -deluxe", true, &told); // asked for
    assert_false(told.srgb_light || told.srgb_colors || told.patch_shadows);
}

// Words are looked for in a table, and a map may have as many as it likes.
static void test_told_paid(void **state) {
    (void)state;
    enum { WORDS = 100000 };
    static const char before[] = "{ \"classname\" \"worldspawn\" \"_q3map2_cmdline\" \"-light";
    size_t size = sizeof before - 1 + 2 * WORDS + 3;
    char *text = malloc(size);
    bsp_error error;
    assert_non_null(text);
    memcpy(text, before, sizeof before - 1);
    for (size_t n = 0; n < WORDS; n++) {
        memcpy(text + sizeof before - 1 + 2 * n, " x", 2);
    }
    memcpy(text + size - 3, "\" }", 3);
    bsp_entities *entities = bsp_entities_parse((bsp_text){text, size}, NULL, NULL, NULL);
    assert_non_null(entities);
    for (uint64_t work = WORDS; work <= 1000 * (uint64_t)WORDS; work *= 1000) {
        const bsp_limits limits = {.work = work};
        bsp_budget *budget = bsp_budget_new(&limits, NULL);
        bspi_q3map2_told told;
        bspi_heap heap;
        assert_non_null(budget);
        bspi_heap_init_for(&heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
        bool done = bspi_q3map2_told_read(&heap, &entities->list[0], false, &told, &error);
        assert_int_equal(done, work > WORDS);
        assert_true(done || error.code == BSP_E_LIMIT);
        bsp_budget_free(budget);
    }
    bsp_entities_free(entities);
    free(text);
}

// --- polygons -----------------------------------------------------------------------------------

// A square of 64 units that gives as a point has a quarter of its value, here 4, times 64 * 64 for
// each square unit of distance, on a surface by both cosines.
static void test_faster(void **state) {
    (void)state;
    const bspi_lamp lamp = {.light = 3, .area = 4096, .reach = 200, .direction = {0, 0, 1}};
    const float down[3] = {0, 0, -1};
    const float up[3] = {0, 0, 1};
    const float above[3] = {0, 0, 128};
    const float aside[3] = {128, 0, 128};
    const float below[3] = {0, 0, -64};
    const float near[3] = {0, 0, 8};
    const float far[3] = {0, 0, 201};
    assert_true(is(bspi_polygon_at(&lamp, above, down, false), 0.25f));
    assert_true(is(bspi_polygon_at(&lamp, above, up, false), 0));
    assert_true(is(bspi_polygon_at(&lamp, above, up, true), 0.25f));
    assert_true(is(bspi_polygon_at(&lamp, aside, down, false), 0.0625f));
    assert_true(is(bspi_polygon_at(&lamp, below, up, false), 0));   // its back
    assert_true(is(bspi_polygon_at(&lamp, near, down, false), 16)); // no nearer than 16 units
    assert_true(is(bspi_polygon_at(&lamp, far, down, false), 0));
    assert_true(is(bspi_polygon_in_space(&lamp, aside, down), 0.125f));
    assert_true(is(bspi_polygon_in_space(&lamp, below, up), 1));
}

// Makes a polygon in the plane z = 0 that shines upwards.
static void make_shining(test_random *random, float (*corners)[3], bspi_shining *out) {
    uint32_t count = 3 + random_u32(random) % 4;
    memset(out, 0, sizeof *out);
    for (uint32_t n = 0; n < count; n++) { // clockwise from above
        float turn = -TURN * ((float)n + 0.4f * fabsf(random_unit(random))) / (float)count;
        corners[n][0] = 100 * cosf(turn);
        corners[n][1] = 100 * sinf(turn);
        corners[n][2] = 0;
    }
    out->corners = (const float(*)[3])corners;
    out->count = count;
    out->normal[2] = 1;
    out->dist = 1;
    out->origin[2] = 1;
    out->value = 140;
    out->gate = random_u32(random) % 2 == 0 ? 1 : 0;
    out->reach = random_u32(random) % 2 == 0 ? 400 : INFINITY;
    out->two_sided = random_u32(random) % 4 == 0;
}

static void make_places(test_random *random, bspi_lamp_places *out) {
    out->count = 1 + random_u32(random) % BSPI_LAMP_PLACES;
    for (uint32_t n = 0; n < BSPI_LAMP_PLACES; n++) {
        float normal[3];
        random_way(random, normal);
        for (int i = 0; i < 3; i++) {
            out->point[i][n] = 300 * random_unit(random);
            out->normal[i][n] = normal[i];
        }
        out->place[n] = n;
    }
}

static float expected(const bspi_shining *s, const float at[3], const float normal[3]) {
    float before = at[2] - s->dist;
    const float pushed[3] = {at[0], at[1], at[2] + (fabsf(before) < 8 ? 8 - before : 0)};
    return bspi_piece_view(s->corners, s->count, pushed, normal) / TURN;
}

static void test_shining(void **state) {
    (void)state;
    test_random random = {1};
    uint32_t lit = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        float corners[8][3];
        bspi_shining s;
        bspi_lamp_places places;
        float shares[2][BSPI_LAMP_PLACES] = {{0}};
        uint32_t backs[2];
        bool both = random_u32(&random) % 4 == 0;
        make_shining(&random, corners, &s);
        make_places(&random, &places);
        uint32_t open = bspi_shining_eight_base(&s, &places, both, shares[0], &backs[0]);
        assert_int_equal(open, bspi_shining_eight_here()(&s, &places, both, shares[1], &backs[1]));
        assert_int_equal(backs[0], backs[1]);
        assert_memory_equal(shares[0], shares[1], sizeof shares[0]);
        for (uint32_t n = 0; n < places.count; n++) {
            const float at[3] = {places.point[0][n], places.point[1][n], places.point[2][n]};
            const float normal[3] = {places.normal[0][n], places.normal[1][n], places.normal[2][n]};
            if ((open >> n & 1) == 0) {
                continue;
            }
            lit++;
            float share = expected(&s, at, normal);
            assert_true(share >= -1e-4f || both || s.two_sided);
            assert_true(fabsf(fabsf(share) - shares[0][n]) < 2e-4f);
            assert_true(shares[0][n] * s.value > s.gate);
        }
    }
    print_message("%u places lit\n", (unsigned)lit);
    assert_true(lit > ROUNDS);
}

static void test_sums(void **state) {
    (void)state;
    test_random random = {2};
    uint16_t shares[4 * BSPI_LAMP_PLACES];
    float sums[2][4][3][BSPI_LAMP_PLACES];
    const float color[3] = {0.25f, 1, 3};
    for (size_t n = 0; n < sizeof shares / sizeof *shares; n++) {
        shares[n] = (uint16_t)random_u32(&random);
    }
    memset(sums, 0, sizeof sums);
    bspi_shining_add_base(shares, 4, color, sums[0]);
    bspi_shining_add_here()(shares, 4, color, sums[1]);
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    assert_true(is(sums[0][3][1][7], (float)shares[31]));
}

// --- pieces -------------------------------------------------------------------------------------

// Cuts a triangle with those corners whose light differs, with so much work; `first`: of its
// luxels, or NULL. Returns how many pieces there are of it in the end, or BSP_NONE if the work is
// too little to look at their light.
static uint32_t cut_triangle(const bsp_draw_vert verts[3], const float *first, float chop,
                             uint64_t work) {
    static const uint32_t indices[3] = {0, 1, 2};
    static const float rgb[3][3] = {{0, 0, 0}, {500, 500, 500}, {0, 0, 0}};
    const bsp_face face = {.type = BSP_FACE_MESH, .num_verts = 3, .num_indices = 3};
    const bsp_face_light page = {.page = {-1, -1, -1, -1}};
    const bsp_map map = {.faces = &face,
                         .num_faces = 1,
                         .face_lights = &page,
                         .num_face_lights = 1,
                         .draw_verts = verts,
                         .num_draw_verts = 3,
                         .draw_indices = indices,
                         .num_draw_indices = 3};
    const bsp_relight_options options = {.force = true};
    uint32_t model = 0;
    bspi_lit_model world = {.origin = {0, 0, 0}};
    bspi_drawn drawn = {.num_pages = 0};
    bspi_relight own = {
        .map = &map, .options = &options, .drawn = &drawn, .models = &world, .face_models = &model};
    bspi_shreds shreds = {.count = 0};
    const bspi_shred_light light = {
        .rgb = rgb, .width = 3, .height = 1, .first = first, .color_ratio = 1};
    const bsp_limits limits = {.work = work};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bsp_error error;
    assert_non_null(budget);
    bspi_heap_init_for(&own.heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
    assert_true(bspi_shreds_make(&own, 0, chop, &shreds, &error));
    bool done = bspi_shreds_throw(&own, &shreds, &light, &error);
    uint32_t count = shreds.count;
    bspi_shreds_free(&own, &shreds);
    bsp_budget_free(budget);
    assert_true(done || error.code == BSP_E_LIMIT);
    return done ? count : BSP_NONE;
}

// A shader may say any number; a piece that is never small enough is not halved for ever.
static void test_shreds(void **state) {
    (void)state;
    static const bsp_draw_vert verts[3] = {{.point = {0, 0, 0}, .normal = {0, 0, 1}},
                                           {.point = {0, 256, 0}, .normal = {0, 0, 1}},
                                           {.point = {256, 0, 0}, .normal = {0, 0, 1}}};
    assert_true(cut_triangle(verts, NULL, 256, 100000) > 1);
    assert_in_range(cut_triangle(verts, NULL, 3e38f, 100000), 2, 100);
    assert_in_range(cut_triangle(verts, NULL, INFINITY, 100000), 2, 100);
}

// The light of a piece is that of 125 luxels on it, which are paid for one by one.
static void test_places_paid(void **state) {
    (void)state;
    static const bsp_draw_vert verts[3] = {{.point = {0, 0, 0}, .normal = {0, 0, 1}},
                                           {.point = {0, 64, 0}, .normal = {0, 0, 1}},
                                           {.point = {64, 0, 0}, .normal = {0, 0, 1}}};
    static const float first[2] = {0, 0};
    assert_int_equal(cut_triangle(verts, first, 64, 100), BSP_NONE);
    assert_int_equal(cut_triangle(verts, first, 64, 200), 1);
}

// However long a triangle without area is, it is not cut: it throws no light back, nor gives any.
static void test_slivers(void **state) {
    (void)state;
    static const bsp_draw_vert verts[3] = {{.point = {0, 0, 0}, .normal = {0, 0, 1}},
                                           {.point = {1e9f, 0, 0}, .normal = {0, 0, 1}},
                                           {.point = {2e9f, 0, 0}, .normal = {0, 0, 1}}};
    const bspi_polygon_rules rules = {.value = 100, .chop = 64};
    const bspi_lamp lamp = {.emits = 1};
    const bsp_limits limits = {.work = 100};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bspi_relight own = {.num_lamps = 0};
    bspi_triangle sliver;
    bsp_error error;
    for (int n = 0; n < 3; n++) {
        memcpy(sliver.points[n], verts[n].point, sizeof sliver.points[n]);
        memcpy(sliver.normals[n], verts[n].normal, sizeof sliver.normals[n]);
    }
    assert_int_equal(cut_triangle(verts, NULL, 256, 100), 0);
    assert_non_null(budget);
    bspi_heap_init_for(&own.heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
    assert_true(bspi_polygons_add(&own, &sliver, &lamp, &rules, &error));
    assert_int_equal(own.num_lamps, 0);
    bsp_budget_free(budget);
}

// --- solid --------------------------------------------------------------------------------------

// Both sides of each node are the next one, and a point lies in all planes: 2^60 ways, all of which
// end in solid.
static void test_shared_nodes(void **state) {
    (void)state;
    enum { NODES = 60 };
    const bsp_plane plane = {.normal = {0, 0, 1}};
    const bsp_leaf solid = {.cluster = BSP_NONE};
    bsp_node nodes[NODES];
    memset(nodes, 0, sizeof nodes);
    for (int32_t i = 0; i < NODES; i++) {
        nodes[i].children[0] = nodes[i].children[1] = i + 1 < NODES ? i + 1 : -1;
    }
    const bsp_map map = {.planes = &plane,
                         .num_planes = 1,
                         .nodes = nodes,
                         .num_nodes = NODES,
                         .leaves = &solid,
                         .num_leaves = 1};
    bspi_relight own = {.map = &map};
    const float point[3] = {0, 0, 0};
    assert_true(bspi_drawn_solid(&own, point));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),    cmocka_unit_test(test_told_paid),
        cmocka_unit_test(test_faster),  cmocka_unit_test(test_told_srgb),
        cmocka_unit_test(test_shining), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_shreds),  cmocka_unit_test(test_places_paid),
        cmocka_unit_test(test_slivers), cmocka_unit_test(test_shared_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
