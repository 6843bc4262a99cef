// SPDX-License-Identifier: MIT
// Surfaces of Quake 3 that have their luxels in one piece: flat ones of a plane and a model that
// touch. q3map2 lays luxels every 16 units from the least corner of all of them on, half a luxel
// from the edge of the rectangle, which has one more of them than 16 units along each axis.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/places/places.h"

#include "bake/light/drawn/drawn.h"

#include <math.h>

#define FACES 5u
#define SIDE 32.0f
#define LUXEL 16.0f
#define PAGE 128.0f

typedef struct scene {
    bsp_draw_vert verts[4 * FACES];
    bsp_face faces[FACES];
    bsp_face_light lights[FACES];
    uint32_t models[FACES];
    bspi_lit_model lit[2];
    bspi_drawn_page page;
    bspi_drawn_face drawn_faces[FACES];
    bspi_drawn drawn;
    bsp_leaf leaf;
    bsp_relight_options options;
    bsp_map map;
    bspi_relight own;
} scene;

// Squares on the ground: two that touch, one beside a gap, one of another model, and one above, all
// of which go on in the same luxels.
static void make(scene *s) {
    static const float places[FACES] = {0, 32, 96, 64, 64};
    static const uint32_t models[FACES] = {0, 0, 0, 1, 0};
    static const uint32_t indices[6] = {0, 1, 2, 2, 3, 0};
    const bsp_branch *branch = bsp_branch_find("quake3");
    *s = (scene){.page = {.width = 128, .height = 128}};
    for (uint32_t f = 0; f < FACES; f++) {
        for (uint32_t n = 0; n < 4; n++) {
            bsp_draw_vert *v = &s->verts[4 * f + n];
            v->point[0] = places[f] + ((n == 1 || n == 2) ? SIDE : 0);
            v->point[1] = n >= 2 ? SIDE : 0;
            v->point[2] = f == 4 ? 8 : 0;
            v->normal[2] = 1;
            v->light_uv[0][0] = (v->point[0] / LUXEL + 0.5f) / PAGE;
            v->light_uv[0][1] = (v->point[1] / LUXEL + 0.5f) / PAGE;
        }
        s->faces[f] = (bsp_face){
            .type = BSP_FACE_POLYGON, .first_vert = 4 * f, .num_verts = 4, .num_indices = 6};
        s->lights[f].vecs[2][2] = 1;
        s->models[f] = models[f];
    }
    s->options.extra = 1;
    s->drawn = (bspi_drawn){.faces = s->drawn_faces, .pages = &s->page, .num_pages = 1};
    s->map.branch = branch;
    s->map.traits = bsp_branch_traits(branch);
    s->map.faces = s->faces;
    s->map.num_faces = FACES;
    s->map.face_lights = s->lights;
    s->map.num_face_lights = FACES;
    s->map.draw_verts = s->verts;
    s->map.num_draw_verts = 4 * FACES;
    s->map.draw_indices = indices;
    s->map.num_draw_indices = 6;
    s->map.leaves = &s->leaf;
    s->map.num_leaves = 1;
    s->own.map = &s->map;
    s->own.models = s->lit;
    s->own.face_models = s->models;
    s->own.drawn = &s->drawn;
    s->own.options = &s->options;
    bspi_heap_init(&s->own.heap, NULL, 0);
    bspi_arena_init(&s->own.arena, &s->own.heap);
}

static void test_pieces(void **state) {
    (void)state;
    scene s;
    make(&s);
    assert_true(bspi_drawn_pieces_find(&s.own, NULL));
    for (uint32_t f = 0; f < FACES; f++) {
        assert_int_equal(bspi_drawn_first(&s.own, f), f == 1 ? 0 : f);
        assert_int_equal(bspi_drawn_next(&s.own, f), f == 0 ? 1 : BSP_NONE);
    }
    bspi_arena_free(&s.own.arena);
}

// The first one has the places of both, where the other one goes on, too.
static void test_places(void **state) {
    (void)state;
    scene s;
    bspi_places places;
    make(&s);
    assert_true(bspi_drawn_pieces_find(&s.own, NULL));
    assert_true(bspi_drawn_places(&s.own, 1, 1, &places, NULL));
    assert_int_equal(places.count, 0);
    assert_true(bspi_drawn_places(&s.own, 0, 1, &places, NULL));
    assert_true(places.width == 5 && places.height == 3);
    for (uint32_t n = 0; n < places.count; n++) {
        assert_true(places.lit[n]);
        assert_true(fabsf(places.points[n][0] - LUXEL * (float)(n % 5)) < 1e-3f);
        assert_true(fabsf(places.points[n][1] - LUXEL * (float)(n / 5)) < 1e-3f);
    }
    bspi_heap_free(&s.own.heap, s.drawn_faces[0].inside, s.drawn_faces[0].count);
    bspi_places_free(&s.own, &places);
    bspi_arena_free(&s.own.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces),
                                       cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
