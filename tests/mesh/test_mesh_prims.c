// SPDX-License-Identifier: MIT
// Faces of Source that are drawn by vertices of primitives: a face of the room gets a square of two
// triangles out of PRIMVERTS, as a list and as a strip; what is not complete is not used.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mesh.h"
#include "support/room.h"

#include <string.h>

// The second square of the lump, so that numbers and places differ.
static const bsp_vertex verts[] = {{{9, 9, 9}},    {{9, 9, 9}},    {{0, 0, 128}},
                                   {{0, 64, 128}}, {{64, 0, 128}}, {{64, 64, 128}}};
static const uint32_t list[] = {2, 3, 4, 4, 3, 5};
static const uint32_t strip[] = {2, 3, 4, 5};

static const bsp_mesh_face *face_of(const bsp_mesh *mesh, uint32_t face) {
    assert_true(face < mesh->num_of_face && mesh->of_face[face] != BSP_NONE);
    return &mesh->faces[mesh->of_face[face]];
}

static bsp_mesh *build(room *r, const bsp_primitive *prim, const uint32_t *indices,
                       uint32_t count) {
    r->map.primitives = prim;
    r->map.num_primitives = 1;
    r->map.prim_verts = verts;
    r->map.num_prim_verts = 6;
    r->map.prim_indices = indices;
    r->map.num_prim_indices = count;
    r->faces[4].first_prim = 0;
    r->faces[4].num_prims = 1;
    bsp_mesh *mesh =
        bsp_mesh_build(&r->map, &(bsp_mesh_options){.hidden = true, .sky = true}, NULL);
    assert_non_null(mesh);
    return mesh;
}

// Both triangles turn the same way: the sum of their areas is that of the square.
static double area_of(const bsp_mesh *mesh, const bsp_mesh_face *face) {
    double area = 0;
    for (uint32_t i = 0; i < face->num_indices; i += 3) {
        const float *p[3];
        for (uint32_t k = 0; k < 3; k++) {
            p[k] = mesh->vertices[mesh->indices[face->first_index + i + k]].position;
            assert_true(p[k][2] == 128);
        }
        area += ((double)p[1][0] - (double)p[0][0]) * ((double)p[2][1] - (double)p[0][1]) -
                ((double)p[2][0] - (double)p[0][0]) * ((double)p[1][1] - (double)p[0][1]);
    }
    return area / 2;
}

static void test_square(void **state) {
    (void)state;
    for (uint32_t type = 0; type < 2; type++) {
        room *r = room_build(bsp_branch_find("source_20"));
        bsp_primitive prim = {
            .type = type, .num_indices = type == 0 ? 6 : 4, .first_vert = 2, .num_verts = 4};
        bsp_mesh *mesh = build(r, &prim, type == 0 ? list : strip, prim.num_indices);
        const bsp_mesh_face *face = face_of(mesh, 4);
        assert_int_equal(face->num_vertices, 4);
        assert_int_equal(face->num_indices, 6);
        // The list is clockwise from above, so it is counter-clockwise from below in a mesh.
        assert_true(area_of(mesh, face) == 64.0 * 64 || area_of(mesh, face) == -64.0 * 64);
        bsp_mesh_free(mesh);
        room_free(r);
    }
}

// Numbers outside of the primitive's own vertices, no area: the face is the fan of its corners.
static void test_refused(void **state) {
    static const uint32_t outside[] = {1, 3, 4, 4, 3, 5};
    static const uint32_t flat[] = {2, 3, 3, 2, 2, 3};
    static const uint32_t beyond[] = {2, 3, 4, 4, 3, 6};
    const uint32_t *const wrong[] = {outside, flat, beyond};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        room *r = room_build(bsp_branch_find("source_20"));
        bsp_primitive prim = {.num_indices = 6, .first_vert = 2, .num_verts = 4};
        bsp_mesh *mesh = build(r, &prim, wrong[i], 6);
        const bsp_mesh_face *face = face_of(mesh, 4);
        assert_int_equal(face->num_vertices, r->faces[4].num_edges);
        for (uint32_t v = 0; v < face->num_vertices; v++) {
            assert_true(mesh->vertices[face->first_vertex + v].position[0] != 9);
        }
        bsp_mesh_free(mesh);
        room_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
