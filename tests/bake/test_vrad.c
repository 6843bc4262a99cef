// SPDX-License-Identifier: MIT
// What pieces of surfaces take of each other by the rules of vrad. The figures are worked out by
// hand: far ones give area * cosines / distance^2, near ones half the sum over their edges of the
// angle, by its sine, times the cosine of the edge's plane.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/vrad/vrad.h"
#include "support/room.h"

static const bspi_vrad_patch floor_patch = {.normal = {0, 0, 1}};

// A square ceiling of 16 units, 200 above: 256 * 1 * 1 / 40000.
static void test_far(void **state) {
    (void)state;
    static const float corners[4][3] = {{-8, -8, 200}, {8, -8, 200}, {8, 8, 200}, {-8, 8, 200}};
    bspi_vrad_patch from = {.corners = corners,
                            .num_corners = 4,
                            .area = 256,
                            .middle = {0, 0, 200},
                            .normal = {0, 0, -1}};
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 0.0064f, 1e-6f);
    from.normal[2] = 1; // turned away
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 0, 1e-6f);
}

// One of 64 units, 16 above: each corner is at (2, 2, 1) / 3. The sine between two is sqrt(80) / 9,
// whose angle is 1.45946, and their plane leans by 8 / sqrt(80): half of four times 1.30539.
static void test_near(void **state) {
    (void)state;
    static const float corners[4][3] = {{-32, -32, 16}, {32, -32, 16}, {32, 32, 16}, {-32, 32, 16}};
    static const float turned[4][3] = {{-32, 32, 16}, {32, 32, 16}, {32, -32, 16}, {-32, -32, 16}};
    bspi_vrad_patch from = {.corners = corners,
                            .num_corners = 4,
                            .area = 4096,
                            .middle = {0, 0, 16},
                            .normal = {0, 0, -1}};
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 2.61078f, 1e-4f);
    from.corners = turned; // which way round they are listed does not matter
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 2.61078f, 1e-4f);
}

// A wall that is 64 wide and 34 high, two units beside a place at its foot. Its lower edge fills
// 172.8 degrees, whose sine is 0.124514: vrad takes an angle of 0.124838 for it. The upper one has
// a sine of 0.998061, an angle of 1.508507 and leans by 0.058722: 0.088583. The edges beside do not
// count. Half of the difference is left; what it truly fills is 1.464.
static void test_beside(void **state) {
    (void)state;
    static const float corners[4][3] = {{-32, 2, 0}, {32, 2, 0}, {32, 2, 34}, {-32, 2, 34}};
    const bspi_vrad_patch from = {.corners = corners,
                                  .num_corners = 4,
                                  .area = 64 * 34,
                                  .middle = {0, 2, 17},
                                  .normal = {0, -1, 0}};
    assert_float_equal(bspi_vrad_share_of(&floor_patch, &from), 0.018127f, 1e-4f);
}

// A piece without a normal map beside a face that has one: a flat wall's even light is that of each
// direction by its cosine, 1 / sqrt(3).
static void test_without_directions(void **state) {
    (void)state;
    static const float corners[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    room *r = room_build(bsp_branch_find("source_20"));
    r->faces[0].num_edges = 0; // nothing is beside it
    r->faces[0].texinfo = 0;
    r->texinfos[0] = (bsp_texinfo){.light = {{1, 0, 0, 0}, {0, 1, 0, 0}}};
    const bsp_face_light light = {.size = {2, 2}};
    bsp_relight_face face = {.width = 2, .height = 2, .directions = 4};
    uint32_t model = 0;
    bspi_lit_model models[1] = {{.shades = false}};
    bspi_relight own = {.map = &r->map,
                        .source = {.map = &r->map, .lights = &light, .num_lights = 1},
                        .models = models,
                        .face_models = &model,
                        .faces = &face};
    bspi_vrad_patch patch = {.halves = {BSP_NONE, BSP_NONE},
                             .corners = corners,
                             .num_corners = 4,
                             .middle = {1, 1, 0},
                             .directions = 1,
                             .taken = {{6, 3, 1}}};
    uint32_t firsts[2] = {0, 1};
    const bspi_vrad v = {.own = &own, .patches = &patch, .num_patches = 1, .firsts = firsts};
    float out[16][3];
    bspi_heap_init(&own.heap, NULL, SIZE_MAX);
    assert_true(bspi_vrad_mix(&v, 0, out, NULL));
    for (int n = 0; n < 16; n++) {
        assert_float_equal(out[n][0], n < 4 ? 6 : 3.464102f, 1e-5f);
        assert_float_equal(out[n][2], n < 4 ? 1 : 0.577350f, 1e-5f);
    }
    room_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_without_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
