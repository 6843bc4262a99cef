// SPDX-License-Identifier: MIT
// Every map that is there as .glb and .obj: as many triangles, faces and nodes as the map has, and
// the bounds of its mesh.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/export.h"
#include "core/reader.h"
#include "support/each_map.h"
#include "support/sink.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool forget(void *user, const char *data, size_t size) {
    (void)data;
    *(uint64_t *)user += size;
    return true;
}

static json_t *parse_glb(const test_sink *b) {
    assert_true(b->size >= 20 && b->size % 4 == 0);
    const uint8_t *data = (const uint8_t *)b->data;
    assert_int_equal(bspi_load32(data, false), 0x46546C67);
    assert_int_equal(bspi_load32(data + 8, false), b->size);
    uint32_t size = bspi_load32(data + 12, false);
    assert_int_equal(bspi_load32(data + 16, false), 0x4E4F534A);
    json_t *root = json_loadb((const char *)b->data + 20, size, 0, NULL);
    assert_non_null(root);
    return root;
}

static size_t count_of(const json_t *root, const char *list) {
    return json_array_size(json_object_get(root, list));
}

// Adds the bounds of the positions of a mesh, in the axes of the file.
static void add_bounds(const json_t *root, size_t mesh, double mins[3], double maxs[3]) {
    json_t *primitives =
        json_object_get(json_array_get(json_object_get(root, "meshes"), mesh), "primitives");
    for (size_t p = 0; p < json_array_size(primitives); p++) {
        json_t *attributes = json_object_get(json_array_get(primitives, p), "attributes");
        size_t number = (size_t)json_integer_value(json_object_get(attributes, "POSITION"));
        json_t *accessor = json_array_get(json_object_get(root, "accessors"), number);
        for (size_t i = 0; i < 3; i++) {
            double low = json_number_value(json_array_get(json_object_get(accessor, "min"), i));
            double high = json_number_value(json_array_get(json_object_get(accessor, "max"), i));
            mins[i] = fmin(mins[i], low);
            maxs[i] = fmax(maxs[i], high);
        }
    }
}

// The bounds of the world, whose part in the room of the sky is a mesh of its own.
static void world_bounds(const json_t *root, double mins[3], double maxs[3]) {
    const json_t *nodes = json_object_get(root, "nodes");
    for (int i = 0; i < 3; i++) {
        mins[i] = INFINITY;
        maxs[i] = -INFINITY;
    }
    add_bounds(root, 0, mins, maxs);
    for (size_t n = 0; n < json_array_size(nodes); n++) {
        const json_t *node = json_array_get(nodes, n);
        const char *name = json_string_value(json_object_get(node, "name"));
        const json_t *mesh = json_object_get(node, "mesh");
        if (name != NULL && strcmp(name, "sky_room") == 0 && mesh != NULL) {
            add_bounds(root, (size_t)json_integer_value(mesh), mins, maxs);
        }
    }
}

// The bounds of the world's mesh with x, z, -y, to the last bit.
static void check_world(const json_t *root, const bsp_map *map) {
    double mins[3];
    double maxs[3];
    bsp_mesh_options only = {.num_models = 1, .overlays = true};
    bsp_mesh *mesh = bsp_mesh_build(map, &only, NULL);
    assert_non_null(mesh);
    if (mesh->num_indices == 0) { // then mesh 0 is of another model
        bsp_mesh_free(mesh);
        return;
    }
    world_bounds(root, mins, maxs);
    assert_float_equal(mins[0], mesh->mins[0], 0);
    assert_float_equal(maxs[0], mesh->maxs[0], 0);
    assert_float_equal(mins[1], mesh->mins[2], 0);
    assert_float_equal(maxs[1], mesh->maxs[2], 0);
    assert_float_equal(mins[2], -mesh->maxs[1], 0);
    assert_float_equal(maxs[2], -mesh->mins[1], 0);
    bsp_mesh_free(mesh);
}

// Triangles of models that some entity shows where it is seen, or that none shows.
static uint64_t count_shown(const bsp_map *map, const bsp_mesh *mesh) {
    uint64_t triangles = 0;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    for (uint32_t g = 0; g < mesh->num_groups; g++) {
        bool named = false, seen = false;
        for (uint32_t i = 0; i < count; i++) {
            bsp_placement place = bsp_entity_placement(map, &map->entities->list[i]);
            named = named || place.model == mesh->groups[g].model;
            seen =
                seen || (place.model == mesh->groups[g].model && place.presence != BSP_NEVER_SEEN);
        }
        triangles += seen || !named ? mesh->groups[g].num_indices / 3 : 0;
    }
    return triangles;
}

static void check_counts(const each_map *m, const json_t *root, const bsp_export_report *report) {
    bsp_mesh_options with = {.overlays = true};
    bsp_mesh *mesh = bsp_mesh_build(m->map, &with, NULL);
    assert_non_null(mesh);
    uint32_t entities = m->map->entities == NULL ? 0 : m->map->entities->count;
    assert_int_equal(report->triangles, count_shown(m->map, mesh));
    assert_true(report->nodes >= entities + m->map->num_static_props);
    assert_int_equal(report->nodes, count_of(root, "nodes"));
    assert_int_equal(report->meshes, count_of(root, "meshes"));
    assert_int_equal(report->materials, count_of(root, "materials"));
    bsp_mesh_free(mesh);
}

static void check_map(const each_map *m, void *user) {
    unsigned *count = user;
    test_sink b = {0};
    uint64_t written = 0;
    bsp_error error = {0};
    bsp_export_report report;
    bsp_export_options options = {.scale = 1, .light = BSP_EXPORT_LIGHT_NONE};
    if (!bsp_export_glb(m->map, &options, test_sink_take, &b, &report, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    assert_int_equal(report.bytes, b.size);
    json_t *root = parse_glb(&b);
    check_counts(m, root, &report);
    check_world(root, m->map);
    uint64_t triangles = report.triangles;
    assert_true(bsp_export_obj(m->map, &options, forget, &written, &report, &error));
    assert_int_equal(report.bytes, written);
    assert_true(report.triangles >= triangles); // models are repeated with their entities
    json_decref(root);
    free(b.data);
    (*count)++;
}

static void test_each_map(void **state) {
    (void)state;
    unsigned count = 0;
    each_map_do(check_map, &count);
    assert_true(count != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
