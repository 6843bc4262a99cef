// SPDX-License-Identifier: MIT
// What is Respawn's own: whose a brush is and what it holds, damage to meshes and brushes, pages of
// stated sizes, texture vectors of sides; and the facts of the map of the corpus.
#include "bspkit/decompile.h"
#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "bspkit/render.h"
#include "support/battery.h"
#include "support/each_map.h"
#include "support/patch.h"
#include "support/room.h"
#include "support/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bsp_map *load(const patch *p, bsp_file **file) {
    bsp_error error = {0};
    *file = patch_open(p, NULL);
    bsp_map *map = bsp_map_load(*file, NULL, &error);
    if (map == NULL) {
        fail_msg("%s", error.message);
    }
    return map;
}

static void unload(bsp_map *map, bsp_file *file) {
    bsp_map_free(map);
    bsp_file_close(file);
}

// --- damage -------------------------------------------------------------------------------------

static void expect(const patch *p, const char *kind, const char *lump, uint32_t record,
                   const char *field, const char *text) {
    bsp_issue issue;
    patch_check(p, kind, &issue);
    assert_string_equal(issue.place.lump, lump);
    assert_int_equal(issue.place.record, record);
    assert_string_equal(issue.place.field == NULL ? "" : issue.place.field, field);
    assert_string_equal(issue.text, text);
}

static void test_mesh_range(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    bsp_file *file;
    patch_field(&p, "MESHES", 11, "numTriangles", 0, 65535);
    patch_field(&p, "MESHES", 2, "firstIndex", 0, 0xFFFFFFFF);
    expect(&p, "mesh-out-of-range", "MESHES", 2, "firstIndex",
           "4294967295 and the next 6, but there are 72 draw indices");
    bsp_map *map = load(&p, &file);
    assert_int_equal(map->faces[2].num_indices, 0);
    assert_int_equal(map->faces[11].num_indices, 6); // what is there
    unload(map, file);
    patch_free(&p);
}

// An offset behind all vertices leaves none; an index behind them is no corner.
static void test_sort_offset(void **state) {
    (void)state;
    patch p = patch_of("titanfall", false, 0);
    bsp_file *file;
    bsp_issue issue;
    patch_field(&p, "MATERIAL_SORTS", 1, "vertexOffset", 0, -1);
    patch_check(&p, "index-out-of-range", &issue);
    assert_string_equal(issue.place.lump, "MESH_INDICES");
    bsp_map *map = load(&p, &file);
    bsp_mesh *mesh = bsp_mesh_build(map, NULL, NULL);
    assert_non_null(mesh);
    assert_int_equal(map->faces[4].num_verts, 0);
    assert_int_equal(mesh->num_indices, 8 * 6); // four of twelve faces are of that sort
    assert_int_equal(mesh->num_vertices, 8 * 4);
    bsp_mesh_free(mesh);
    unload(map, file);
    patch_free(&p);
}

static void test_brush_range(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    bsp_file *file;
    patch_field(&p, "CM_BRUSH_SIDE_PLANE_OFFSETS", 0, "", 0, 65535);
    expect(&p, "brush-out-of-range", "CM_BRUSHES", 0, "sideOffset",
           "side 6 names a plane that is not there: there are 39");
    bsp_map *map = load(&p, &file);
    assert_int_equal(map->num_planes, 39 + 6 * ROOM_BRUSHES);
    assert_int_equal(map->brush_sides[6].plane, BSP_NONE);
    unload(map, file);
    patch_free(&p);
}

// All brushes call for the one further plane; the first has it.
static void test_planes_shared(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    bsp_file *file;
    for (uint32_t b = 1; b < ROOM_BRUSHES; b++) {
        patch_field(&p, "CM_BRUSHES", b, "numPlaneOffsets", 0, 1);
        patch_field(&p, "CM_BRUSHES", b, "sideOffset", 0, 0);
    }
    expect(&p, "brush-out-of-range", "CM_BRUSHES", 1, "numPlaneOffsets",
           "1, but all 1 are those of other brushes");
    bsp_map *map = load(&p, &file);
    assert_int_equal(map->num_brush_sides, 6 * ROOM_BRUSHES + 1);
    unload(map, file);
    patch_free(&p);
}

static void test_sets(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    patch_field(&p, "CM_GEO_SETS", 0, "numPrimitives", 0, 7);
    expect(&p, "brush-out-of-range", "CM_GEO_SETS", 0, "index",
           "0 and the next 7, but there are 6 collision primitives");
    patch_field(&p, "CM_GEO_SETS", 0, "numPrimitives", 0, 6);
    patch_field(&p, "CM_PRIMITIVES", 3, "index", 0, 99);
    expect(&p, "brush-out-of-range", "CM_PRIMITIVES", 3, "index", "99, but there are 7 brushes");
    expect(&p, "brush-in-no-set", "CM_BRUSHES", 3, "",
           "this and 0 other brushes are in no set of the grid");
    patch_free(&p);
}

// --- whose and what -----------------------------------------------------------------------------

// The first brush becomes the door's and the last one the world's: each model has its own in a row.
static void test_owners(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    bsp_file *file;
    patch_field(&p, "CM_GEO_SETS", 1, "index", 0, 0);
    patch_field(&p, "CM_PRIMITIVES", 0, "index", 0, 6);
    bsp_map *map = load(&p, &file);
    assert_int_equal(map->models[0].first_brush, 0);
    assert_int_equal(map->models[0].num_brushes, 6);
    assert_int_equal(map->models[1].first_brush, 6);
    assert_int_equal(map->models[1].num_brushes, 1);
    assert_int_equal(map->brushes[6].num_sides, 7); // the one that has its corner cut off
    static const float in_door[3] = {36, 0, 48}, in_wall[3] = {136, 0, 64};
    assert_int_equal(bsp_query_contents(map, 0, in_door), 1);
    assert_int_equal(bsp_query_contents(map, 1, in_door), 0);
    assert_int_equal(bsp_query_contents(map, 1, in_wall), 1);
    unload(map, file);
    patch_free(&p);
}

// Triangles and props are in the sets too, and no brushes.
static void test_other_primitives(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    bsp_file *file;
    patch_field(&p, "CM_PRIMITIVES", 5, "type", 0, 0x60);
    bsp_map *map = load(&p, &file);
    static const float below[3] = {0, 0, -8}, above[3] = {0, 0, 136};
    assert_int_equal(bsp_query_contents(map, 0, above), 1);
    assert_int_equal(bsp_query_contents(map, 0, below), 0); // its brush has no contents
    assert_int_equal(map->models[0].num_brushes, 6);        // and is the world's
    unload(map, file);
    patch_free(&p);
}

// --- light --------------------------------------------------------------------------------------

static void test_light(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    bsp_file *file;
    bsp_map *map = load(&p, &file);
    bsp_lightmap_options options = {.gain = 1};
    bsp_lightmap *lightmap = bsp_lightmap_build(map, file, &options, NULL);
    assert_non_null(lightmap);
    assert_int_equal(lightmap->num_lit, map->num_faces / 2); // two of four types have light
    assert_int_equal(lightmap->luxels, 32 * 16);
    assert_int_equal(lightmap->faces[6].page, BSP_NONE);
    const bsp_light_face *face = &lightmap->faces[5];
    assert_int_equal(face->width, 32);
    assert_int_equal(face->height, 16);
    const bsp_light_page *page = &lightmap->pages[face->page];
    for (uint32_t y = 0; y < 16; y++) {
        for (uint32_t x = 0; x < 32; x++) {
            const uint8_t *got = page->rgba + 4 * ((face->y + y) * page->width + face->x + x);
            assert_memory_equal(got, map->light.data + 4 * (y * 32 + x), 3);
        }
    }
    bsp_lightmap_free(lightmap);
    unload(map, file);
    patch_free(&p);
}

// A light lump of zeros was never filled.
static void test_dark(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    uint64_t size;
    uint64_t at = patch_lump_at(&p, "LIGHTMAP_DATA_SKY", &size);
    memset(p.data + at, 0, (size_t)size);
    bsp_file *file;
    bsp_map *map = load(&p, &file);
    bsp_lightmap *lightmap = bsp_lightmap_build(map, file, NULL, NULL);
    assert_non_null(lightmap);
    assert_int_equal(lightmap->num_lit, 0);
    assert_int_equal(lightmap->num_dropped, 0);
    bsp_lightmap_free(lightmap);
    unload(map, file);
    patch_free(&p);
}

// Two walls of one material, the left and the right one of a corner of the room.
static void draw_walls(const bsp_map *map, bool full_bright, uint8_t walls[2][4]) {
    bsp_renderer_options options = {.full_bright = full_bright, .plain = true};
    bsp_view view = {.width = 320, .height = 200, .from = {-100, -100, 64}, .angles = {0, 45, 0}};
    bsp_renderer *renderer = bsp_renderer_build(map, NULL, &options, NULL);
    bsp_image image;
    assert_non_null(renderer);
    assert_true(bsp_renderer_draw(renderer, &view, NULL, &image, NULL, NULL));
    for (uint32_t side = 0; side < 2; side++) {
        size_t x = side == 0 ? 20 : 300;
        memcpy(walls[side], image.pixels + 4 * (100 * (size_t)view.width + x), 4);
    }
    bsp_image_free(&image);
    bsp_renderer_free(renderer);
}

// A map without light is shaded, unless that is not wanted.
static void test_shaded(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    uint64_t size;
    uint64_t at = patch_lump_at(&p, "LIGHTMAP_DATA_SKY", &size);
    memset(p.data + at, 0, (size_t)size);
    bsp_file *file;
    bsp_map *map = load(&p, &file);
    uint8_t walls[2][4];
    draw_walls(map, true, walls);
    assert_memory_equal(walls[0], walls[1], 4);
    assert_true(walls[0][0] > 100 && walls[0][1] == 0); // half red: no light darkens it
    uint8_t bright = walls[0][0];
    draw_walls(map, false, walls);
    assert_true(walls[0][0] != walls[1][0]);
    assert_true(walls[0][0] < bright && walls[1][0] < bright);
    unload(map, file);
    patch_free(&p);
}

// A page that the file has not is another matter.
static void test_lost_light(void **state) {
    (void)state;
    patch p = patch_of("titanfall2", false, 0);
    patch_field(&p, "LIGHTMAP_HEADERS", 0, "width", 0, 33);
    bsp_file *file;
    bsp_map *map = load(&p, &file);
    bsp_lightmap *lightmap = bsp_lightmap_build(map, file, NULL, NULL);
    assert_non_null(lightmap);
    assert_int_equal(lightmap->num_lit, 0);
    assert_int_equal(lightmap->num_dropped, map->num_faces / 2);
    bsp_lightmap_free(lightmap);
    unload(map, file);
    patch_free(&p);
}

// --- map source ---------------------------------------------------------------------------------

// The builder lays textures two texels a unit along the axes behind a side's own.
static void test_texture_vectors(void **state) {
    (void)state;
    patch p = patch_of("titanfall", false, 0);
    bsp_file *file;
    bsp_map *map = load(&p, &file);
    bsp_decompile_options options = {.file = file};
    bsp_mapdoc *source = bsp_decompile(map, &options, NULL, NULL);
    assert_non_null(source);
    uint32_t checked = 0;
    for (uint32_t s = 0; s < source->num_sides; s++) {
        const bsp_mapdoc_side *side = &source->sides[s];
        for (uint32_t a = 0; a < 3; a++) {
            if (side->normal[a] == 1 || side->normal[a] == -1) {
                assert_true(side->vec[0][(a + 1) % 3] == 2);
                assert_true(side->vec[1][(a + 2) % 3] == 2);
                checked++;
            }
        }
    }
    assert_int_equal(checked, 6 * ROOM_BRUSHES);
    bsp_mapdoc_free(source);
    unload(map, file);
    patch_free(&p);
}

// A prop is an entity, also where there are no brushes.
static void expect_prop(const char *branch) {
    static const char *const lines[] = {
        "\"classname\" \"prop_static\"",
        "\"model\" \"models/room/crate.mdl\"",
        "\"origin\" \"96 -8 4.5\"",
        "\"angles\" \"0 90 0\"",
        "\"skin\" \"1\"",
        "\"solid\" \"6\"",
        "\"uniformscale\" \"2\"",
    };
    patch p = patch_of(branch, false, 0);
    bsp_file *file;
    bsp_map *map = load(&p, &file);
    bsp_static_prop prop = {
        .origin = {96, -8, 4.5f}, .angles = {0, 90, 0}, .skin = 1, .solid = 6, .scale = 2};
    bsp_text model = bsp_text_of("models/room/crate.mdl");
    bsp_map with = *map;
    with.static_props = &prop;
    with.static_prop_models = &model;
    with.num_static_props = with.num_static_prop_models = 1;
    bsp_mapdoc *source = bsp_decompile(&with, NULL, NULL, NULL);
    assert_non_null(source);
    char *text = print_source(source, BSP_DIALECT_VMF, NULL, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_non_null(strstr(text, lines[i]));
    }
    free(text);
    bsp_mapdoc_free(source);
    unload(map, file);
    patch_free(&p);
}

static void test_props(void **state) {
    (void)state;
    expect_prop("titanfall");
    expect_prop("titanfall2");
    expect_prop("apex");
}

// --- the map of the corpus ----------------------------------------------------------------------

// Half-Life's Crossfire for Titanfall 2, by a compiler of its makers' own. Numbers: bsp_tool, and a
// computation by hand of the planes (458 boxes and 182 further planes).
static void check_crossfire(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    if (strcmp(map->branch->name, "titanfall2") != 0) {
        return;
    }
    uint32_t triangles = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        triangles += map->faces[f].num_indices / 3;
    }
    assert_int_equal(map->num_faces, 79);
    assert_int_equal(triangles, 5408);
    assert_int_equal(map->num_draw_verts, 10850);
    assert_int_equal(map->num_brushes, 458);
    assert_int_equal(map->models[0].num_brushes, 458);
    assert_int_equal(map->num_planes, 182 + 6 * 458);
    assert_int_equal(map->num_brush_sides, 182 + 6 * 458);
    for (uint32_t b = 0; b < map->num_brushes; b++) {
        assert_int_equal(map->brushes[b].contents, 1);
    }
    bsp_mesh_options options = {.sky = true, .hidden = true};
    bsp_mesh *mesh = bsp_mesh_build(map, &options, NULL);
    assert_non_null(mesh);
    assert_int_equal(mesh->num_indices, 3 * 5408);
    bsp_mesh_free(mesh);
    *(unsigned *)user += 1;
}

static void test_crossfire(void **state) {
    (void)state;
    unsigned found = 0;
    if (each_map_do(check_crossfire, &found) == 0) {
        skip(); // ../shared is not there
    }
    assert_int_equal(found, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh_range),
        cmocka_unit_test(test_sort_offset),
        cmocka_unit_test(test_brush_range),
        cmocka_unit_test(test_planes_shared),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_other_primitives),
        cmocka_unit_test(test_light),
        cmocka_unit_test(test_dark),
        cmocka_unit_test(test_lost_light),
        cmocka_unit_test(test_shaded),
        cmocka_unit_test(test_texture_vectors),
        cmocka_unit_test(test_props),
        cmocka_unit_test(test_crossfire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
