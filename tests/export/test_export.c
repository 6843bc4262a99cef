// SPDX-License-Identifier: MIT
// glTF and OBJ: what is in the file against the map's own mesh, hand-made facts about axes, angles
// and lights, and every refusal of memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/export.h"
#include "bspkit/scene.h"
#include "export/entity.h"
#include "export/light.h"
#include "support/alloc.h"
#include "support/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const samples[] = {
    "quake/lobby.bsp",  "quake/lobby_bsp2.bsp", "quake/lobby_bspx.bsp",  "goldsrc/lobby.bsp",
    "quake2/lobby.bsp", "quake3/lobby.bsp",     "quake3/lobby_rbsp.bsp", "source/lobby.bsp",
};

#define SAMPLES (sizeof samples / sizeof *samples)

static bool refuse(void *user, const char *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return false;
}

typedef struct opened {
    bsp_file *file;
    bsp_map *map;
} opened;

static opened open_sample(const char *name) {
    char path[512];
    bsp_error error = {0};
    opened o;
    (void)snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, name);
    o.file = bsp_file_open(path, NULL, &error);
    o.map = o.file == NULL ? NULL : bsp_map_load(o.file, NULL, &error);
    if (o.map == NULL) {
        fail_msg("%s: %s", name, error.message);
    }
    return o;
}

static void close_sample(opened *o) {
    bsp_map_free(o->map);
    bsp_file_close(o->file);
}

static void test_same_bytes_twice(void **state) {
    (void)state;
    for (int light = 0; light < 4; light++) {
        opened o = open_sample("quake/lobby.bsp");
        bsp_textures *textures = bsp_textures_open(NULL, o.map, NULL, NULL);
        bsp_export_options options = {.textures = textures, .light = (bsp_export_light)light};
        test_sink a = {0};
        test_sink b = {0};
        assert_true(bsp_export_glb(o.map, &options, test_sink_take, &a, NULL, NULL));
        assert_true(bsp_export_glb(o.map, &options, test_sink_take, &b, NULL, NULL));
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        free(a.data);
        free(b.data);
        bsp_textures_close(textures);
        close_sample(&o);
    }
}

// --- OBJ ----------------------------------------------------------------------------------------

static uint64_t count_lines(const test_sink *b, const char *start) {
    uint64_t count = 0;
    const char *line = (const char *)b->data;
    while (line != NULL && *line != '\0') {
        count += strncmp(line, start, strlen(start)) == 0;
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return count;
}

static void test_obj_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        opened o = open_sample(samples[i]);
        test_sink b = {0};
        bsp_export_report report;
        assert_true(bsp_export_obj(o.map, NULL, test_sink_take, &b, &report, NULL));
        assert_int_equal(count_lines(&b, "v "), report.vertices);
        assert_int_equal(count_lines(&b, "vt "), report.vertices);
        assert_int_equal(count_lines(&b, "vn "), report.vertices);
        assert_int_equal(count_lines(&b, "f "), report.triangles);
        assert_int_equal(count_lines(&b, "o "), report.nodes);
        assert_int_equal(count_lines(&b, "usemtl"), 0); // nowhere to put them
        free(b.data);
        close_sample(&o);
    }
}

// --- facts --------------------------------------------------------------------------------------

static void assert_vector(const float v[3], float x, float y, float z) {
    assert_float_equal(v[0], x, 1e-6);
    assert_float_equal(v[1], y, 1e-6);
    assert_float_equal(v[2], z, 1e-6);
}

static void test_turns(void **state) {
    (void)state;
    const float forward[3] = {1, 0, 0};
    const float north[3] = {0, 1, 0};
    const float back[3] = {0, 0, -1};
    float v[3];
    bspi_turn_apply(bspi_turn_of_angles((float[3]){0, 90, 0}), forward, v);
    assert_vector(v, 0, 1, 0); // yaw 90 looks along +y
    bspi_turn_apply(bspi_turn_of_angles((float[3]){90, 0, 0}), forward, v);
    assert_vector(v, 0, 0, -1); // pitch 90 looks down
    bspi_turn_apply(bspi_turn_to_file(bspi_turn_of_angles((float[3]){0, 90, 0})), forward, v);
    assert_vector(v, 0, 0, -1); // +y of the map is -z of the file
    bspi_turn_apply(bspi_turn_to_look(forward), back, v);
    assert_vector(v, 1, 0, 0);
    bspi_turn_apply(bspi_turn_to_look(north), back, v);
    assert_vector(v, 0, 0, -1);
    bspi_turn_apply(bspi_turn_to_look(back), back, v);
    assert_vector(v, 0, -1, 0);
    assert_true(bspi_turn_is_none(bspi_turn_of_angles((float[3]){NAN, INFINITY, 0})));
}

static bspi_light light_of(const char *text, const char *branch) {
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(entities);
    bsp_map map = {.branch = bsp_branch_find(branch), .entities = entities};
    assert_non_null(map.branch);
    map.traits = bsp_branch_traits(map.branch);
    const bspi_targets targets = {NULL, 0};
    bspi_light light;
    assert_true(bspi_light_of(&map, &targets, &entities->list[0], 1, &light));
    bsp_entities_free(entities);
    return light;
}

static void test_lights(void **state) {
    (void)state;
    const double pi = 3.14159265358979;
    // Brightness 255 is full white, pi lux, at 100 units: pi * 100^2 candela.
    bspi_light l =
        light_of("{\"classname\" \"light\" \"_light\" \"255 255 255 255\"}", "source_20");
    assert_int_equal(l.kind, BSPI_LIGHT_POINT);
    assert_float_equal(l.intensity, pi * 10000, 0.1);
    l = light_of("{\"classname\" \"light_spot\" \"_light\" \"255 0 0 255\" \"pitch\" \"-90\""
                 " \"_cone\" \"60\" \"_inner_cone\" \"30\"}",
                 "source_20");
    assert_int_equal(l.kind, BSPI_LIGHT_SPOT);
    assert_vector(l.direction, 0, 0, -1);
    assert_vector(l.color, 1, 0, 0);
    assert_float_equal(l.cone[0], pi / 6, 1e-6);
    assert_float_equal(l.cone[1], pi / 3, 1e-6);
    // One that does not fade is as bright at 256 units as by the square: pi * 256^2; one that fades
    // by the square alone stays as it is; one that is halved there has half.
    l = light_of(
        "{\"classname\" \"light\" \"_light\" \"255 255 255 255\" \"_constant_attn\" \"7\"}",
        "source_20");
    assert_float_equal(l.intensity, pi * 65536, 1);
    l = light_of(
        "{\"classname\" \"light\" \"_light\" \"255 255 255 255\" \"_quadratic_attn\" \"3\"}",
        "source_20");
    assert_float_equal(l.intensity, pi * 10000, 0.1);
    l = light_of("{\"classname\" \"light\" \"_light\" \"255 255 255 255\""
                 " \"_fifty_percent_distance\" \"256\" \"_zero_percent_distance\" \"600\"}",
                 "source_20");
    assert_float_equal(l.intensity, pi * 32768, 1);
    // Quake: 256 is full (128) at half of its reach: pi * 128^2.
    l = light_of("{\"classname\" \"light\" \"light\" \"256\"}", "quake");
    assert_float_equal(l.intensity, pi * 128 * 128, 0.5);
    assert_float_equal(l.range, 256, 0);
    // Quake 3: 255 / (4 * 7500) is one unit squared of full white.
    l = light_of("{\"classname\" \"light\" \"light\" \"255\"}", "quake3");
    assert_float_equal(l.intensity, pi * 30000, 0.5);
    // Numbers that are none.
    l = light_of("{\"classname\" \"light\" \"light\" \"1e38\"}", "quake3");
    assert_true(isfinite(l.intensity) && l.intensity >= 0);
    l = light_of("{\"classname\" \"light\" \"_light\" \"nan x\"}", "source_20");
    assert_true(isfinite(l.intensity) && l.intensity >= 0);
}

static void test_extras(void **state) {
    (void)state;
    test_sink b = {0};
    bsp_json json;
    bsp_entities *entities = bsp_entities_parse(
        bsp_text_of("{\"b\" \"1\" \"a\" \"x\" \"b\" \"2\" \"B\" \"3\"}"), NULL, NULL, NULL);
    assert_non_null(entities);
    bsp_json_begin(&json, test_sink_take, &b);
    bsp_json_object(&json);
    assert_true(bspi_entity_extras(&entities->list[0], NULL, &json, NULL));
    bsp_json_object_end(&json);
    assert_true(bsp_json_flush(&json));
    assert_string_equal((const char *)b.data, "{\"b\":[\"1\",\"2\"],\"a\":\"x\",\"B\":\"3\"}");
    free(b.data);
    bsp_entities_free(entities);
}

// --- what fails ---------------------------------------------------------------------------------

static void test_sink_stops(void **state) {
    (void)state;
    opened o = open_sample("quake3/lobby.bsp");
    bsp_error error = {0};
    assert_false(bsp_export_glb(o.map, NULL, refuse, NULL, NULL, &error));
    assert_int_equal(error.code, BSP_E_IO);
    assert_false(bsp_export_obj(o.map, NULL, refuse, NULL, NULL, &error));
    assert_int_equal(error.code, BSP_E_IO);
    assert_false(bsp_export_gltf(o.map, NULL, refuse, NULL, NULL, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT); // no files beside
    close_sample(&o);
}

static bool forget(void *user, const char *name, const char *data, size_t size) {
    (void)name;
    return test_sink_take(user, data, size);
}

// The n-th request for memory fails, for each n until nothing fails.
static void test_starves(void **state) {
    (void)state;
    static bool (*const calls[])(const bsp_map *, const bsp_export_options *, bsp_sink, void *,
                                 bsp_export_report *,
                                 bsp_error *) = {bsp_export_glb, bsp_export_gltf, bsp_export_obj};
    opened o = open_sample("goldsrc/lobby_embed.bsp");
    bsp_textures *textures = bsp_textures_open(NULL, o.map, NULL, NULL);
    for (int i = 0; i < 6; i++) {
        bool done = false;
        for (uint64_t n = 1; !done; n += 1 + n / 16) {
            test_sink b = {0};
            bsp_error error = {0};
            test_meter meter = {.fail_at = n};
            bsp_allocator allocator = meter_allocator(&meter);
            bsp_export_options options = {.textures = textures,
                                          .light =
                                              i < 3 ? BSP_EXPORT_LIGHT_UV : BSP_EXPORT_LIGHT_BAKED,
                                          .bake_density = 1,
                                          .files = forget,
                                          .user = &b,
                                          .allocator = &allocator};
            done = calls[i % 3](o.map, &options, test_sink_take, &b, NULL, &error);
            assert_true(done || error.code == BSP_E_MEMORY);
            assert_int_equal(meter.live, 0);
            assert_false(meter.wrong);
            free(b.data);
        }
    }
    bsp_textures_close(textures);
    close_sample(&o);
}

// --- light --------------------------------------------------------------------------------------

// Takes the first page of light.
static bool take_page(void *user, const char *name, const char *data, size_t size) {
    return strstr(name, "_light_0") == NULL || test_sink_take(user, data, size);
}

// The sample has a light that flickers, and is on when the map begins.
static void test_styles_as_the_map_begins(void **state) {
    (void)state;
    opened o = open_sample("quake/lobby.bsp");
    float styles[BSP_LIGHT_STYLES];
    bsp_scene_styles(o.map, NULL, styles);
    assert_true(styles[10] > 0);
    const bsp_lightmap_options how[2] = {{.styles = styles, .range = 1}, {.range = 1}};
    bsp_lightmap *all = bsp_lightmap_build(o.map, o.file, &how[0], NULL);
    bsp_lightmap *steady = bsp_lightmap_build(o.map, o.file, &how[1], NULL);
    assert_true(all != NULL && steady != NULL);
    test_sink page = {0};
    test_sink other = {0};
    const bsp_export_options options = {.file = o.file, .files = take_page, .user = &page};
    assert_true(bsp_export_gltf(o.map, &options, test_sink_take, &other, NULL, NULL));
    bsp_image image;
    const bsp_bytes png = {(const uint8_t *)page.data, page.size};
    assert_true(bsp_image_decode(png, BSP_IMAGE_PNG, NULL, &image, NULL));
    size_t size = 4 * (size_t)image.width * image.height;
    assert_int_equal(image.width, all->pages[0].width);
    assert_memory_equal(image.pixels, all->pages[0].rgba, size);
    assert_memory_not_equal(image.pixels, steady->pages[0].rgba, size);
    bsp_image_free(&image);
    free(page.data);
    free(other.data);
    bsp_lightmap_free(all);
    bsp_lightmap_free(steady);
    close_sample(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes_twice),
        cmocka_unit_test(test_obj_counts),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_lights),
        cmocka_unit_test(test_extras),
        cmocka_unit_test(test_sink_stops),
        cmocka_unit_test(test_starves),
        cmocka_unit_test(test_styles_as_the_map_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
