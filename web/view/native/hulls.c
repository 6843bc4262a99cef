// SPDX-License-Identifier: MIT
// The surface of a clip hull over the picture: where the middle of a body that moves cannot be.
#include "session.h"

static bool add_point(const bsp_hull_mesh *mesh, const bsp_hull_polygon *polygon, uint32_t corner,
                      const bsp_placement *place) {
    const double *from =
        mesh->points[mesh->indices[polygon->first_index + corner % polygon->num_indices]].at;
    const float at[3] = {(float)from[0], (float)from[1], (float)from[2]};
    float point[3];
    bsp_placement_point(place, at, point);
    return bv_answer_add(NULL, (const char *)point, sizeof point);
}

// Adds a polygon as triangles, or its edges.
static bool add_polygon(const bsp_hull_mesh *mesh, const bsp_hull_polygon *polygon,
                        const bsp_placement *place, bool edges) {
    bool done = true;
    for (uint32_t i = edges ? 0 : 2; done && i < polygon->num_indices; i++) {
        done = edges
                   ? add_point(mesh, polygon, i, place) && add_point(mesh, polygon, i + 1, place)
                   : add_point(mesh, polygon, 0, place) && add_point(mesh, polygon, i - 1, place) &&
                         add_point(mesh, polygon, i, place);
    }
    return done;
}

// Adds a hull of one model where an instance stands.
static bool add_model(const bsp_hull_mesh *mesh, const bsp_scene_instance *at, bool edges) {
    bool done = true;
    for (uint32_t i = 0; done && i < mesh->num_pieces; i++) {
        const bsp_hull_piece *piece = &mesh->pieces[i];
        for (uint32_t p = 0; done && p < piece->num_polygons && piece->model == at->model; p++) {
            done = add_polygon(mesh, &mesh->polygons[piece->first_polygon + p], &at->place, edges);
        }
    }
    return done;
}

// Adds a hull of the world and of all models that the scene shows and that are solid.
static bool add_all(const bsp_scene *scene, uint32_t hull, const bsp_map *map, bool edges) {
    bool world = false;
    bool done = true;
    for (uint32_t i = 0; done && i < scene->num_instances; i++) {
        const bsp_scene_instance *at = &scene->instances[i];
        bool solid =
            at->entity == BSP_NONE || bsp_entity_is_solid(map, &map->entities->list[at->entity]);
        if (!solid || (at->model == 0 && world)) {
            continue;
        }
        world = world || at->model == 0;
        const bsp_hull_mesh_options how = {
            .hull = hull, .first_model = at->model, .num_models = 1, .surface = true};
        bsp_hull_mesh *mesh = bsp_hull_mesh_build(map, &how, &bv_last_error);
        done = mesh != NULL && add_model(mesh, at, edges);
        bsp_hull_mesh_free(mesh);
    }
    return done;
}

/// Answers with the surface of a hull, nine floats a triangle; or with its edges, six floats each.
/// Games without clip hulls have none. Returns false on failure.
BV_API int bv_hull(const bv_session *s, uint32_t hull, int edges) {
    bv_answer_begin();
    return s->scene == NULL || add_all(s->scene, hull, s->map, edges != 0);
}
