// SPDX-License-Identifier: MIT
// What makes geometry and pictures, and its budget: see support/products.h. Each row is a product,
// made of samples of four families.
#include "support/products.h"
#include "support/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
    bsp_file *file;
    bsp_map *map;
    bsp_search *search;
} sample;

static bool make_mesh(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_mesh_options options = {.sky = true,
                                .overlays = true,
                                .patch_tolerance = 0.25F,
                                .file = s->file,
                                .allocator = how->allocator,
                                .budget = how->budget};
    bsp_mesh *mesh = bsp_mesh_build(s->map, &options, error);
    bsp_mesh_free(mesh);
    return mesh != NULL;
}

static bool make_hulls(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_brush_mesh_options options = {.allocator = how->allocator, .budget = how->budget};
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(s->map, &options, error);
    bsp_brush_mesh_free(mesh);
    return mesh != NULL;
}

static bool make_clip_hulls(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_hull_mesh_options options = {
        .surface = true, .allocator = how->allocator, .budget = how->budget};
    bsp_hull_mesh *mesh = bsp_hull_mesh_build(s->map, &options, error);
    bsp_hull_mesh_free(mesh);
    return mesh != NULL;
}

static bool make_lightmap(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_lightmap_options options = {.allocator = how->allocator, .budget = how->budget};
    bsp_lightmap *lightmap = bsp_lightmap_build(s->map, s->file, &options, error);
    bsp_lightmap_free(lightmap);
    return lightmap != NULL;
}

static bool make_trace(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_trace_options options = {.allocator = how->allocator, .budget = how->budget};
    bsp_trace_index *index = bsp_trace_index_new(s->map, &options, error);
    bsp_trace_index_free(index);
    return index != NULL;
}

static bsp_textures *open_textures(const sample *s, const product_how *how, bsp_error *error) {
    bsp_textures_options options = {.allocator = how->allocator, .budget = how->budget};
    return bsp_textures_open(s->search, s->map, &options, error);
}

static bool make_textures(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_textures *textures = open_textures(s, how, error);
    bool done = textures != NULL;
    for (uint32_t i = 0; done && i < s->map->num_materials; i++) {
        bsp_texture texture;
        done = bsp_textures_find(textures, i, &texture, error);
        assert_true(done || texture.image.pixels == NULL);
        bsp_texture_free(&texture);
    }
    bsp_external_light *light =
        done ? bsp_external_light_load(textures, bsp_text_of("lobby"), error) : NULL;
    done = light != NULL;
    bsp_external_light_free(light);
    bsp_textures_close(textures);
    return done;
}

static bool make_scene(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_textures *textures = open_textures(s, how, error);
    bsp_scene_options options = {.file = s->file,
                                 .textures = textures,
                                 .sky = true,
                                 .allocator = how->allocator,
                                 .budget = how->budget};
    bsp_scene *scene = textures == NULL ? NULL : bsp_scene_build(s->map, &options, error);
    bool done = scene != NULL;
    bsp_scene_free(scene);
    bsp_textures_close(textures);
    return done;
}

static bool make_picture(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    bsp_renderer_options options = {
        .search = s->search, .allocator = how->allocator, .budget = how->budget};
    bsp_renderer *renderer = bsp_renderer_build(s->map, s->file, &options, error);
    bool done = renderer != NULL;
    for (int top = 0; done && top < 2; top++) {
        bsp_image image;
        bsp_view view = {.width = 160, .height = 120, .top = top == 1};
        bsp_draw_options draw = {.threads = how->threads};
        bsp_view_start(s->map, &view);
        done = bsp_renderer_draw(renderer, &view, &draw, &image, NULL, error);
        assert_true(done || image.pixels == NULL);
        bsp_image_free(&image);
    }
    bsp_renderer_free(renderer);
    return done;
}

// --- exports ------------------------------------------------------------------------------------

typedef bool (*export_call)(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                            void *user, bsp_export_report *report, bsp_error *error);

static bool count_beside(void *user, const char *name, const char *data, size_t size) {
    (void)name;
    (void)data;
    *(uint64_t *)user += size;
    return true;
}

static bool make_export(const sample *s, const product_how *how, export_call call,
                        bsp_export_light light, bsp_error *error) {
    uint64_t beside = 0;
    test_sink sink = {NULL, 0, 0};
    bsp_export_report report = {.bytes = 0};
    uint64_t before = bsp_budget_used(how->budget).output_bytes;
    bsp_textures *textures = open_textures(s, how, error);
    bsp_export_options options = {.file = s->file,
                                  .textures = textures,
                                  .light = light,
                                  .files = count_beside,
                                  .user = &beside,
                                  .allocator = how->allocator,
                                  .budget = how->budget};
    bool done = textures != NULL && call(s->map, &options, test_sink_take, &sink, &report, error);
    if (done) { // each byte counts, and once
        uint64_t counted = bsp_budget_used(how->budget).output_bytes - before;
        assert_int_equal(counted, sink.size + beside);
        assert_int_equal(counted, report.bytes);
    }
    bsp_textures_close(textures);
    free(sink.data);
    return done;
}

static bool make_glb(const void *user, const product_how *how, bsp_error *error) {
    return make_export(user, how, bsp_export_glb, BSP_EXPORT_LIGHT_BAKED, error);
}

static bool make_gltf(const void *user, const product_how *how, bsp_error *error) {
    return make_export(user, how, bsp_export_gltf, BSP_EXPORT_LIGHT_UV, error);
}

static bool make_obj(const void *user, const product_how *how, bsp_error *error) {
    return make_export(user, how, bsp_export_obj, BSP_EXPORT_LIGHT_VERTEX, error);
}

// --- texts --------------------------------------------------------------------------------------

static bool make_material(const void *user, const product_how *how, bsp_error *error) {
    (void)user;
    bsp_text_options options = {.allocator = how->allocator, .budget = how->budget};
    bsp_vmt *vmt = bsp_vmt_parse(bsp_text_of("LightmappedGeneric { $basetexture a $alpha .5 }"),
                                 NULL, &options, error);
    bsp_vmt_free(vmt);
    return vmt != NULL;
}

static bool make_shaders(const void *user, const product_how *how, bsp_error *error) {
    (void)user;
    bsp_text_options options = {.allocator = how->allocator, .budget = how->budget};
    bsp_shaders *shaders = bsp_shaders_parse(
        bsp_text_of("a/b\n{\n surfaceparm sky\n {\n map a.tga\n }\n}\n"), &options, error);
    bsp_shaders_free(shaders);
    return shaders != NULL;
}

// --- samples ------------------------------------------------------------------------------------

static const product_row all[] = {
    {"mesh", make_mesh, false},       {"lightmap", make_lightmap, false},
    {"trace", make_trace, false},     {"textures", make_textures, false},
    {"scene", make_scene, false},     {"picture", make_picture, false},
    {"glb", make_glb, false},         {"gltf", make_gltf, false},
    {"obj", make_obj, false},         {"material", make_material, false},
    {"shaders", make_shaders, false},
};
static const product_row brushes[] = {{"hulls", make_hulls, false}};
static const product_row clip_hulls[] = {{"clip hulls", make_clip_hulls, false}};

static void check_sample(const char *game, const char *name) {
    sample s;
    char path[512];
    bsp_error error = {0};
    snprintf(path, sizeof path, "%s/%s/%s", BSP_TEST_SAMPLES, game, name);
    s.file = bsp_file_open(path, NULL, &error);
    s.map = s.file == NULL ? NULL : bsp_map_load(s.file, NULL, &error);
    s.search = bsp_search_new(NULL, &error);
    assert_non_null(s.map);
    assert_non_null(s.search);
    snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, game);
    assert_true(bsp_search_add_game(s.search, path, &error));
    products_check(all, sizeof all / sizeof *all, &s, game);
    if (s.map->traits->has_brushes) {
        products_check(brushes, 1, &s, game);
    }
    if (s.map->num_clipnodes != 0) {
        products_check(clip_hulls, 1, &s, game);
    }
    bsp_search_free(s.search);
    bsp_map_free(s.map);
    bsp_file_close(s.file);
}

static void test_samples(void **state) {
    (void)state;
    check_sample("quake", "lobby.bsp");
    check_sample("quake2", "lobby.bsp");
    check_sample("quake3", "lobby.bsp");
    check_sample("source", "lobby.bsp");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
