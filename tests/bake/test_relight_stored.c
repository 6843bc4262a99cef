// SPDX-License-Identifier: MIT
// What the light of a map tells of how it was made: in Quake 2 by whose rules, in Source the number
// of bounces. And of Source the key _minlight, maps without visibility, and rooms that are seen in
// the place of the sky and shade.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/edit.h"
#include "support/relight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"
#define CORPUS BSP_TEST_SHARED "/corpus/source/v20/cs-source__maps__hns_floppytown_css_fix_v1.bsp"
#define QUAKE_LIGHTS                                                                               \
    "{ \"classname\" \"worldspawn\" %s }"                                                          \
    "{ \"classname\" \"light\" \"origin\" \"128 192 100\" \"light\" \"400\" }"
#define SUN                                                                                        \
    "{ \"classname\" \"light_environment\" \"origin\" \"128 192 100\" \"angles\" \"0 60 0\" "      \
    "\"pitch\" \"-70\" \"_light\" \"255 255 255 200\" \"_ambient\" \"160 192 255 60\" }"

// Lights the map that `from` wrote, as options say or by its own light.
static bsp_relight *light_again(const relit *from, const bsp_relight_options *how) {
    bsp_error error;
    bsp_relight *made = bsp_relight_build(from->written_map, from->written, how, &error);
    assert_non_null(made);
    return made;
}

static void assert_same_light(const bsp_relight *a, const bsp_relight *b) {
    for (uint32_t i = 0; i < a->num_faces; i++) {
        const bsp_relight_face *face = &a->faces[i];
        size_t each = (size_t)face->width * face->height * face->directions * face->num_styles;
        assert_int_equal(face->num_styles, b->faces[i].num_styles);
        if (face->luxels != NULL) {
            assert_memory_equal(face->luxels, b->faces[i].luxels, each * sizeof *face->luxels);
        }
    }
}

// A map that was lit with so many bounces is lit so again, without being told.
static void test_bounces(void **state) {
    (void)state;
    const bsp_relight_options ways[] = {{.direct = true}, {.bounces = 1}, {.bounces = 0}};
    const uint32_t wanted[] = {0, 1, 100};
    for (int i = 0; i < 3; i++) {
        relit first = relit_open(SAMPLE, NULL, &ways[i]);
        if (i == 2) { // the sample itself has one bounce, which is taken over
            bsp_relight_free(first.relight);
            const bsp_relight_options all = {.bounces = 100};
            bsp_error error;
            first.relight = bsp_relight_build(first.map, first.file, &all, &error);
            assert_non_null(first.relight);
        }
        relit_write(&first);
        bsp_relight *again = light_again(&first, NULL);
        print_message("%u bounces, stored %d\n", (unsigned)again->num_bounces,
                      again->bounces_stored);
        assert_int_equal(again->bounces_stored, wanted[i] != 100);
        assert_int_equal(again->num_bounces, i == 2 ? first.relight->num_bounces : wanted[i]);
        if (i == 2) {
            assert_true(again->num_bounces > 2);
        }
        assert_same_light(first.relight, again);
        assert_true(relit_percent_within(again, 0) == 100); // both as the file has them
        const bsp_relight_options two = {.bounces = 2};
        bsp_relight *told = light_again(&first, &two); // who says how often is heard
        assert_int_equal(told->num_bounces, 2);
        assert_false(told->bounces_stored);
        bsp_relight_free(told);
        bsp_relight_free(again);
        relit_close(&first);
    }
}

// Quake 2: a map that was lit by the rules of one compiler is lit so again, without being told;
// qrad3 stores 1 to 196.
static void test_rules(void **state) {
    (void)state;
    const bsp_light_compiler compilers[] = {BSP_COMPILER_ID, BSP_COMPILER_ERICW};
    for (int i = 0; i < 2; i++) {
        const bsp_relight_options how = {.compiler = compilers[i], .force = true};
        relit first = relit_open(BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL, &how);
        relit_write(&first);
        const bsp_relight_options told = {.force = true};
        bsp_relight *again = light_again(&first, &told);
        assert_int_equal(again->compiler, compilers[i]);
        assert_int_equal(again->compiler_stored, compilers[i] == BSP_COMPILER_ERICW);
        assert_same_light(first.relight, again);
        bsp_relight_free(again);
        const bsp_relight_options other = {.compiler = compilers[1 - i], .force = true};
        again = light_again(&first, &other); // who says whose rules is heard
        assert_int_equal(again->compiler, compilers[1 - i]);
        assert_false(again->compiler_stored);
        bsp_relight_free(again);
        relit_close(&first);
    }
}

// Faces of a map of Quake that were lit as if they were round, which a text beside it said, are
// found by their light alone; keys alone say of none.
static void test_phong(void **state) {
    (void)state;
    char text[4096] = "{";
    relit plain = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    uint32_t count = plain.map->num_texinfos;
    size_t size = 1;
    assert_int_equal(plain.relight->num_phong, 0);
    relit_close(&plain);
    for (uint32_t i = 0; i < count && size + 32 < sizeof text; i++) {
        size += (size_t)snprintf(text + size, 32, "%s\"%u\":{\"phong_angle\":89}",
                                 i == 0 ? "" : ",", (unsigned)i);
    }
    text[size++] = '}';
    const bsp_relight_options told = {.direct = true, .surfaces = {text, size}};
    const bsp_relight_options ways[] = {{.direct = true}, {.direct = true, .surfaces_all = true}};
    relit first = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, &told);
    assert_int_equal(first.relight->num_phong, 0);
    relit_write(&first);
    for (int i = 0; i < 2; i++) {
        bsp_relight *again = light_again(&first, &ways[i]);
        print_message("%u textures, %.1f %%\n", (unsigned)again->num_phong,
                      relit_percent_within(again, 4));
        assert_true(i == 0 ? again->num_phong > 1 : again->num_phong == 0);
        assert_true(i == 0 ? relit_percent_within(again, 4) > 99
                           : relit_percent_within(again, 4) < 95);
        for (uint32_t n = 0; n < again->num_phong; n++) {
            assert_true(again->phong[n].material < first.map->num_materials);
            assert_true(again->phong[n].num_faces > 0 && again->phong[n].angle == 89);
        }
        bsp_relight_free(again);
    }
    relit_close(&first);
}

// Quake: a map whose key says three bounces, and whose light has one, as ericw-tools' light made it
// before 2.0, is lit with one again, and one that was lit with three without a key with three.
static void test_told(void **state) {
    (void)state;
    const struct {
        const char *bounce; // key of the world
        uint32_t made;      // bounces of the light that the map has
        bool stored;        // more or less than the key says
    } ways[] = {{"\"_bounce\" \"3\"", 1, true},
                {"\"_bounce\" \"3\"", 3, false},
                {"", 3, true},
                {"\"_bounce\" \"1\"", 1, false}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char lights[256];
        snprintf(lights, sizeof lights, QUAKE_LIGHTS, ways[i].bounce);
        const bsp_relight_options how = {.bounces = ways[i].made};
        relit first = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", lights, &how);
        relit_write(&first);
        const bsp_relight_options told = {.lights = first.lights};
        bsp_relight *again = light_again(&first, &told);
        print_message("%s: %u bounces\n", ways[i].bounce, (unsigned)again->num_bounces);
        assert_int_equal(again->bounces_stored, ways[i].stored);
        assert_int_equal(again->num_bounces, ways[i].made);
        assert_same_light(first.relight, again);
        bsp_relight_free(again);
        relit_close(&first);
    }
    // Light without bounces stays so: nothing is in its shadows.
    const bsp_relight_options direct = {.direct = true};
    char lights[256];
    snprintf(lights, sizeof lights, QUAKE_LIGHTS, "");
    relit first = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", lights, &direct);
    relit_write(&first);
    bsp_relight *again = light_again(&first, &(bsp_relight_options){.lights = first.lights});
    assert_false(again->bounces_stored);
    assert_int_equal(again->num_bounces, 0);
    assert_same_light(first.relight, again);
    bsp_relight_free(again);
    relit_close(&first);
}

// Of the faces of the world; brush models have keys of their own.
static float least_of(const bsp_map *map, const bsp_relight *relight) {
    float least = 1000;
    for (uint32_t i = 0; i < map->models[0].num_faces; i++) {
        const bsp_relight_face *face = &relight->faces[map->models[0].first_face + i];
        for (uint32_t n = 0; face->num_styles != 0 && n < face->width * face->height; n++) {
            least = face->luxels[n][0] < least ? face->luxels[n][0] : least;
        }
    }
    return least;
}

// 0.25 * 128 of 255.
static void test_minimum(void **state) {
    (void)state;
    const bsp_relight_options how = {.direct = true, .force = true};
    relit l = relit_open(SAMPLE, "{ \"classname\" \"worldspawn\" \"_minlight\" \"0.25\" }", &how);
    assert_float_equal(least_of(l.map, l.relight), 32.0 / 255, 1e-6);
    relit_close(&l);
}

// A map without visibility has no bounces, and 0.1 of 255 at all places of style 0.
static void test_ambient(void **state) {
    (void)state;
    const bsp_relight_options direct = {.direct = true};
    relit l = relit_open(SAMPLE, NULL, &direct);
    bsp_map blind = *l.map;
    bsp_error error;
    unsigned lit = 0;
    blind.visibility.num_clusters = 0;
    bsp_relight *made = bsp_relight_build(&blind, l.file, NULL, &error);
    assert_non_null(made);
    assert_int_equal(made->num_bounces, 0);
    for (uint32_t i = 0; i < made->num_faces; i++) {
        const bsp_relight_face *face = &made->faces[i];
        for (uint32_t n = 0;
             face->luxels != NULL && face->styles[0] == 0 && n < face->width * face->height;
             n++) { // no place is near a black one
            float more = face->luxels[n][0] > 0 ? 0.1f / 255 : 0;
            assert_float_equal(face->luxels[n][0] - l.relight->faces[i].luxels[n][0], more, 1e-6);
            lit += more > 0;
        }
    }
    assert_true(lit > 1000);
    bsp_relight_free(made);
    relit_close(&l);
}

// Lights a map by its sky alone after a sky_camera was put somewhere; `camera` NULL: none. Its room
// is a point: all lines from there begin at the camera.
static double sky_of(const char *camera) {
    static const bsp_map_options all = {.parts = BSP_LOAD_ALL};
    bsp_error error;
    bsp_file *file = bsp_file_open(SAMPLE, NULL, &error);
    assert_non_null(file);
    bsp_bytes old = bsp_file_stored(file, 0);
    char *text = malloc(old.size + 256);
    assert_non_null(text);
    size_t size = old.size - 1; // without the end of the text
    memcpy(text, old.data, size);
    int more = camera == NULL ? 0
                              : snprintf(text + size, 256,
                                         "{\n\"classname\" \"sky_camera\"\n\"origin\" \"%s\"\n"
                                         "\"scale\" \"1e9\"\n}\n",
                                         camera);
    const bsp_lump_change change = {
        .lump = 0, .version = BSP_NONE, .data = {(const uint8_t *)text, size + (size_t)more}};
    bsp_blob blob;
    bsp_plan *plan = bsp_file_plan(file, &change, 1, NULL, &error);
    assert_non_null(plan);
    assert_true(bsp_plan_make(plan, NULL, &blob, &error));
    bsp_file *changed = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_non_null(changed);
    bsp_map *map = bsp_map_load(changed, &all, &error);
    assert_non_null(map);
    bsp_entities *lights = bsp_entities_parse(bsp_text_of(SUN), NULL, NULL, &error);
    assert_non_null(lights);
    const bsp_relight_options how = {.direct = true, .lights = lights, .force = true};
    bsp_relight *relight = bsp_relight_build(map, changed, &how, &error);
    assert_non_null(relight);
    double sum = 0;
    for (uint32_t i = 0; i < relight->num_faces; i++) {
        const bsp_relight_face *face = &relight->faces[i];
        for (uint32_t n = 0; face->num_styles != 0 && n < face->width * face->height; n++) {
            sum += (double)face->luxels[n][1];
        }
    }
    bsp_relight_free(relight);
    bsp_entities_free(lights);
    bsp_map_free(map);
    bsp_file_close(changed);
    bsp_blob_free(&blob);
    bsp_plan_free(plan);
    free(text);
    bsp_file_close(file);
    return sum;
}

static void test_sky_room(void **state) {
    (void)state;
    double none = sky_of(NULL);
    double same = sky_of("128 192 100");
    double wall = sky_of("-8 100 0");
    print_message("light of the sky: %g, with a camera in the same area %g, in a wall %g\n", none,
                  same, wall);
    assert_true(none > 10);
    assert_true(same == none); // no room of its own
    assert_true(wall == 0);    // all lines that meet the sky go on in solid
}

// Its hills shade the town: 74 % were within 4 without them.
static void test_corpus(void **state) {
    (void)state;
    FILE *there = fopen(CORPUS, "rb");
    if (there == NULL) {
        print_message("SKIP: no map %s\n", CORPUS);
        return;
    }
    fclose(there);
    relit l = relit_open(CORPUS, NULL, NULL);
    double within = relit_percent_within(l.relight, 4);
    print_message("%g %% within 4\n", within);
    assert_true(within > 82);
    relit_close(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounces), cmocka_unit_test(test_rules),
        cmocka_unit_test(test_told),    cmocka_unit_test(test_minimum),
        cmocka_unit_test(test_ambient), cmocka_unit_test(test_sky_room),
        cmocka_unit_test(test_corpus),  cmocka_unit_test(test_phong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
