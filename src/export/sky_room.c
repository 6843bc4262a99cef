// SPDX-License-Identifier: MIT
// The room of the sky: its faces, entities and props are told from the others, so that they can be
// placed where they are seen, or left out.
#include "scene/sky_leaves.h"

#include "export/content.h"

#include <math.h>
#include <string.h>

// How many times as far as the world is wide a room lies that is seen endlessly far.
#define FAR_AWAY 8.0F

static float radius_of(const float mins[3], const float maxs[3], const float middle[3]) {
    float square = 0;
    for (int i = 0; i < 3; i++) {
        float side = fmaxf(fabsf(maxs[i] - middle[i]), fabsf(mins[i] - middle[i]));
        square += side * side;
    }
    return sqrtf(square);
}

static void grow(const bsp_mesh_vertex *vertices, uint32_t count, float mins[3], float maxs[3]) {
    for (uint32_t v = 0; v < count; v++) {
        for (int i = 0; i < 3; i++) {
            mins[i] = fminf(mins[i], vertices[v].position[i]);
            maxs[i] = fmaxf(maxs[i], vertices[v].position[i]);
        }
    }
}

// Marks the world's faces, and measures how far the room and the rest of the world reach.
static bool mark_faces(bspi_content *content, const bspi_sky_leaves *leaves, float *ratio,
                       bsp_error *error) {
    const bsp_mesh *mesh = content->mesh;
    bspi_sky_room *room = &content->room;
    float bounds[2][2][3];
    room->faces = bspi_arena_zero(&content->arena, (size_t)mesh->num_faces + 1, 1, error);
    if (room->faces == NULL) {
        return false;
    }
    for (int i = 0; i < 12; i++) {
        bounds[i / 6][i / 3 % 2][i % 3] = i / 3 % 2 == 0 ? INFINITY : -INFINITY;
    }
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        const bsp_mesh_face *face = &mesh->faces[f];
        const bsp_mesh_vertex *vertices = &mesh->vertices[face->first_vertex];
        if (mesh->groups[face->group].model != 0 || face->num_vertices == 0) {
            continue;
        }
        float mins[3] = {INFINITY, INFINITY, INFINITY};
        float maxs[3] = {-INFINITY, -INFINITY, -INFINITY};
        grow(vertices, face->num_vertices, mins, maxs);
        room->faces[f] = bspi_sky_leaves_hold(leaves, face->face, mins, maxs, vertices->normal);
        grow(vertices, face->num_vertices, bounds[room->faces[f]][0], bounds[room->faces[f]][1]);
    }
    static const float nothing[3] = {0, 0, 0};
    *ratio = radius_of(bounds[0][0], bounds[0][1], nothing) /
             radius_of(bounds[1][0], bounds[1][1], room->origin);
    return true;
}

// What stands in it: brush models by the middle of their box, props by their origin.
static bool mark_things(bspi_content *content, const bspi_sky_leaves *leaves, bsp_error *error) {
    const bsp_scene *scene = content->scene;
    const bsp_map *map = content->map;
    bspi_sky_room *room = &content->room;
    bspi_arena *arena = &content->arena;
    room->instances = bspi_arena_zero(arena, (size_t)scene->num_instances + 1, 1, error);
    room->props = bspi_arena_zero(arena, (size_t)scene->num_props + 1, 1, error);
    room->statics = bspi_arena_zero(arena, (size_t)map->num_static_props + 1, 1, error);
    room->decals = bspi_arena_zero(arena, (size_t)scene->num_decals + 1, 1, error);
    if (room->instances == NULL || room->props == NULL || room->statics == NULL ||
        room->decals == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scene->num_instances; i++) {
        const bsp_scene_instance *it = &scene->instances[i];
        const bsp_model *model = &map->models[it->model];
        float middle[3];
        float point[3];
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] = (model->mins[axis] + model->maxs[axis]) / 2;
        }
        bsp_placement_point(&it->place, middle, point);
        room->instances[i] = it->model != 0 && bspi_sky_leaves_have(leaves, point);
    }
    for (uint32_t i = 0; i < scene->num_props; i++) {
        const float(*place)[4] = scene->props[i].place;
        const float origin[3] = {place[0][3], place[1][3], place[2][3]};
        room->props[i] = bspi_sky_leaves_have(leaves, origin);
    }
    for (uint32_t i = 0; i < map->num_static_props; i++) {
        room->statics[i] = bspi_sky_leaves_have(leaves, map->static_props[i].origin);
    }
    for (uint32_t i = 0; i < scene->num_decals; i++) {
        const bsp_mesh_vertex *corner = &scene->decal_vertices[scene->decals[i].first_vertex];
        room->decals[i] = bspi_sky_leaves_have(leaves, corner->position);
    }
    return true;
}

bool bspi_sky_room_build(bspi_content *content, bsp_error *error) {
    const bsp_scene_sky_room *from = &content->scene->sky_room;
    bspi_sky_room *room = &content->room;
    bspi_sky_leaves leaves;
    float ratio;
    room->shape = BSP_NONE;
    if (!from->found) {
        return true;
    }
    uint64_t steps = (uint64_t)content->map->num_leaves + content->map->num_leaf_faces +
                     content->mesh->num_vertices + content->scene->num_instances +
                     content->scene->num_props + content->scene->num_decals;
    if (!bspi_heap_work(&content->heap, steps, error) ||
        !bspi_sky_leaves_find(content->map, from->origin, &content->arena, &leaves, error)) {
        return false;
    }
    if (!leaves.found) {
        return true;
    }
    memcpy(room->origin, from->origin, sizeof room->origin);
    if (!mark_faces(content, &leaves, &ratio, error) || !mark_things(content, &leaves, error)) {
        return false;
    }
    float far = isfinite(ratio) && ratio > 1 ? FAR_AWAY * ratio : FAR_AWAY;
    room->scale = from->scale > 0 ? from->scale : far;
    room->found = true;
    return true;
}

bool bspi_sky_room_hides(const bspi_content *content, bool in_room) {
    return in_room && content->options->no_sky_room;
}
