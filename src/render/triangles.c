// SPDX-License-Identifier: MIT
// The triangles of a renderer: each brush model in the world, once for every entity that shows it,
// in batches and pieces, and with them props and decals.
#include "render/triangles.h"

#include "render/props.h"
#include "render/textures.h"
#include "render/visible.h"
#include "scene/draw.h"

#include <math.h>
#include <string.h>

// Surfaces without a material show the texture after those of the materials.
static const bsp_scene_material grey = {.opacity = 1};

// What is added to the arrays, and how much of it.
typedef struct instance_list {
    const bsp_scene_instance **list;
    uint32_t count;
    uint64_t vertices;
    uint64_t indices;
    uint64_t groups;
    uint64_t faces;
    uint32_t num_plain; // instances with a colour instead of their textures
} instance_list;

// Charges the work of placing an instance. Returns false over a limit.
static bool add_instance(bspi_render_builder *b, instance_list *out, const bsp_scene_instance *it) {
    uint64_t steps = 1;
    if (!it->shown && !b->options->hidden) {
        return bspi_meter_add(&b->meter, steps);
    }
    for (uint32_t g = it->first_group; g < it->first_group + it->num_groups; g++) {
        const bsp_mesh_group *group = &b->scene->mesh->groups[g];
        out->vertices += group->num_vertices;
        out->indices += group->num_indices;
        out->faces += group->num_faces;
        steps += 1 + (uint64_t)group->num_vertices + group->num_indices + group->num_faces;
    }
    out->groups += it->num_groups;
    if (it->num_groups != 0) {
        out->list[out->count++] = it;
        out->num_plain += it->look.plain;
    }
    return bspi_meter_add(&b->meter, steps);
}

// The world is drawn once, even if several entities show it.
static bool list_instances(bspi_render_builder *b, instance_list *out) {
    const bsp_scene *scene = b->scene;
    bool world = false;
    memset(out, 0, sizeof *out);
    out->list = bspi_arena_raw(&b->renderer->arena, scene->num_instances, sizeof(void *), b->error);
    if (out->list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < scene->num_instances; i++) {
        const bsp_scene_instance *it = &scene->instances[i];
        bool again = it->model == 0 && world;
        world = world || it->model == 0;
        if (!again && !add_instance(b, out, it)) {
            return false;
        }
    }
    out->vertices += scene->num_decal_vertices;
    out->indices += scene->num_decal_vertices;
    out->groups += scene->num_decals;
    out->faces += scene->num_decals;
    if (out->vertices > UINT32_MAX || out->indices > UINT32_MAX || out->faces > UINT32_MAX) {
        return bsp_fail(b->error, BSP_E_LIMIT, NULL,
                        "%llu vertices of brush models, as often as entities show them, are too "
                        "many",
                        (unsigned long long)out->vertices);
    }
    return true;
}

// A map without any light is shaded by the normals of its surfaces, as by a high sun, so that edges
// between equal textures are visible.
static void shade_group(bspi_render_builder *b, const bsp_mesh_group *group,
                        uint32_t first_vertex) {
    static const float sun[3] = {0.24F, 0.36F, 0.9F};
    for (uint32_t v = 0; v < group->num_vertices; v++) {
        bsp_mesh_vertex *vertex = &b->renderer->vertices[first_vertex + v];
        const float *n = vertex->normal;
        float facing = n[0] * sun[0] + n[1] * sun[1] + n[2] * sun[2];
        float shade = facing > -1 ? facing < 1 ? facing : 1 : -1;
        memset(vertex->color, (int)(170 + 85 * shade), 3);
    }
}

// Sets the shares of the textures of a displacement with multiblend, where no light needs red and
// green. Returns whether there are any.
static bool blend_group(bspi_render_builder *b, const bsp_mesh_group *group,
                        const bspi_texture *texture, bool vertex_lit) {
    const uint8_t(*blends)[4] = b->scene->mesh->blends;
    bool any = false;
    for (uint32_t v = 0; blends != NULL && v < group->num_vertices; v++) {
        const uint8_t *blend = blends[group->first_vertex + v];
        uint8_t *color = b->renderer->vertices[b->renderer->num_vertices + v].color;
        if (!vertex_lit) {
            memset(color, 0, BSPI_LAYERS);
        }
        if (blend[0] == 0) {
            continue;
        }
        any = true;
        color[3] = bspi_layer_share(blend[1], texture->second->blend);
        for (uint32_t i = 0; !vertex_lit && i < BSPI_LAYERS; i++) {
            const bspi_texture *layer = texture->layers[i];
            color[i] = layer == NULL ? 0 : bspi_layer_share(blend[2 + i], layer->blend);
        }
    }
    return any && !vertex_lit;
}

// Returns the batch of a group whose vertices and indices were added last, or BSP_NONE for what is
// not drawn.
static uint32_t add_batch(bspi_render_builder *b, const bsp_mesh_group *group) {
    bsp_renderer *renderer = b->renderer;
    bool known = group->material < b->scene->num_materials;
    uint32_t texture = known ? group->material : b->scene->num_materials;
    const bsp_scene_material *look = known ? &b->scene->materials[texture] : &grey;
    bool sky = look->sky || (group->bits & BSP_SURFACE_SKY) != 0;
    if ((look->no_draw || look->fog) && !sky && !b->options->hidden) {
        return BSP_NONE;
    }
    bspi_batch *batch = &renderer->batches[renderer->num_batches++];
    batch->first_index = renderer->num_indices;
    batch->num_indices = group->num_indices;
    batch->texture = texture;
    batch->light_page =
        look->unlit || group->light_page >= renderer->num_pages ? BSP_NONE : group->light_page;
    batch->vertex_lit =
        !b->options->full_bright && !look->unlit && (group->bits & BSP_SURFACE_VERTEX_LIT) != 0;
    if (!b->options->full_bright && renderer->num_pages == 0 && !batch->vertex_lit &&
        !look->unlit) {
        shade_group(b, group, renderer->num_vertices);
        batch->vertex_lit = true;
    }
    batch->sky = sky;
    batch->warps = !sky && known && look->found && (group->bits & BSP_SURFACE_LIQUID) != 0 &&
                   b->map->traits->surface.warps;
    batch->mirrors = look->environment && !sky;
    batch->mixed = look->mixed && (group->bits & BSP_SURFACE_DISPLACEMENT) != 0;
    batch->layered = batch->mixed && renderer->textures[texture].second != NULL &&
                     blend_group(b, group, &renderer->textures[texture], batch->vertex_lit);
    batch->blended = !sky && bspi_is_blended(look, group);
    batch->opacity = bspi_drawn_opacity(b->map, look, group, batch->blended);
    return renderer->num_batches - 1;
}

// Quake 2: 64 repeats in 40 seconds, backwards (gl_surf.c, DrawGLFlowingPoly).
static float flow_at(float time) {
    float moved = -fmodf(time, 40) * 64 / 40;
    return time > 0 && isfinite(time) ? moved - floorf(moved) : 0;
}

static const float still[2] = {0, 0};

static void put_group(bspi_render_builder *b, const bsp_mesh_group *group,
                      const bsp_placement *place) {
    bsp_renderer *renderer = b->renderer;
    float flow = (group->flags & b->map->traits->surface.flow) != 0 ? flow_at(b->state.time) : 0;
    const float *shift = group->material < b->scene->num_materials
                             ? b->scene->materials[group->material].shift
                             : still;
    for (uint32_t v = 0; v < group->num_vertices; v++) {
        bsp_mesh_vertex *vertex = &renderer->vertices[renderer->num_vertices + v];
        *vertex = b->scene->mesh->vertices[group->first_vertex + v];
        vertex->uv[0] += shift[0] + flow;
        vertex->uv[1] += shift[1];
        bsp_placement_point(place, vertex->position, vertex->position);
        bsp_placement_turn(place, vertex->normal, vertex->normal);
    }
    for (uint32_t i = 0; i < group->num_indices; i++) {
        renderer->indices[renderer->num_indices + i] =
            b->scene->mesh->indices[group->first_index + i] - group->first_vertex +
            renderer->num_vertices;
    }
}

// An instance with a colour has no texture and no holes.
static void use_color(bspi_batch *batch, const bsp_scene_instance *it, uint32_t texture) {
    if (it->look.plain && !batch->sky) {
        batch->texture = texture;
        batch->opacity = it->look.opacity > 0 ? it->look.opacity : 1;
        batch->mixed = batch->layered = false;
    }
}

// `texture` is that of the instance's colour, if it has one.
static void put_instance(bspi_render_builder *b, const bsp_scene_instance *it, uint32_t texture) {
    bsp_renderer *renderer = b->renderer;
    for (uint32_t g = it->first_group; g < it->first_group + it->num_groups; g++) {
        const bsp_mesh_group *group = &b->scene->mesh->groups[g];
        put_group(b, group, &it->place);
        uint32_t batch = add_batch(b, group);
        if (batch != BSP_NONE) {
            bspi_batch_look(&renderer->batches[batch], &it->look);
            use_color(&renderer->batches[batch], it, texture);
            bspi_renderer_pieces_add(renderer, b->scene->mesh, group, batch, renderer->num_vertices,
                                     renderer->num_indices);
        }
        renderer->num_vertices += group->num_vertices;
        renderer->num_indices += group->num_indices;
    }
}

// Decals are pieces of the world, each with a batch of its own.
static void put_decals(bspi_render_builder *b) {
    bsp_renderer *renderer = b->renderer;
    const bsp_scene *scene = b->scene;
    for (uint32_t i = 0; i < scene->num_decals; i++) {
        const bsp_scene_decal *decal = &scene->decals[i];
        uint32_t batch = renderer->num_batches++;
        renderer->batches[batch] = (bspi_batch){
            .first_index = renderer->num_indices,
            .num_indices = decal->num_vertices,
            .decal = &renderer->decals[decal->picture],
            .light_page = decal->light_page < renderer->num_pages ? decal->light_page : BSP_NONE,
            .blended = true,
            .opacity = 1};
        memcpy(&renderer->vertices[renderer->num_vertices],
               &scene->decal_vertices[decal->first_vertex],
               decal->num_vertices * sizeof *renderer->vertices);
        for (uint32_t v = 0; v < decal->num_vertices; v++) {
            renderer->indices[renderer->num_indices + v] = renderer->num_vertices + v;
        }
        const bsp_mesh_face face = {.face = decal->face,
                                    .overlay = BSP_NONE,
                                    .num_vertices = decal->num_vertices,
                                    .num_indices = decal->num_vertices};
        const bsp_mesh mesh = {.faces = &face, .num_faces = 1};
        const bsp_mesh_group group = {.num_faces = 1};
        bspi_renderer_pieces_add(renderer, &mesh, &group, batch, renderer->num_vertices,
                                 renderer->num_indices);
        renderer->num_vertices += decal->num_vertices;
        renderer->num_indices += decal->num_vertices;
    }
}

static bool put_all(bspi_render_builder *b, instance_list *all) {
    bsp_renderer *renderer = b->renderer;
    bspi_arena *arena = &renderer->arena;
    bspi_prop_counts props;
    if (!bspi_props_count(b->scene, b->options->hidden, &b->meter, &props)) {
        return false;
    }
    all->vertices += props.vertices;
    all->indices += props.indices;
    all->groups += props.groups;
    all->faces += props.groups;
    if (all->vertices > UINT32_MAX || all->indices > UINT32_MAX || all->faces > UINT32_MAX) {
        return bsp_fail(b->error, BSP_E_LIMIT, NULL,
                        "%llu vertices, with those of models, are too many",
                        (unsigned long long)all->vertices);
    }
    renderer->vertices =
        bspi_arena_raw(arena, (size_t)all->vertices, sizeof *renderer->vertices, b->error);
    renderer->indices =
        bspi_arena_raw(arena, (size_t)all->indices, sizeof *renderer->indices, b->error);
    renderer->batches =
        bspi_arena_zero(arena, (size_t)all->groups, sizeof *renderer->batches, b->error);
    renderer->pieces =
        bspi_arena_raw(arena, (size_t)all->faces, sizeof *renderer->pieces, b->error);
    if (renderer->vertices == NULL || renderer->indices == NULL || renderer->batches == NULL ||
        renderer->pieces == NULL || !bspi_props_room(renderer, &props, b->error) ||
        !bspi_renderer_pieces_begin(renderer, b->error)) {
        return false;
    }
    uint32_t texture = b->scene->num_materials + 1; // after those of the materials and the grey one
    for (uint32_t i = 0; i < all->count; i++) {
        put_instance(b, all->list[i], texture);
        texture += all->list[i]->look.plain;
    }
    bspi_props_put(renderer, b->scene, b->options->hidden, b->options->full_bright);
    put_decals(b);
    return true;
}

// Adds a texture for each instance that has a colour, after those of the materials.
static bool add_plain(bspi_render_builder *b, const instance_list *all) {
    bsp_renderer *renderer = b->renderer;
    bspi_texture *textures =
        bspi_arena_zero(&renderer->arena, (size_t)renderer->num_textures + all->num_plain,
                        sizeof *textures, b->error);
    if (textures == NULL) {
        return false;
    }
    memcpy(textures, renderer->textures, renderer->num_textures * sizeof *textures);
    uint32_t next = renderer->num_textures;
    for (uint32_t i = 0; i < all->count; i++) {
        const bsp_entity_look *look = &all->list[i]->look;
        if (look->plain && !bspi_render_fill(b, look->color, &textures[next++])) {
            return false;
        }
    }
    renderer->textures = textures;
    return true;
}

bool bspi_render_triangles(bspi_render_builder *b) {
    instance_list all;
    return list_instances(b, &all) && bspi_meter_pay(&b->meter) &&
           (all.num_plain == 0 || add_plain(b, &all)) && put_all(b, &all);
}

void bspi_renderer_measure(bsp_renderer *renderer) {
    bool any = false;
    for (uint32_t p = 0; p < renderer->num_pieces; p++) {
        const bspi_piece *piece = &renderer->pieces[p];
        for (uint32_t i = 0; i < piece->num_indices && !piece->sky && !piece->in_room; i++) {
            const float *point =
                renderer->vertices[renderer->indices[piece->first_index + i]].position;
            for (int axis = 0; axis < 3; axis++) {
                renderer->mins[axis] =
                    !any || point[axis] < renderer->mins[axis] ? point[axis] : renderer->mins[axis];
                renderer->maxs[axis] =
                    !any || point[axis] > renderer->maxs[axis] ? point[axis] : renderer->maxs[axis];
            }
            any = true;
        }
    }
}
