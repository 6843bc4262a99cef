// SPDX-License-Identifier: MIT
// Places the models of a scene in the world. Their vertices get the light of the place, by their
// normals. Sprites that turn to the viewer are kept with what places them for a view.
#include "render/props.h"

#include "core/curves.h"
#include "scene/draw.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const bsp_scene_prop *prop, bool hidden) {
    return prop->shown || hidden;
}

bool bspi_props_count(const bsp_scene *scene, bool hidden, bspi_meter *meter,
                      bspi_prop_counts *out) {
    *out = (bspi_prop_counts){0};
    bool done = true;
    for (uint32_t i = 0; done && i < scene->num_props; i++) {
        const bsp_scene_prop *prop = &scene->props[i];
        const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
        uint64_t steps = 1;
        if (is_wanted(prop, hidden)) {
            out->vertices += mesh->num_vertices;
            out->indices += mesh->num_indices;
            out->groups += mesh->num_groups;
            out->turning += bspi_mesh_turns(mesh) ? mesh->num_groups : 0;
            out->points += bspi_mesh_turns(mesh) ? mesh->num_vertices : 0;
            steps += (uint64_t)mesh->num_vertices + mesh->num_indices + mesh->num_groups;
        }
        done = bspi_meter_add(meter, steps);
    }
    return done;
}

static void put_vertex(const bsp_scene *scene, const bsp_scene_prop *prop, uint32_t number,
                       bool lit, bsp_mesh_vertex *to) {
    const bsp_model_vertex *from = &scene->models[prop->model].mesh->vertices[number];
    bspi_prop_vertex placed;
    bspi_place_vertex(scene, prop, number, lit, &placed);
    *to = (bsp_mesh_vertex){.uv = {from->uv[0], from->uv[1]}};
    memcpy(to->position, placed.position, sizeof to->position);
    memcpy(to->normal, placed.normal, sizeof to->normal);
    memcpy(to->color, placed.color, sizeof to->color);
}

// The box of what turns holds it however it is turned, and as large as it gets.
static void put_turning(bsp_renderer *renderer, const bsp_scene *scene, const bsp_scene_prop *prop,
                        const bsp_model_group *group, bspi_piece *piece) {
    const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
    bspi_turning *t = &renderer->turnings[renderer->num_turnings++];
    float most = 0;
    *t = (bspi_turning){
        .facing = mesh->facing, .size = prop->scale, .first_point = renderer->num_points};
    for (int i = 0; i < 3; i++) {
        t->origin[i] = prop->place[i][3];
        t->right[i] = -prop->place[i][1];
        t->up[i] = prop->place[i][2];
    }
    for (uint32_t v = 0; v < group->num_vertices; v++) {
        const float *at = mesh->vertices[group->first_vertex + v].position;
        float *point = renderer->points[renderer->num_points++];
        point[0] = -at[1];
        point[1] = at[2];
        most = fmaxf(most, bspi_length_of(point[0], point[1]));
    }
    float reach = most * prop->scale * (prop->glow ? BSPI_GLOW_MOST : 1);
    for (int i = 0; i < 3; i++) {
        piece->mins[i] = t->origin[i] - reach;
        piece->maxs[i] = t->origin[i] + reach;
    }
    piece->turning = renderer->num_turnings;
}

static void add_piece(bsp_renderer *renderer, const bsp_scene *scene, const bsp_scene_prop *prop,
                      const bsp_model_group *group, uint32_t batch) {
    bspi_piece *piece = &renderer->pieces[renderer->num_pieces++];
    *piece = (bspi_piece){.first_vertex = renderer->num_vertices,
                          .num_vertices = group->num_vertices,
                          .first_index = renderer->num_indices,
                          .num_indices = group->num_indices,
                          .batch = batch,
                          .paint = batch,
                          .face = BSP_NONE};
    bspi_piece_measure(renderer, piece);
    if (bspi_mesh_turns(scene->models[prop->model].mesh)) {
        put_turning(renderer, scene, prop, group, piece);
    }
}

static const bsp_scene_material *look_of(const bsp_scene *scene, uint32_t material) {
    static const bsp_scene_material grey = {.opacity = 1};
    return material < scene->num_materials ? &scene->materials[material] : &grey;
}

static bool is_tinted(const bsp_scene_prop *prop) {
    return (prop->color[0] & prop->color[1] & prop->color[2]) != 255;
}

static void put_batch(bsp_renderer *renderer, const bsp_scene *scene, const bsp_scene_prop *prop,
                      uint32_t material, const bsp_model_group *group, bool full_bright) {
    bool known = material < scene->num_materials;
    const bsp_scene_material *look = look_of(scene, material);
    if (look->no_draw) {
        return;
    }
    uint32_t number = renderer->num_batches++;
    bspi_batch *batch = &renderer->batches[number];
    bool blends = look->alpha != BSP_ALPHA_OPAQUE && look->alpha != BSP_ALPHA_TEST;
    float opacity = look->opacity * (float)prop->color[3] / 255;
    *batch = (bspi_batch){.first_index = renderer->num_indices,
                          .num_indices = group->num_indices,
                          .texture = known ? material : scene->num_materials,
                          .light_page = BSP_NONE,
                          .vertex_lit = full_bright || !look->unlit,
                          .mirrors = look->environment,
                          .blended = blends || opacity < 1,
                          .opacity = opacity};
    batch->fade[0] = prop->fade_min;
    batch->fade[1] = prop->fade_max;
    memcpy(batch->fade_at, prop->fade_point, sizeof batch->fade_at);
    batch->glow = prop->glow;
    bspi_batch_look(batch, &prop->look);
    batch->vertex_lit = batch->vertex_lit || is_tinted(prop);
    add_piece(renderer, scene, prop, group, number);
}

static void put_group(bsp_renderer *renderer, const bsp_scene *scene, const bsp_scene_prop *prop,
                      const bsp_model_group *group, uint32_t material, bool full_bright) {
    const bsp_model_mesh *mesh = scene->models[prop->model].mesh;
    bool lit = !full_bright && !look_of(scene, material)->unlit && !prop->look.unlit;
    for (uint32_t v = 0; v < group->num_vertices; v++) {
        put_vertex(scene, prop, group->first_vertex + v, lit,
                   &renderer->vertices[renderer->num_vertices + v]);
    }
    for (uint32_t i = 0; i < group->num_indices; i++) {
        renderer->indices[renderer->num_indices + i] =
            mesh->indices[group->first_index + i] - group->first_vertex + renderer->num_vertices;
    }
    put_batch(renderer, scene, prop, material, group, full_bright);
    renderer->num_vertices += group->num_vertices;
    renderer->num_indices += group->num_indices;
}

bool bspi_props_room(bsp_renderer *renderer, const bspi_prop_counts *counts, bsp_error *error) {
    bspi_arena *arena = &renderer->arena;
    renderer->turnings =
        bspi_arena_raw(arena, (size_t)counts->turning, sizeof *renderer->turnings, error);
    renderer->points =
        bspi_arena_raw(arena, (size_t)counts->points, sizeof *renderer->points, error);
    return renderer->turnings != NULL && renderer->points != NULL;
}

void bspi_props_put(bsp_renderer *renderer, const bsp_scene *scene, bool hidden, bool full_bright) {
    for (uint32_t i = 0; i < scene->num_props; i++) {
        const bsp_scene_prop *prop = &scene->props[i];
        const bsp_scene_model *model = &scene->models[prop->model];
        for (uint32_t g = 0; is_wanted(prop, hidden) && g < model->mesh->num_groups; g++) {
            put_group(renderer, scene, prop, &model->mesh->groups[g], model->materials[g],
                      full_bright);
        }
    }
}
