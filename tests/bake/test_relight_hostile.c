// SPDX-License-Identifier: MIT
// Maps that light is not made for, and those that would take long.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/faces.h"
#include "bspkit/relight.h"
#include "support/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_refused(void **state) {
    (void)state;
    bsp_error error;
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_entities *none =
        bsp_entities_parse(bsp_text_of("{ \"classname\" \"worldspawn\" }"), NULL, NULL, &error);
    assert_non_null(none);
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_non_null(map);
    bsp_relight_options how = {.lights = none};
    assert_null(bsp_relight_build(map, file, &how, &error));
    assert_int_equal(error.code, BSP_E_UNEXPLAINED);
    how.force = true;
    bsp_relight *dark = bsp_relight_build(map, file, &how, &error);
    assert_non_null(dark);
    for (uint32_t f = 0; f < dark->num_faces; f++) {
        assert_int_equal(dark->faces[f].num_styles, 0);
    }
    bsp_relight_free(dark);
    how = (bsp_relight_options){.compiler = BSP_COMPILER_VRAD};
    assert_null(bsp_relight_build(map, file, &how, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    how = (bsp_relight_options){.extra = 9};
    assert_null(bsp_relight_build(map, file, &how, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_string_equal(error.message, "extra is 9, not 0 to 8");
    static const float turned[2][3] = {{0, 0, 0}, {8, -8, 8}};
    static const float no_number[2][3] = {{0, 0, NAN}, {8, 8, 8}};
    assert_null(bsp_relight_build(map, file, &(bsp_relight_options){.region = turned}, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_string_equal(error.message, "region is from 0 to -8 along axis 1");
    assert_null(bsp_relight_build(map, file, &(bsp_relight_options){.region = no_number}, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_entities_free(none);
    bsp_map_free(map);
    bsp_file_close(file);
}

// A face of a texture that shines, whose corners are far away on one line, is cut into millions of
// pieces that have no area and add no light: they are paid to the budget all the same.
static void test_long_face(void **state) {
    (void)state;
    bsp_error error;
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_entities *lights = bsp_entities_parse(
        bsp_text_of("{ \"classname\" \"worldspawn\" }"
                    "{ \"classname\" \"light\" \"origin\" \"0 0 0\" \"_surface\" \"+0lamp\" }"),
        NULL, NULL, &error);
    assert_non_null(lights);
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_non_null(map);
    bsp_map changed = *map;
    bsp_vertex *vertices = malloc(map->num_vertices * sizeof *vertices);
    assert_non_null(vertices);
    memcpy(vertices, map->vertices, map->num_vertices * sizeof *vertices);
    changed.vertices = vertices;
    uint32_t lamps = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        uint32_t material = bsp_surface_material(map, f);
        if (material == BSP_NONE ||
            !bsp_text_equal(map->materials[material].name, bsp_text_of("+0lamp"))) {
            continue;
        }
        lamps++;
        for (uint32_t e = 0; e < map->faces[f].num_edges; e++) {
            int32_t edge = map->surfedges[map->faces[f].first_edge + e];
            uint32_t v = map->edges[edge < 0 ? -edge : edge].v[edge < 0];
            vertices[v] = (bsp_vertex){{1e9f * (float)e, 48, 152}};
        }
    }
    assert_true(lamps > 0);
    const bsp_limits limits = {.work = 4000000};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    const bsp_relight_options how = {
        .lights = lights, .force = true, .direct = true, .budget = budget};
    assert_null(bsp_relight_build(&changed, file, &how, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(budget);
    free(vertices);
    bsp_entities_free(lights);
    bsp_map_free(map);
    bsp_file_close(file);
}

// Each of many models looks for the entity that switches its shadow, among whose keys a hundred
// thousand stand: these are paid as well as the entities.
static void test_many_keys(void **state) {
    (void)state;
    enum { MODELS = 4000, KEYS = 100000 };
    static const char model[] = "{\"model\" \"*1\" \"targetname\" \"door\"}\n";
    static const char key[] = "\"a\" \"b\"\n";
    bsp_error error;
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    size_t size = 0;
    char *text = malloc(64 + MODELS * sizeof model + KEYS * sizeof key);
    assert_non_null(text);
    for (int i = 0; i < MODELS; i++, size += sizeof model - 1) {
        memcpy(text + size, model, sizeof model - 1);
    }
    text[size++] = '{';
    for (int i = 0; i < KEYS; i++, size += sizeof key - 1) {
        memcpy(text + size, key, sizeof key - 1);
    }
    text[size++] = '}';
    bsp_entities *entities = bsp_entities_parse((bsp_text){text, size}, NULL, NULL, &error);
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, &error);
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_true(entities != NULL && map != NULL);
    bsp_map changed = *map;
    changed.entities = entities;
    const bsp_limits limits = {.work = MODELS * (uint64_t)KEYS / 50};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    const bsp_relight_options how = {.force = true, .direct = true, .budget = budget};
    bsp_relight *made = bsp_relight_build(&changed, file, &how, &error);
    assert_null(made);
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(budget);
    bsp_entities_free(entities);
    bsp_map_free(map);
    bsp_file_close(file);
    free(text);
}

// Where all corners are at one vertex, each is looked at from each other one: for the normals of
// hlrad, and for the faces that the light of a face goes on into in Source. That is paid.
static void test_one_vertex(void **state) {
    (void)state;
    static const char *const maps[] = {BSP_TEST_SAMPLES "/goldsrc/lobby_embed.bsp",
                                       BSP_TEST_SAMPLES "/source/lobby.bsp"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        bsp_error error;
        const bsp_map_options load = {.parts = BSP_LOAD_ALL};
        bsp_file *file = bsp_file_open(maps[i], NULL, &error);
        assert_non_null(file);
        bsp_map *map = bsp_map_load(file, &load, &error);
        assert_non_null(map);
        bsp_map changed = *map;
        bsp_edge *edges = calloc(map->num_edges, sizeof *edges); // from vertex 0 to vertex 0
        assert_non_null(edges);
        changed.edges = edges;
        uint64_t corners = 0;
        for (uint32_t f = 0; f < map->num_faces; f++) {
            corners += map->faces[f].num_edges;
        }
        const bsp_limits limits = {.work = corners * corners / 2};
        bsp_budget *budget = bsp_budget_new(&limits, NULL);
        assert_non_null(budget);
        const bsp_relight_options how = {.force = true, .direct = true, .budget = budget};
        assert_null(bsp_relight_build(&changed, file, &how, &error));
        assert_int_equal(error.code, BSP_E_LIMIT);
        bsp_budget_free(budget);
        free(edges);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

// Makes the light of a map. Returns the lines that were looked along, and sets the work.
static uint64_t make(const bsp_map *map, const bsp_file *file, uint64_t *work) {
    bsp_error error;
    const bsp_limits limits = {0};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    const bsp_relight_options how = {.force = true, .direct = true, .budget = budget};
    bsp_relight *made = bsp_relight_build(map, file, &how, &error);
    assert_non_null(made);
    uint64_t rays = made->num_rays;
    *work = bsp_budget_used(budget).work;
    bsp_relight_free(made);
    bsp_budget_free(budget);
    return rays;
}

// A sky that shines from all sides is looked for along many lines from each place: all are paid.
static void test_open_sky(void **state) {
    (void)state;
    bsp_error error;
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/garden.bsp", NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_non_null(map);
    bsp_world_light lights[64];
    assert_true(map->num_world_lights <= 64);
    bsp_map changed = *map;
    changed.world_lights = lights;
    changed.num_world_lights = 0;
    for (uint32_t i = 0; i < map->num_world_lights; i++) {
        if (map->world_lights[i].type != 5) { // the sky
            lights[changed.num_world_lights++] = map->world_lights[i];
        }
    }
    uint64_t work[2];
    uint64_t with = make(map, file, &work[0]);
    uint64_t without = make(&changed, file, &work[1]);
    assert_true(with > without + 10000);
    assert_true(work[0] - work[1] >= with - without);
    bsp_map_free(map);
    bsp_file_close(file);
}

// Light of all luxels as one number.
static uint64_t sum_of(const bsp_relight *relight) {
    uint64_t sum = 14695981039346656037u; // FNV-1a
    for (uint32_t f = 0; f < relight->num_faces; f++) {
        const bsp_relight_face *face = &relight->faces[f];
        const uint8_t *bytes = (const uint8_t *)face->luxels;
        size_t count = (size_t)face->width * face->height * face->directions * face->num_styles;
        for (size_t n = 0; bytes != NULL && n < count * sizeof *face->luxels; n++) {
            sum = (sum ^ bytes[n]) * 1099511628211u;
        }
    }
    return sum;
}

// Whichever request for memory is refused, light fails or is the same.
static void test_no_memory(void **state) {
    (void)state;
    bsp_error error;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    assert_non_null(map);
    uint64_t requests = 1;
    uint64_t whole = 0;
    uint64_t failed = 0;
    for (uint64_t n = 0; n <= requests; n += n < 40 ? 1 : 1 + requests / 60) { // 0: none is refused
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        const bsp_relight_options how = {.force = true, .direct = true, .allocator = &allocator};
        bsp_relight *relight = bsp_relight_build(map, file, &how, &error);
        assert_true(relight != NULL || n != 0);
        requests = n == 0 ? meter.requests : requests;
        whole = n == 0 ? sum_of(relight) : whole;
        assert_true(relight == NULL || sum_of(relight) == whole);
        failed += relight == NULL;
        bsp_relight_free(relight);
        assert_true(meter.live == 0 && !meter.wrong);
    }
    assert_true(failed > 40);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_long_face),
        cmocka_unit_test(test_many_keys), cmocka_unit_test(test_one_vertex),
        cmocka_unit_test(test_open_sky),  cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
