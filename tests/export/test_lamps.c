// SPDX-License-Identifier: MIT
// The lamps of a map: which there are, and how strong each is, worked out by hand from the formulas
// of the compilers.
#include "bspkit/export.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

#define TEXT(word)                                                                                 \
    { word, sizeof word - 1 }
#define PAIR(key, value)                                                                           \
    { TEXT(key), TEXT(value) }
#define ENTITY(list_)                                                                              \
    { .pairs = (list_), .num_pairs = sizeof(list_) / sizeof *(list_) }

static bsp_lamps *find(const char *branch, const bsp_entity *list, uint32_t count, uint32_t parts,
                       bsp_error *error) {
    const bsp_entities entities = {.list = list, .count = count};
    const bsp_branch *of = bsp_branch_find(branch);
    bsp_map map = {
        .branch = of, .traits = bsp_branch_traits(of), .loaded = parts, .entities = &entities};
    return bsp_lamps_find(&map, NULL, error);
}

static void near(double got, double wanted) {
    if (fabs(got - wanted) > 1e-5 * fabs(wanted)) {
        fail_msg("%g instead of %g", got, wanted);
    }
}

// A light of 300 units is 150 bright half way; 128 is full white, and bytes have a gamma of 2.2. A
// spot looks at its target.
static void test_quake(void **state) {
    (void)state;
    static const bsp_pair world[] = {PAIR("classname", "worldspawn"), PAIR("_sunlight", "64")};
    static const bsp_pair lamp[] = {PAIR("classname", "light"), PAIR("origin", "8 16 -24")};
    static const bsp_pair spot[] = {PAIR("classname", "light"), PAIR("light", "200"),
                                    PAIR("_color", "255 128 0"), PAIR("origin", "0 0 100"),
                                    PAIR("target", "floor")};
    static const bsp_pair target[] = {PAIR("classname", "info_null"), PAIR("targetname", "floor"),
                                      PAIR("origin", "0 0 36")};
    const bsp_entity list[] = {ENTITY(world), ENTITY(lamp), ENTITY(spot), ENTITY(target)};
    bsp_lamps *lamps = find("quake", list, 4, BSP_LOAD_ALL, NULL);
    assert_non_null(lamps);
    assert_int_equal(lamps->count, 3);
    const bsp_lamp *of = lamps->list;
    assert_int_equal(of[0].kind, BSP_LAMP_POINT);
    assert_int_equal(of[0].entity, 1);
    assert_true(of[0].origin[0] == 8 && of[0].origin[1] == 16 && of[0].origin[2] == -24);
    assert_true(of[0].range == 300 && of[0].color[2] == 1 && of[0].direction[2] == 0);
    near((double)of[0].strength, PI * pow(150.0 / 128, 2.2) * 150 * 150);
    assert_int_equal(of[1].kind, BSP_LAMP_SPOT);
    assert_true(of[1].direction[2] == -1 && of[1].color[0] == 1 && of[1].color[2] == 0);
    near((double)of[1].strength, PI * pow(100.0 / 128, 2.2) * 100 * 100);
    near((double)of[1].cone[1], 20 * PI / 180);
    assert_int_equal(of[2].kind, BSP_LAMP_SUN);
    assert_int_equal(of[2].entity, BSP_NONE);
    near((double)of[2].strength, PI * pow(0.5, 2.2));
    assert_true(of[2].direction[2] == -1);
    bsp_lamps_free(lamps);
}

// "_light" is linear at 100 units.
static void test_source(void **state) {
    (void)state;
    static const bsp_pair lamp[] = {PAIR("classname", "light"), PAIR("_light", "255 0 0 510")};
    static const bsp_pair sun[] = {PAIR("classname", "light_environment"),
                                   PAIR("_light", "255 255 255 255"), PAIR("angles", "0 90 0"),
                                   PAIR("pitch", "-30")};
    const bsp_entity list[] = {ENTITY(lamp), ENTITY(sun)};
    bsp_lamps *lamps = find("source_20", list, 2, BSP_LOAD_ALL, NULL);
    assert_non_null(lamps);
    assert_int_equal(lamps->count, 2);
    near((double)lamps->list[0].strength, PI * 2 * 100 * 100);
    assert_true(lamps->list[0].color[0] == 1 && lamps->list[0].color[1] == 0);
    assert_int_equal(lamps->list[1].kind, BSP_LAMP_SUN);
    near((double)lamps->list[1].strength, PI);
    near((double)lamps->list[1].direction[1], cos(PI / 6));
    near((double)lamps->list[1].direction[2], -0.5);
    bsp_lamps_free(lamps);
}

// 7500 photons a unit, of 255, and the engine shifts by two bits.
static void test_quake3(void **state) {
    (void)state;
    static const bsp_pair lamp[] = {PAIR("classname", "light"), PAIR("light", "100")};
    const bsp_entity list[] = {ENTITY(lamp)};
    bsp_lamps *lamps = find("quake3", list, 1, BSP_LOAD_ALL, NULL);
    assert_non_null(lamps);
    assert_int_equal(lamps->count, 1);
    near((double)lamps->list[0].strength, PI * 4 * 7500 * 100 / 255);
    bsp_lamps_free(lamps);
}

static void test_needs(void **state) {
    (void)state;
    bsp_error error;
    static const bsp_pair lamp[] = {PAIR("classname", "light")};
    const bsp_entity list[] = {ENTITY(lamp)};
    assert_null(find("quake", list, 1, BSP_LOAD_TREE, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_lamps *none = find("quake", list, 0, BSP_LOAD_ALL, NULL);
    assert_true(none != NULL && none->count == 0);
    bsp_lamps_free(none);
    bsp_lamps_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quake),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_quake3),
        cmocka_unit_test(test_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
