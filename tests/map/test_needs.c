// SPDX-License-Identifier: MIT
// Parts of a map and what needs them: a product is refused by the name of the part that was not
// loaded, and made from the parts that it asks for it is what it is made from the whole map.
#include "bspkit/bspkit.h"
#include "bspkit/decompile.h"
#include "support/contract.h"
#include "support/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof *(a))

static const char *const samples[] = {
    "/quake/lobby.bsp",  "/goldsrc/lobby.bsp", "/quake2/lobby.bsp",
    "/quake3/lobby.bsp", "/source/lobby.bsp",
};

static const struct {
    uint32_t part;
    const char *name;
} parts[] = {
    {BSP_LOAD_ENTITIES, "BSP_LOAD_ENTITIES"}, {BSP_LOAD_TREE, "BSP_LOAD_TREE"},
    {BSP_LOAD_SURFACES, "BSP_LOAD_SURFACES"}, {BSP_LOAD_BRUSHES, "BSP_LOAD_BRUSHES"},
    {BSP_LOAD_LIGHT, "BSP_LOAD_LIGHT"},       {BSP_LOAD_PROPS, "BSP_LOAD_PROPS"},
};

// --- products: each returns false on failure, and a checksum of what was made --------------------

typedef bool make_product(const bsp_map *map, uint32_t *sum, bsp_error *error);

static uint32_t sum_of(uint32_t sum, const void *data, size_t size) {
    return bsp_crc32(sum, (bsp_bytes){data, size});
}

static bool sum_sink(void *user, const char *data, size_t size) {
    uint32_t *sum = user;
    *sum = sum_of(*sum, data, size);
    return true;
}

static bool sum_beside(void *user, const char *name, const char *data, size_t size) {
    return sum_sink(user, name, strlen(name)) && sum_sink(user, data, size);
}

static bool sum_blob(bool made, bsp_blob *blob, uint32_t *sum) {
    *sum = sum_of(0, blob->data, blob->size);
    bsp_blob_free(blob);
    return made;
}

static bool make_mesh_of(const bsp_map *map, bool overlays, uint32_t *sum, bsp_error *error) {
    bsp_mesh_options options = {.overlays = overlays};
    bsp_mesh *mesh = bsp_mesh_build(map, &options, error);
    if (mesh == NULL) {
        return false;
    }
    *sum = sum_of(0, mesh->vertices, mesh->num_vertices * sizeof *mesh->vertices);
    *sum = sum_of(*sum, mesh->indices, mesh->num_indices * sizeof *mesh->indices);
    bsp_mesh_free(mesh);
    return true;
}

static bool make_mesh(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    return make_mesh_of(map, false, sum, error);
}

static bool make_overlays(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    return make_mesh_of(map, true, sum, error);
}

static bool make_brushes(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(map, NULL, error);
    if (mesh == NULL) {
        return false;
    }
    *sum = sum_of(0, mesh->points, mesh->num_points * sizeof *mesh->points);
    bsp_brush_mesh_free(mesh);
    return true;
}

static bool make_hulls(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_hull_mesh *mesh = bsp_hull_mesh_build(map, NULL, error);
    if (mesh == NULL) {
        return false;
    }
    *sum = sum_of(0, mesh->points, mesh->num_points * sizeof *mesh->points);
    bsp_hull_mesh_free(mesh);
    return true;
}

static bool make_lightmap(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_lightmap *light = bsp_lightmap_build(map, NULL, NULL, error);
    if (light == NULL) {
        return false;
    }
    *sum = sum_of(0, light->faces, light->num_faces * sizeof *light->faces);
    for (uint32_t i = 0; i < light->num_pages; i++) {
        const bsp_light_page *page = &light->pages[i];
        *sum = sum_of(*sum, page->rgba, (size_t)4 * page->width * page->height);
    }
    bsp_lightmap_free(light);
    return true;
}

static bool make_index(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, error);
    if (index == NULL) {
        return false;
    }
    *sum = 0;
    for (int i = 0; i < 64; i++) {
        bsp_trace_input input = {.start = {0, 0, 64}, .end = {0, 0, -4096}};
        bsp_trace_result result;
        input.end[0] = (float)(i % 8 - 4) * 512;
        input.end[1] = (float)(i / 8 - 4) * 512;
        memset(&result, 0, sizeof result);
        bsp_trace(index, &input, &result);
        *sum = sum_of(*sum, result.end, sizeof result.end);
        *sum = sum_of(*sum, &result.brush, sizeof result.brush);
    }
    bsp_trace_index_free(index);
    return true;
}

static bool make_decompiled(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_mapdoc *document = bsp_decompile(map, NULL, NULL, error);
    if (document == NULL) {
        return false;
    }
    *sum = 0;
    bool made = bsp_mapdoc_write(document, map->traits->dialect, NULL, sum_sink, sum, NULL, error);
    bsp_mapdoc_free(document);
    return made;
}

static bool make_glb(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    *sum = 0;
    return bsp_export_glb(map, NULL, sum_sink, sum, NULL, error);
}

static bool make_gltf(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_export_options options = {.files = sum_beside, .user = sum};
    *sum = 0;
    return bsp_export_gltf(map, &options, sum_sink, sum, NULL, error);
}

static bool make_dark_obj(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_export_options options = {.light = BSP_EXPORT_LIGHT_NONE};
    *sum = 0;
    return bsp_export_obj(map, &options, sum_sink, sum, NULL, error);
}

static bool make_picture_of(const bsp_map *map, bool bright, uint32_t *sum, bsp_error *error) {
    bsp_renderer_options options = {.full_bright = bright};
    bsp_renderer *renderer = bsp_renderer_build(map, NULL, &options, error);
    if (renderer == NULL) {
        return false;
    }
    bsp_view view = {.width = 32, .height = 24};
    bsp_draw_options draw = {.threads = 1};
    bsp_image image;
    bsp_view_start(map, &view);
    bool made = bsp_renderer_draw(renderer, &view, &draw, &image, NULL, error);
    *sum = made ? sum_of(0, image.pixels, (size_t)4 * image.width * image.height) : 0;
    bsp_image_free(&image);
    bsp_renderer_free(renderer);
    return made;
}

static bool make_picture(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    return make_picture_of(map, false, sum, error);
}

static bool make_bright_picture(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    return make_picture_of(map, true, sum, error);
}

static bool make_textures(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_textures *textures = bsp_textures_open(NULL, map, NULL, error);
    if (textures == NULL) {
        return false;
    }
    *sum = map->num_materials;
    bsp_textures_close(textures);
    return true;
}

static bool make_sky(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_textures *textures = bsp_textures_open(NULL, map, NULL, error);
    bsp_sky sky;
    if (textures == NULL) {
        return false;
    }
    bool made = bsp_textures_find_sky(textures, &sky, error);
    *sum = made ? sky.num_layers : 0;
    bsp_sky_free(made ? &sky : NULL);
    bsp_textures_close(textures);
    return made;
}

static bool make_external_light(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_textures *textures = bsp_textures_open(NULL, map, NULL, error);
    if (textures == NULL) {
        return false;
    }
    bsp_external_light *light = bsp_external_light_load(textures, bsp_text_of("lobby"), error);
    *sum = light == NULL ? 0 : light->num_missing;
    bool made = light != NULL;
    bsp_external_light_free(light);
    bsp_textures_close(textures);
    return made;
}

static bool make_assets(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_asset_list *assets = bsp_assets_find(map, NULL, NULL, error);
    if (assets == NULL) {
        return false;
    }
    *sum = 0;
    for (uint32_t i = 0; i < assets->count; i++) {
        *sum = sum_of(*sum, assets->list[i].name.data, assets->list[i].name.size);
    }
    bsp_assets_free(assets);
    return true;
}

static bool make_wad(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    uint32_t written;
    bsp_blob blob;
    bool made = bsp_wad_write(map, NULL, &written, &blob, error);
    return sum_blob(made, &blob, sum);
}

static bool make_file(const bsp_map *map, uint32_t *sum, bsp_error *error) {
    bsp_blob blob;
    bool made = bsp_map_write(map, map->branch, NULL, &blob, error);
    return sum_blob(made, &blob, sum);
}

#define TREE BSP_LOAD_TREE
#define SURFACES BSP_LOAD_SURFACES
#define BRUSHES BSP_LOAD_BRUSHES
#define NO_BRUSHES (BSP_LOAD_ALL - BSP_LOAD_BRUSHES)

static const struct {
    const char *name;
    make_product *make;
    uint32_t needs;
} products[] = {
    {"mesh", make_mesh, TREE | SURFACES},
    {"mesh with overlays", make_overlays, TREE | SURFACES | BSP_LOAD_PROPS},
    {"brush mesh", make_brushes, TREE | BRUSHES},
    {"hull mesh", make_hulls, TREE},
    {"lightmap", make_lightmap, SURFACES | BSP_LOAD_LIGHT},
    {"trace index", make_index, TREE | SURFACES | BRUSHES},
    {"decompile", make_decompiled, BSP_LOAD_ALL - BSP_LOAD_LIGHT},
    {"glb", make_glb, NO_BRUSHES},
    {"gltf", make_gltf, NO_BRUSHES},
    {"obj without light", make_dark_obj, NO_BRUSHES - BSP_LOAD_LIGHT},
    {"picture", make_picture, NO_BRUSHES},
    {"picture without light", make_bright_picture, NO_BRUSHES - BSP_LOAD_LIGHT},
    {"textures", make_textures, SURFACES},
    {"sky", make_sky, BSP_LOAD_ENTITIES | SURFACES},
    {"light beside", make_external_light, SURFACES | BSP_LOAD_LIGHT},
    {"assets", make_assets, BSP_LOAD_ENTITIES | SURFACES | BSP_LOAD_PROPS},
    {"wad", make_wad, SURFACES},
    {"file", make_file, BSP_LOAD_ALL},
};

static bsp_map *load(const bsp_file *file, uint32_t wanted) {
    bsp_map_options options = {.parts = wanted};
    bsp_error error = {0};
    bsp_map *map = bsp_map_load(file, &options, &error);
    assert_non_null(map);
    assert_int_equal(map->loaded, wanted);
    return map;
}

static void check_refusal(const bsp_map *map, size_t p) {
    bsp_error error = {0};
    uint32_t sum;
    if (products[p].make(map, &sum, &error) || error.code != BSP_E_ARGUMENT) {
        fail_msg("%s of parts %u: code %d, %s", products[p].name, (unsigned)map->loaded,
                 (int)error.code, error.message);
    }
    // A product that is made in two steps names what the first of them lacks.
    uint32_t missing = products[p].needs & ~map->loaded;
    uint32_t named = 0;
    for (size_t i = 0; i < LEN(parts); i++) {
        named |= strstr(error.message, parts[i].name) != NULL ? parts[i].part : 0;
    }
    assert_true(named != 0 && (named & ~missing) == 0);
}

static void test_products(void **state) {
    (void)state;
    for (size_t s = 0; s < LEN(samples); s++) {
        char path[512];
        bsp_map *maps[BSP_LOAD_ALL + 1] = {NULL};
        (void)snprintf(path, sizeof path, "%s%s", BSP_TEST_SAMPLES, samples[s]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        assert_non_null(file);
        for (uint32_t mask = 1; mask <= BSP_LOAD_ALL; mask++) {
            maps[mask] = load(file, mask);
        }
        for (size_t p = 0; p < LEN(products); p++) {
            bsp_error error = {0};
            uint32_t whole = 0;
            uint32_t part = 0;
            assert_true(products[p].make(maps[BSP_LOAD_ALL], &whole, &error));
            assert_true(products[p].make(maps[products[p].needs], &part, &error));
            if (whole != part) {
                fail_msg("%s: %s of its parts alone is another one", samples[s], products[p].name);
            }
            for (uint32_t mask = 1; mask <= BSP_LOAD_ALL; mask++) {
                if ((mask & products[p].needs) != products[p].needs) {
                    check_refusal(maps[mask], p);
                }
            }
        }
        for (uint32_t mask = 1; mask <= BSP_LOAD_ALL; mask++) {
            bsp_map_free(maps[mask]);
        }
        bsp_file_close(file);
    }
}

// The light grid stays out alone, and then nothing writes a file without it.
static void test_no_grid(void **state) {
    (void)state;
    static const char *const names[] = {"/quake3/lobby.bsp", "/quake3/lobby_rbsp.bsp"};
    for (size_t i = 0; i < LEN(names); i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s%s", BSP_TEST_SAMPLES, names[i]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        assert_non_null(file);
        bsp_map *whole = load(file, BSP_LOAD_ALL);
        bsp_map *part = load(file, BSP_LOAD_ALL | BSP_LOAD_NO_GRID);
        bsp_light_grid grid;
        assert_true(bsp_light_grid_of(whole, &grid));
        assert_false(bsp_light_grid_of(part, &grid));
        assert_int_equal(part->num_light_grid + part->num_light_array, 0);
        assert_int_equal(part->light.size, whole->light.size);
        assert_int_equal(part->num_draw_verts, whole->num_draw_verts);
        bsp_error error = {0};
        uint32_t sum;
        assert_true(make_file(whole, &sum, &error));
        assert_false(make_file(part, &sum, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_non_null(strstr(error.message, "BSP_LOAD_NO_GRID"));
        bsp_map_free(part);
        bsp_map_free(whole);
        bsp_file_close(file);
    }
}

// --- questions -----------------------------------------------------------------------------------

static const float point[3] = {0, 0, 64};
static uint8_t scratch[1 << 16];
static uint32_t numbers[1 << 12];

typedef void ask(const bsp_map *map);

static void ask_leaf(const bsp_map *map) {
    assert_int_equal(bsp_query_leaf(map, point), BSP_NONE);
}
static void ask_cluster(const bsp_map *map) {
    assert_int_equal(bsp_query_cluster(map, point), BSP_NONE);
}
static void ask_box(const bsp_map *map) {
    assert_int_equal(bsp_query_box_leaves(map, 0, point, point, numbers, 16), 0);
}
static void ask_contents(const bsp_map *map) {
    (void)bsp_query_contents(map, 0, point);
}
static void ask_leaves(const bsp_map *map) {
    assert_int_equal(bsp_query_visible_leaves(map, point, scratch, numbers, 16), 0);
}
static void ask_faces(const bsp_map *map) {
    assert_int_equal(bsp_query_visible_faces(map, point, scratch, scratch + sizeof scratch / 2), 0);
}
static void ask_areas(const bsp_map *map) {
    assert_int_equal(bsp_query_areas(map, NULL, 0, numbers), 0);
}
static void ask_light(const bsp_map *map) {
    (void)bsp_query_light(map, NULL, point);
}
static void ask_grid(const bsp_map *map) {
    bsp_light_grid grid;
    (void)bsp_light_grid_of(map, &grid);
}
static void ask_cube(const bsp_map *map) {
    float cube[6][3];
    (void)bsp_ambient_cube(map, 1, point, false, cube);
}
static void ask_model(const bsp_map *map) {
    bsp_pair pair = {bsp_text_of("model"), bsp_text_of("*1")};
    bsp_entity entity = {.pairs = &pair, .num_pairs = 1};
    assert_int_equal(bsp_entity_model(map, &entity), BSP_NONE);
}
static void ask_view(const bsp_map *map) {
    bsp_view view = {.width = 4, .height = 4};
    bsp_view_start(map, &view);
}

static const struct {
    ask *ask;
    uint32_t needs;
} questions[] = {
    {ask_leaf, TREE},
    {ask_cluster, TREE},
    {ask_box, TREE},
    {ask_contents, TREE | BRUSHES},
    {ask_leaves, TREE},
    {ask_faces, TREE | SURFACES},
    {ask_areas, TREE},
    {ask_light, BSP_LOAD_ENTITIES | TREE | SURFACES | BSP_LOAD_LIGHT},
    {ask_grid, BSP_LOAD_ENTITIES | TREE | BSP_LOAD_LIGHT},
    {ask_cube, TREE | BSP_LOAD_LIGHT},
    {ask_model, TREE},
    {ask_view, BSP_LOAD_ENTITIES | TREE},
};

typedef struct question {
    ask *ask;
    const bsp_map *map;
} question;

static void ask_it(void *user) {
    const question *q = user;
    q->ask(q->map);
}

// With one part missing: an assert, and without asserts an answer that reads nothing outside.
static void test_questions(void **state) {
    (void)state;
    for (size_t s = 0; s < LEN(samples); s++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s%s", BSP_TEST_SAMPLES, samples[s]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        assert_non_null(file);
        for (size_t i = 0; i < LEN(parts); i++) {
            bsp_map *map = load(file, BSP_LOAD_ALL & ~parts[i].part);
            for (size_t q = 0; q < LEN(questions); q++) {
                // What some answers are is known where there is no tree at all.
                if ((questions[q].needs & parts[i].part) != 0 &&
                    (parts[i].part == TREE || questions[q].ask != ask_faces)) {
                    question asked = {questions[q].ask, map};
                    test_refused(ask_it, &asked);
                }
            }
            bsp_map_free(map);
        }
        bsp_file_close(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_no_grid),
        cmocka_unit_test(test_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
