// SPDX-License-Identifier: MIT
// Overlays on one square face, 64 units wide at z = 0, looking up: what is cut, where the texture
// lies, and what cannot be laid. All numbers are worked out by hand.
#include "bspkit/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct scene {
    bsp_vertex vertices[4];
    bsp_edge edges[5];
    int32_t surfedges[4];
    bsp_plane plane;
    bsp_face face;
    bsp_texinfo texinfos[2];
    bsp_material materials[2];
    bsp_model model;
    bsp_overlay overlay;
    bsp_traits traits;
    bsp_branch branch;
    bsp_map map;
} scene;

static void begin(scene *s) {
    static const float corners[4][2] = {{0, 0}, {0, 64}, {64, 64}, {64, 0}}; // clockwise from above
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(s->vertices[i].point, corners[i], sizeof corners[i]);
        s->edges[i + 1] = (bsp_edge){{i, (i + 1) % 4}};
        s->surfedges[i] = (int32_t)i + 1;
    }
    s->plane = (bsp_plane){{0, 0, 1}, 0, 2};
    s->face = (bsp_face){
        .type = BSP_FACE_POLYGON, .num_edges = 4, .texinfo = 0, .displacement = BSP_NONE};
    s->texinfos[1].material = 1;
    s->materials[0] = (bsp_material){.name = {"floor", 5}, .width = 64, .height = 64};
    s->materials[1] = (bsp_material){.name = {"sign", 4}, .width = 16, .height = 16};
    s->model.num_faces = 1;
    s->traits = (bsp_traits){.light = BSP_LIGHT_RGBEXP32,
                             .surface = bsp_branch_traits(bsp_branch_find("source_20"))->surface};
    s->branch = (bsp_branch){.name = "source_20", .family = BSP_SOURCE};
    // 32 units wide, its middle on the right edge of the face; U runs along +X, so V along +Y.
    s->overlay =
        (bsp_overlay){.texinfo = 1,
                      .num_faces = 1,
                      .u = {0, 1},
                      .v = {1, 0},
                      .uv_points = {{-16, -16, 1}, {-16, 16, 0}, {16, 16, 0}, {16, -16, 0}},
                      .origin = {64, 32, 0},
                      .normal = {0, 0, 1}};
    s->map = (bsp_map){.branch = &s->branch, .traits = &s->traits};
    s->map.vertices = s->vertices;
    s->map.num_vertices = 4;
    s->map.edges = s->edges;
    s->map.num_edges = 5;
    s->map.surfedges = s->surfedges;
    s->map.num_surfedges = 4;
    s->map.planes = &s->plane;
    s->map.num_planes = 1;
    s->map.faces = &s->face;
    s->map.num_faces = 1;
    s->map.texinfos = s->texinfos;
    s->map.num_texinfos = 2;
    s->map.materials = s->materials;
    s->map.num_materials = 2;
    s->map.models = &s->model;
    s->map.num_models = 1;
    s->map.overlays = &s->overlay;
    s->map.num_overlays = 1;
}

static bsp_mesh *build(const scene *s) {
    bsp_mesh_options options = {.overlays = true};
    bsp_mesh *mesh = bsp_mesh_build(&s->map, &options, NULL);
    assert_non_null(mesh);
    return mesh;
}

static double area_of(const bsp_mesh *mesh, const bsp_mesh_group *group) {
    double area = 0;
    for (uint32_t i = group->first_index; i < group->first_index + group->num_indices; i += 3) {
        const float *a = mesh->vertices[mesh->indices[i]].position;
        const float *b = mesh->vertices[mesh->indices[i + 1]].position;
        const float *c = mesh->vertices[mesh->indices[i + 2]].position;
        area += ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
                ((double)c[0] - (double)a[0]) * ((double)b[1] - (double)a[1]); // up: positive
    }
    return area / 2;
}

static void test_cut(void **state) {
    (void)state;
    scene s;
    begin(&s);
    bsp_mesh *mesh = build(&s);
    assert_int_equal(mesh->num_groups, 2);
    assert_int_equal(mesh->of_face[0], 0);
    const bsp_mesh_group *group = &mesh->groups[1];
    assert_int_equal(group->bits, BSP_SURFACE_OVERLAY);
    assert_int_equal(group->material, 1);
    assert_int_equal(mesh->faces[group->first_face].overlay, 0);
    assert_int_equal(mesh->faces[group->first_face].face, 0);
    assert_true(fabs(area_of(mesh, group) - 16 * 32) < 1e-3);
    for (uint32_t v = group->first_vertex; v < group->first_vertex + group->num_vertices; v++) {
        const bsp_mesh_vertex *p = &mesh->vertices[v];
        assert_true(p->position[0] >= 48 && p->position[0] <= 64);
        assert_true(p->position[1] >= 16 && p->position[1] <= 48);
        assert_true(fabsf(p->position[2] - BSP_OVERLAY_LIFT) < 1e-6F);
        assert_true(fabsf(p->uv[0] - (p->position[0] - 48) / 32) < 1e-5F);
        assert_true(fabsf(p->uv[1] - (1 - (p->position[1] - 16) / 32)) < 1e-5F);
    }
    bsp_mesh_free(mesh);
}

// The fourth corner's third number turns the second axis: the quad is mirrored at the X axis.
static void test_turned(void **state) {
    (void)state;
    scene s;
    begin(&s);
    s.overlay.uv_points[3][2] = 1;
    s.overlay.origin[0] = 32;
    bsp_mesh *mesh = build(&s);
    const bsp_mesh_group *group = &mesh->groups[1];
    assert_true(fabs(area_of(mesh, group) - 32 * 32) < 1e-3);
    for (uint32_t v = group->first_vertex; v < group->first_vertex + group->num_vertices; v++) {
        const bsp_mesh_vertex *p = &mesh->vertices[v];
        assert_true(fabsf(p->uv[1] - (p->position[1] - 16) / 32) < 1e-5F);
    }
    bsp_mesh_free(mesh);
}

static void test_left_out(void **state) {
    (void)state;
    scene s;
    begin(&s);
    bsp_mesh *mesh = bsp_mesh_build(&s.map, NULL, NULL); // not asked for
    assert_int_equal(mesh->num_groups, 1);
    bsp_mesh_free(mesh);
    s.overlay.normal[2] = -1; // from behind
    mesh = build(&s);
    assert_int_equal(mesh->groups[1].num_indices, 0);
    bsp_mesh_free(mesh);
    s.overlay.normal[2] = 1;
    s.overlay.uv_points[0][0] = NAN;
    mesh = build(&s);
    assert_int_equal(mesh->groups[1].num_indices, 0);
    bsp_mesh_free(mesh);
    begin(&s);
    s.overlay.faces[0] = 7; // no such face
    mesh = build(&s);
    assert_int_equal(mesh->num_groups, 1);
    bsp_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
