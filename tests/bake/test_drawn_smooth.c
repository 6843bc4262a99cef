// SPDX-License-Identifier: MIT
// Round surfaces by the rules of q3map2 (-shadeangle): two squares of a box that meet at an edge,
// one above and one to the east, whose normals there become the mean of both.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/drawn/drawn.h"

#include <math.h>
#include <string.h>

#define HALF 0.70710678f // of a square's diagonal: (0, 0, 1) and (1, 0, 0) turn to this, twice

static const bsp_draw_vert verts[8] = {
    {.point = {0, 0, 64}, .normal = {0, 0, 1}},   {.point = {64, 0, 64}, .normal = {0, 0, 1}},
    {.point = {64, 64, 64}, .normal = {0, 0, 1}}, {.point = {0, 64, 64}, .normal = {0, 0, 1}},
    {.point = {64, 0, 64}, .normal = {1, 0, 0}},  {.point = {64, 0, 0}, .normal = {1, 0, 0}},
    {.point = {64, 64, 0}, .normal = {1, 0, 0}},  {.point = {64, 64, 64}, .normal = {1, 0, 0}}};

// Makes surfaces of that type round. Returns the normals, which are valid until the next call.
static const float (*smooth(bsp_face_type second, float degrees))[3] {
    static float out[8][3];
    const bsp_face faces[2] = {{.type = BSP_FACE_POLYGON, .first_vert = 0, .num_verts = 4},
                               {.type = second, .first_vert = 4, .num_verts = 4}};
    bspi_lit_model model = {.entity = NULL};
    uint32_t of[2] = {0, 0};
    bspi_drawn drawn = {.faces = NULL};
    bspi_relight own = {.models = &model, .face_models = of, .drawn = &drawn};
    bsp_map map = {0};
    map.faces = faces;
    map.num_faces = 2;
    map.draw_verts = verts;
    map.num_draw_verts = 8;
    own.map = &map;
    bspi_heap_init(&own.heap, NULL, 0);
    bspi_arena_init(&own.arena, &own.heap);
    assert_true(bspi_drawn_smooth(&own, degrees, NULL));
    for (uint32_t n = 0; n < 8; n++) {
        memcpy(out[n], drawn.normals != NULL ? drawn.normals[n] : verts[n].normal, sizeof out[n]);
    }
    bspi_arena_free(&own.arena);
    return (const float(*)[3])out;
}

static bool is(const float normal[3], float x, float z) {
    return fabsf(normal[0] - x) < 1e-5f && normal[1] == 0 && fabsf(normal[2] - z) < 1e-5f;
}

static void test_edge(void **state) {
    (void)state;
    const float(*normals)[3] = smooth(BSP_FACE_POLYGON, 91);
    for (uint32_t n = 0; n < 8; n++) {
        bool edge = verts[n].point[0] == 64 && verts[n].point[2] == 64;
        assert_true(edge ? is(normals[n], HALF, HALF)
                         : is(normals[n], verts[n].normal[0], verts[n].normal[2]));
    }
}

// An edge that is not less than the angle stays, and so do models and all without an angle.
static void test_stays(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 8; n++) {
        assert_true(is(smooth(BSP_FACE_POLYGON, 90)[n], verts[n].normal[0], verts[n].normal[2]));
        assert_true(is(smooth(BSP_FACE_MESH, 91)[n], verts[n].normal[0], verts[n].normal[2]));
        assert_true(is(smooth(BSP_FACE_POLYGON, 0)[n], verts[n].normal[0], verts[n].normal[2]));
    }
}

// Faces that all name the same vertices, which are nowhere, are paid one by one: a million of work.
static void test_shared(void **state) {
    (void)state;
    enum { FACES = 2000, VERTS = 1000 };
    static bsp_draw_vert nowhere[VERTS];
    static bsp_face faces[FACES];
    static uint32_t of[FACES];
    bspi_lit_model model = {.entity = NULL};
    bspi_drawn drawn = {.faces = NULL};
    bspi_relight own = {.models = &model, .face_models = of, .drawn = &drawn};
    bsp_limits limits = {.work = 1000000};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bsp_error error;
    bsp_map map = {0};
    for (uint32_t n = 0; n < VERTS; n++) {
        nowhere[n].point[0] = NAN;
    }
    for (uint32_t f = 0; f < FACES; f++) {
        faces[f] = (bsp_face){.type = BSP_FACE_POLYGON, .num_verts = VERTS};
    }
    map.faces = faces;
    map.num_faces = FACES;
    map.draw_verts = nowhere;
    map.num_draw_verts = VERTS;
    own.map = &map;
    bspi_heap_init_for(&own.heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
    bspi_arena_init(&own.arena, &own.heap);
    assert_false(bspi_drawn_smooth(&own, 91, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bspi_arena_free(&own.arena);
    bsp_budget_free(budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edge), cmocka_unit_test(test_stays),
                                       cmocka_unit_test(test_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
