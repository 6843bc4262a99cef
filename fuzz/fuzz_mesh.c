// SPDX-License-Identifier: MIT
// Mesh, brush hulls and light of damaged maps: every index of the results is valid, all memory is
// given back, and what would be too much is refused.
#include "bspkit/hulls.h"
#include "bspkit/mesh.h"
#include "bspkit/physics.h"

#include "meter.h"

// Part of the 64 MiB that the meter allows with the map itself.
#define ROOM ((size_t)24 << 20)

static void check_mesh(const bsp_map *map, const bsp_mesh *mesh) {
    for (uint32_t g = 0; g < mesh->num_groups; g++) {
        const bsp_mesh_group *group = &mesh->groups[g];
        FUZZ_CHECK(group->model < map->num_models);
        FUZZ_CHECK(group->material == BSP_NONE || group->material < map->num_materials);
        FUZZ_CHECK(group->first_index <= mesh->num_indices &&
                   group->num_indices <= mesh->num_indices - group->first_index);
        for (uint32_t i = 0; i < group->num_indices; i++) {
            uint32_t index = mesh->indices[group->first_index + i];
            FUZZ_CHECK(index >= group->first_vertex &&
                       index - group->first_vertex < group->num_vertices);
        }
    }
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        FUZZ_CHECK(mesh->faces[f].face < map->num_faces);
        FUZZ_CHECK(mesh->faces[f].group < mesh->num_groups);
        FUZZ_CHECK(mesh->of_face[mesh->faces[f].face] < mesh->num_faces);
    }
}

static void check_light(const bsp_lightmap *light) {
    for (uint32_t f = 0; f < light->num_faces; f++) {
        const bsp_light_face *face = &light->faces[f];
        if (face->page == BSP_NONE) {
            continue;
        }
        FUZZ_CHECK(face->page < light->num_pages);
        FUZZ_CHECK(face->x + face->width < light->pages[face->page].width);
        FUZZ_CHECK(face->y + face->height < light->pages[face->page].height);
    }
}

static void check_brushes(const bsp_brush_mesh *mesh) {
    for (uint32_t h = 0; h < mesh->num_hulls; h++) {
        const bsp_brush_hull *hull = &mesh->hulls[h];
        for (uint32_t p = 0; p < hull->num_polygons; p++) {
            const bsp_brush_polygon *polygon = &mesh->polygons[hull->first_polygon + p];
            for (uint32_t i = 0; i < polygon->num_indices; i++) {
                uint32_t index = mesh->indices[polygon->first_index + i];
                FUZZ_CHECK(index >= hull->first_point &&
                           index - hull->first_point < hull->num_points);
            }
        }
    }
}

static void check_hulls(const bsp_map *map, const bsp_hull_mesh *mesh) {
    for (uint32_t n = 0; n < mesh->num_pieces; n++) {
        const bsp_hull_piece *piece = &mesh->pieces[n];
        FUZZ_CHECK(piece->model < map->num_models);
        for (uint32_t p = 0; p < piece->num_polygons; p++) {
            const bsp_hull_polygon *polygon = &mesh->polygons[piece->first_polygon + p];
            FUZZ_CHECK(polygon->plane == BSP_NONE || polygon->plane < map->num_planes);
            for (uint32_t i = 0; i < polygon->num_indices; i++) {
                uint32_t index = mesh->indices[polygon->first_index + i];
                FUZZ_CHECK(index >= piece->first_point &&
                           index - piece->first_point < piece->num_points);
            }
        }
    }
}

static void check_physics(const bsp_map *map, const bsp_physics *physics) {
    for (uint32_t i = 0; physics != NULL && i < physics->num_pieces; i++) {
        const bsp_physics_piece *piece = &physics->pieces[i];
        FUZZ_CHECK(piece->solid < physics->num_solids);
        FUZZ_CHECK(piece->brush == BSP_NONE || piece->brush < map->num_brushes);
        for (uint32_t k = 0; k < piece->num_indices; k++) {
            uint32_t index = physics->indices[piece->first_index + k];
            FUZZ_CHECK(index >= piece->first_point &&
                       index - piece->first_point < piece->num_points);
        }
    }
    for (uint32_t i = 0; physics != NULL && i < physics->num_indices / 3; i++) {
        FUZZ_CHECK(physics->triangle_props[i] < physics->num_surface_props);
    }
}

static void ask_space(const bsp_map *map) {
    bsp_light_grid grid;
    bsp_point_light light;
    float cube[6][3];
    static const float point[3] = {1, 2, 3};
    if (bsp_light_grid_of(map, &grid)) {
        (void)bsp_light_grid_sample(map, &grid, point, &light);
    }
    for (uint32_t leaf = 0; leaf < map->num_leaves && leaf < 64; leaf++) {
        (void)bsp_ambient_cube(map, leaf, point, leaf % 2 != 0, cube);
    }
}

static void build_all(const bsp_file *file, const bsp_map *map, fuzz_meter *meter) {
    bsp_error error = {0};
    bsp_lightmap_options light_options = {
        .other_styles = 1, .allocator = &meter->allocator, .budget = fuzz_budget(meter, ROOM)};
    bsp_lightmap *light = bsp_lightmap_build(map, file, &light_options, &error);
    FUZZ_CHECK(light != NULL || error.code == BSP_E_LIMIT);
    bsp_mesh_options options = {.hidden = true,
                                .sky = true,
                                .flare_size = 8,
                                .lightmap = light,
                                .file = file,
                                .allocator = &meter->allocator,
                                .budget = fuzz_budget(meter, ROOM)};
    bsp_mesh *mesh = bsp_mesh_build(map, &options, &error);
    FUZZ_CHECK(mesh != NULL || error.code == BSP_E_LIMIT);
    if (light != NULL) {
        check_light(light);
    }
    if (mesh != NULL) {
        check_mesh(map, mesh);
    }
    bsp_mesh_free(mesh);
    bsp_lightmap_free(light);
    bsp_brush_mesh_options brush_options = {.allocator = &meter->allocator,
                                            .budget = fuzz_budget(meter, ROOM)};
    bsp_brush_mesh *brushes = bsp_brush_mesh_build(map, &brush_options, &error);
    FUZZ_CHECK(brushes != NULL || error.code == BSP_E_LIMIT);
    if (brushes != NULL) {
        check_brushes(brushes);
    }
    bsp_brush_mesh_free(brushes);
    for (int surface = 0; surface < 2; surface++) {
        bsp_hull_mesh_options hull_options = {.surface = surface != 0,
                                              .allocator = &meter->allocator,
                                              .budget = fuzz_budget(meter, ROOM)};
        bsp_hull_mesh *hulls = bsp_hull_mesh_build(map, &hull_options, &error);
        FUZZ_CHECK(hulls != NULL || error.code == BSP_E_LIMIT);
        if (hulls != NULL) {
            check_hulls(map, hulls);
        }
        bsp_hull_mesh_free(hulls);
    }
    bsp_physics_options physics_options = {.allocator = &meter->allocator,
                                           .budget = fuzz_budget(meter, ROOM)};
    bsp_physics *physics = bsp_physics_build(map, file, &physics_options, &error);
    FUZZ_CHECK(physics != NULL || error.code == BSP_E_LIMIT);
    check_physics(map, physics);
    bsp_physics_free(physics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_open_options options = {.allocator = &meter.allocator};
    bsp_file *file = bsp_file_open_memory(bytes, &options, NULL);
    if (file != NULL) {
        bsp_map_options map_options = {.allocator = &meter.allocator,
                                       .budget = fuzz_budget(&meter, ROOM)};
        bsp_map *map = bsp_map_load(file, &map_options, NULL);
        if (map != NULL) {
            build_all(file, map, &meter);
            ask_space(map);
        }
        bsp_map_free(map);
    }
    bsp_file_close(file);
    fuzz_meter_end(&meter, size);
    return 0;
}
