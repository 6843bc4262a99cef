// SPDX-License-Identifier: MIT
// Places on a displacement: at vertices, on the diagonal of a cell, on each of its two triangles,
// and beyond the edges. The heights are chosen so that the four corners of a cell lie on no plane.
#include "mesh/disp_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SIDE 5u

// Odd vertices are 8 high: the diagonal of an even cell lies at 0, that of an odd one too.
static void make(float points[SIDE * SIDE][3]) {
    for (uint32_t n = 0; n < SIDE * SIDE; n++) {
        points[n][0] = (float)(n % SIDE) * 16;
        points[n][1] = (float)(n / SIDE) * 32;
        points[n][2] = (float)(n % 2 * 8);
    }
}

static void places_lie_on_triangles(void **state) {
    (void)state;
    static const struct {
        float x, y, height;
    } rows[] = {
        {0, 0, 0},         {1, 0, 8},         {4, 4, 0},         {4, 3, 8},
        {0.5F, 0.5F, 0},   {1.5F, 0.5F, 0},   {0.5F, 1.5F, 0},   {1.5F, 1.5F, 0},
        {0.75F, 0.25F, 4}, {0.25F, 0.75F, 4}, {1.25F, 0.25F, 4}, {1.75F, 0.75F, 4},
        {3.75F, 3.5F, 2},  {2.5F, 0, 4},      {4, 0.25F, 2},
    };
    float points[SIDE * SIDE][3];
    make(points);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float out[3];
        bspi_disp_at((const float(*)[3])points, SIDE, rows[i].x, rows[i].y, out);
        assert_true(out[0] == rows[i].x * 16 && out[1] == rows[i].y * 32);
        assert_true(out[2] == rows[i].height);
    }
}

static void beyond_the_edges_is_the_edge(void **state) {
    (void)state;
    float points[SIDE * SIDE][3];
    float out[3];
    make(points);
    bspi_disp_at((const float(*)[3])points, SIDE, -2, 9, out);
    assert_true(out[0] == 0 && out[1] == 128 && out[2] == 0);
    bspi_disp_at((const float(*)[3])points, SIDE, 9, 1, out);
    assert_true(out[0] == 64 && out[1] == 32 && out[2] == 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_lie_on_triangles),
        cmocka_unit_test(beyond_the_edges_is_the_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
