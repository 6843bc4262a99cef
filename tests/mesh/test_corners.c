// SPDX-License-Identifier: MIT
// The corners of faces, against the mesh and the pages of light, which are made by other means, and
// against the map's own records.
#include "bspkit/mesh.h"
#include "support/each_map.h"
#include "support/effort.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROOM 1024u
#define NEAR 0.02F // luxels: the pages' coordinates are floats of 0..1

typedef struct totals {
    unsigned faces;
    unsigned lit;
    unsigned patches;
} totals;

static void expect_near(float is, float should, float most) {
    if (!(fabsf(is - should) <= most)) {
        fail_msg("%g is not %g", (double)is, (double)should);
    }
}

// The corner in the light of its page, as the mesh has it.
static void expect_light(const bsp_map *map, const bsp_lightmap *light, uint32_t face,
                         const bsp_surface_corner *corner, const bsp_mesh_vertex *vertex) {
    const bsp_light_face *at = &light->faces[face];
    const bsp_light_page *page = &light->pages[at->page];
    const float side[2] = {(float)page->width, (float)page->height};
    const float first[2] = {(float)at->x, (float)at->y};
    for (int i = 0; i < 2; i++) {
        float luxel = vertex->light_uv[i] * side[i];
        float should = map->traits->draws_vertices
                           ? (corner->light[i] * at->scale[i] + at->offset[i]) * side[i]
                           : first[i] + corner->light[i] + 0.5F;
        expect_near(luxel, should, NEAR);
    }
}

static void expect_normal(const bsp_map *map, uint32_t face, const bsp_surface_corner *corner,
                          const bsp_mesh_vertex *vertex) {
    float dist;
    float normal[3] = {0, 0, 0};
    bool directed = bsp_surface_plane(map, face, normal, &dist);
    const float *should = map->traits->draws_vertices ? vertex->normal : normal;
    for (int c = 0; c < 3 && (directed || map->traits->draws_vertices); c++) {
        expect_near(corner->normal[c], should[c], 1e-2F);
    }
}

// Faces without light of a lit map share one black luxel.
static bool is_black(const bsp_map *map, const bsp_light_face *light) {
    return !map->traits->draws_vertices && light->width == 1 && light->height == 1;
}

static bool is_comparable(const bsp_map *map, const bsp_face *face) {
    return (face->type == BSP_FACE_POLYGON || face->type == BSP_FACE_MESH) &&
           face->displacement >= map->num_displacements && !map->traits->shares_vertices;
}

static void check_face(const bsp_map *map, const bsp_mesh *mesh, const bsp_lightmap *light,
                       uint32_t number, totals *t) {
    static bsp_surface_corner corners[ROOM];
    const bsp_face *face = &map->faces[number];
    uint32_t count = bsp_surface_corners(map, number, corners, ROOM);
    uint32_t drawn = mesh->of_face[number];
    t->patches += face->type == BSP_FACE_PATCH;
    if (face->type == BSP_FACE_PATCH) {
        assert_int_equal(count, face->patch_width * face->patch_height);
    }
    if (drawn == BSP_NONE || count > ROOM || !is_comparable(map, face)) {
        return;
    }
    const bsp_mesh_face *made = &mesh->faces[drawn];
    assert_int_equal(made->num_vertices, count);
    for (uint32_t i = 0; i < count; i++) {
        const bsp_mesh_vertex *vertex = &mesh->vertices[made->first_vertex + i];
        assert_memory_equal(corners[i].point, vertex->position, sizeof vertex->position);
        assert_memory_equal(corners[i].uv, vertex->uv, sizeof vertex->uv);
        expect_normal(map, number, &corners[i], vertex);
        if (light->faces[number].page < light->num_pages && !is_black(map, &light->faces[number])) {
            expect_light(map, light, number, &corners[i], vertex);
            t->lit++;
        }
    }
    t->faces++;
}

static void check_map(const each_map *m, void *user) {
    bsp_lightmap *light = bsp_lightmap_build(m->map, NULL, NULL, NULL);
    assert_non_null(light);
    bsp_mesh_options options = {.lightmap = light};
    bsp_mesh *mesh = bsp_mesh_build(m->map, &options, NULL);
    assert_non_null(mesh);
    for (uint32_t f = 0; f < m->map->num_faces; f++) {
        check_face(m->map, mesh, light, f, user);
    }
    bsp_mesh_free(mesh);
    bsp_lightmap_free(light);
}

static void corners_are_the_meshs(void **state) {
    (void)state;
    totals t = {0, 0, 0};
    unsigned corpus = each_map_do_some(test_step(6), check_map, &t);
    print_message("%u faces (%u maps of the corpus), %u corners in the light, %u patches\n",
                  t.faces, corpus, t.lit, t.patches);
    assert_true(t.faces > 1000 && t.lit > 1000 && t.patches > 0);
}

// A square of 64 units on z = 8, clockwise from above, with a texture of 32 x 16 texels.
static void corners_by_hand(void **state) {
    (void)state;
    const bsp_vertex vertices[] = {{{0, 0, 8}}, {{0, 64, 8}}, {{64, 64, 8}}, {{64, 0, 8}}};
    const bsp_edge edges[] = {{{0, 1}}, {{2, 1}}, {{2, 3}}, {{3, 0}}};
    const int32_t surfedges[] = {0, -1, 2, 3};
    const bsp_plane planes[] = {{.normal = {0, 0, 1}, .dist = 8}};
    const bsp_texinfo texinfos[] = {
        {.texture = {{1, 0, 0, 16}, {0, -2, 0, 0}}, .material = 0, .next = BSP_NONE}};
    const bsp_material materials[] = {{.width = 32, .height = 16}};
    const bsp_face faces[] = {{.type = BSP_FACE_POLYGON,
                               .num_edges = 4,
                               .material = BSP_NONE,
                               .displacement = BSP_NONE,
                               .original = BSP_NONE}};
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    bsp_map *loaded = bsp_map_load(file, NULL, NULL);
    assert_non_null(loaded);
    bsp_map map = {.branch = loaded->branch,
                   .traits = loaded->traits,
                   .vertices = vertices,
                   .num_vertices = 4,
                   .edges = edges,
                   .num_edges = 4,
                   .surfedges = surfedges,
                   .num_surfedges = 4,
                   .planes = planes,
                   .num_planes = 1,
                   .texinfos = texinfos,
                   .num_texinfos = 1,
                   .materials = materials,
                   .num_materials = 1,
                   .faces = faces,
                   .num_faces = 1};
    bsp_surface_corner c[4];
    assert_int_equal(bsp_surface_corners(&map, 0, NULL, 0), 4);
    assert_int_equal(bsp_surface_corners(&map, 1, c, 4), 0);
    memset(c, 1, sizeof c);
    assert_int_equal(bsp_surface_corners(&map, 0, c, 3), 4);
    assert_int_equal(c[3].color[0], 1); // there was no room for it
    assert_int_equal(bsp_surface_corners(&map, 0, c, 4), 4);
    static const float uv[4][2] = {{0.5F, 0}, {0.5F, -8}, {2.5F, -8}, {2.5F, 0}};
    for (int i = 0; i < 4; i++) {
        assert_memory_equal(c[i].point, vertices[i].point, sizeof c[i].point);
        assert_true(c[i].normal[0] == 0 && c[i].normal[1] == 0 && c[i].normal[2] == 1);
        assert_true(c[i].uv[0] == uv[i][0] && c[i].uv[1] == uv[i][1]);
        assert_true(c[i].light[0] == 0 && c[i].light[1] == 0 && c[i].color[0] == 255);
    }
    bsp_map_free(loaded);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_by_hand),
        cmocka_unit_test(corners_are_the_meshs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
