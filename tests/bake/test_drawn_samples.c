// SPDX-License-Identifier: MIT
// What q3map2 leaves out: faint lamps, and more than one place of a luxel but at edges of shadows.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mesh.h"
#include "support/relight.h"

#include <math.h>
#include <stdio.h>

#define SAMPLE BSP_TEST_SAMPLES "/quake3/lobby.bsp"

static const double origin[3] = {128, 192, 100};

static relit open_written(const char *path, const char *lights, const bsp_relight_options *how) {
    relit l = relit_open(path, lights, how);
    relit_write(&l);
    return l;
}

// Of many lamps at one place each is too faint to count from some way on, though all of them
// together would be seen.
static void test_faint(void **state) {
    (void)state;
    char text[16384];
    size_t size = (size_t)snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" }");
    for (int n = 0; n < 60; n++) {
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "{ \"classname\" \"light\" \"origin\" \"128 192 100\" \"light\" "
                                 "\"1\" \"spawnflags\" \"2\" }");
    }
    relit l = open_written(SAMPLE, text, &(bsp_relight_options){.direct = true});
    bsp_light_grid grid;
    uint32_t near = 0;
    assert_true(bsp_light_grid_of(l.written_map, &grid));
    for (uint32_t n = 0; n < l.written_map->num_light_grid; n++) {
        const uint32_t at[3] = {n % grid.size[0], n / grid.size[0] % grid.size[1],
                                n / grid.size[0] / grid.size[1]};
        double square = 0;
        for (int i = 0; i < 3; i++) {
            double way = origin[i] - (double)(grid.origin[i] + (float)at[i] * grid.step[i]);
            square += way * way;
        }
        int light = l.written_map->light_grid[n].directed[0][0];
        double away = sqrt(square) - 0.87 * (double)grid.step[2]; // cells in solid are moved
        assert_true(light == 0 || away < sqrt(7500.0));
        near += light > 50;
    }
    assert_true(near > 0);
    relit_close(&l);
}

// Where a luxel and those around it are all lit, or all dark, it is measured once.
static void test_samples(void **state) {
    (void)state;
    const char *text = "{ \"classname\" \"worldspawn\" }{ \"classname\" \"light\" \"origin\" "
                       "\"128 192 100\" \"light\" \"300\" }";
    relit once = open_written(SAMPLE, text, &(bsp_relight_options){.direct = true});
    relit thrice = open_written(SAMPLE, text, &(bsp_relight_options){.direct = true, .extra = 3});
    uint64_t changed = 0;
    uint64_t all = 0;
    for (uint32_t f = 0; f < once.relight->num_faces; f++) {
        const bsp_relight_face *a = &once.relight->faces[f];
        const bsp_relight_face *b = &thrice.relight->faces[f];
        uint32_t luxels = a->num_styles == 0 ? 0 : a->width * a->height;
        assert_true(a->width == b->width && a->height == b->height);
        assert_int_equal(a->num_styles, b->num_styles);
        for (uint32_t n = 0; n < luxels; n++) {
            bool dark = false;
            bool lit = false;
            for (int i = 0; i < 25; i++) {
                int x = (int)(n % a->width) + i % 5 - 2;
                int y = (int)(n / a->width) + i / 5 - 2;
                bool in = x >= 0 && y >= 0 && x < (int)a->width && y < (int)a->height;
                float light = in ? a->luxels[(size_t)y * a->width + (size_t)x][0] : 0;
                dark = dark || (in && !(light > 0));
                lit = lit || light > 0;
            }
            bool other = a->luxels[n][0] != b->luxels[n][0];
            assert_true(!other || (dark && lit));
            changed += other;
            all++;
        }
    }
    print_message("%u of %u luxels are at edges\n", (unsigned)changed, (unsigned)all);
    assert_true(changed > 100 && changed < all / 5);
    relit_close(&once);
    relit_close(&thrice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faint),
        cmocka_unit_test(test_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
