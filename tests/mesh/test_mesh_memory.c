// SPDX-License-Identifier: MIT
// Mesh, hulls and light of the samples with the n-th request for memory refused, for each n until
// nothing fails: each failure says why, and everything is given back. And the same map gives the
// same bytes twice.
#include "bspkit/mesh.h"
#include "support/alloc.h"
#include "support/each_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_REQUESTS 10000u

// Builds everything; false when some part could not be.
static bool build_all(const each_map *m, test_meter *meter) {
    bsp_allocator allocator = meter_allocator(meter);
    bsp_error error = {0};
    bsp_lightmap_options light_options = {.allocator = &allocator};
    bsp_lightmap *light = bsp_lightmap_build(m->map, m->file, &light_options, &error);
    bsp_mesh_options options = {
        .hidden = true, .sky = true, .lightmap = light, .file = m->file, .allocator = &allocator};
    bsp_mesh *mesh = light == NULL ? NULL : bsp_mesh_build(m->map, &options, &error);
    bsp_brush_mesh_options brush_options = {.allocator = &allocator};
    bsp_brush_mesh *brushes =
        mesh == NULL ? NULL : bsp_brush_mesh_build(m->map, &brush_options, &error);
    bool built = brushes != NULL;
    assert_int_equal(error.code, built ? BSP_OK : BSP_E_MEMORY);
    bsp_brush_mesh_free(brushes);
    bsp_mesh_free(mesh);
    bsp_lightmap_free(light);
    return built;
}

static void do_refuse(const each_map *m, void *user) {
    unsigned *done = user;
    if (m->map->num_faces > 700) {
        return; // the small maps have every path; the large ones only take longer
    }
    bool built = false;
    for (uint64_t n = 1; !built && n < MOST_REQUESTS; n++) {
        test_meter meter = {.fail_at = n};
        built = build_all(m, &meter);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
    assert_true(built);
    ++*done;
}

static void test_refuse(void **state) {
    (void)state;
    unsigned done = 0;
    (void)each_map_do(do_refuse, &done);
    assert_true(done != 0);
}

static void do_twice(const each_map *m, void *user) {
    (void)user;
    bsp_lightmap *light[2];
    bsp_mesh *mesh[2];
    for (int i = 0; i < 2; i++) {
        light[i] = bsp_lightmap_build(m->map, m->file, NULL, NULL);
        assert_non_null(light[i]);
        bsp_mesh_options options = {.lightmap = light[i], .file = m->file};
        mesh[i] = bsp_mesh_build(m->map, &options, NULL);
        assert_non_null(mesh[i]);
    }
    assert_int_equal(mesh[0]->num_vertices, mesh[1]->num_vertices);
    assert_int_equal(mesh[0]->num_indices, mesh[1]->num_indices);
    assert_int_equal(light[0]->num_pages, light[1]->num_pages);
    if (mesh[0]->num_vertices != 0) {
        assert_memory_equal(mesh[0]->vertices, mesh[1]->vertices,
                            mesh[0]->num_vertices * sizeof(bsp_mesh_vertex));
        assert_memory_equal(mesh[0]->indices, mesh[1]->indices,
                            mesh[0]->num_indices * sizeof(uint32_t));
    }
    for (uint32_t p = 0; p < light[0]->num_pages; p++) {
        const bsp_light_page *page = &light[0]->pages[p];
        assert_memory_equal(page->rgba, light[1]->pages[p].rgba,
                            (size_t)page->width * page->height * 4);
    }
    for (int i = 0; i < 2; i++) {
        bsp_mesh_free(mesh[i]);
        bsp_lightmap_free(light[i]);
    }
}

static void test_twice(void **state) {
    (void)state;
    (void)each_map_do(do_twice, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
