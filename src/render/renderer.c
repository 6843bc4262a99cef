// SPDX-License-Identifier: MIT
// Builds the renderer of a map from its scene: textures with their mips, pages of light, and the
// triangles of each instance in the world.
#include "render/props.h"
#include "render/visible.h"

#include "bspkit/scene.h"
#include "asset/image/pattern.h"
#include "core/options.h"
#include "map/heap.h"
#include "mesh/luxels.h"
#include "scene/textures.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define GREY 160
#define MOST_DIMMED 64.0F
#define FULL_TURN 6.28318531F // radians; ripples move a radian a second

typedef struct builder {
    bsp_renderer *renderer;
    const bsp_map *map;
    const bsp_file *file;
    const bsp_renderer_options *options;
    bsp_scene_state state; // all zero: as the map begins
    bsp_textures *finder;
    bsp_scene *scene;
    bool bumped;      // faces have light from three directions
    bool any_bump;    // and a material a normal map
    bspi_meter meter; // a step: a vertex or triangle that is placed, a group that is visited
    bsp_error *error;
} builder;

// --- textures -----------------------------------------------------------------------------------

// Makes a texture of one texel.
static bool fill_texture(builder *b, const uint8_t rgb[3], bspi_texture *out) {
    const uint8_t texel[4] = {rgb[0], rgb[1], rgb[2], 255};
    bsp_image image;
    if (!bsp_image_fill(1, 1, texel, &b->renderer->heap.allocator, &image, b->error)) {
        return false;
    }
    bool done =
        bspi_mip_chain_build(&b->renderer->arena, &image, BSP_IMAGE_MAX, &out->chain, b->error);
    bsp_image_free(&image);
    return done;
}

// Makes a texture of a colour of linear light; grey where the map has none.
static bool add_colour(builder *b, const bsp_scene_material *from, bspi_texture *out) {
    uint8_t colour[3] = {GREY, GREY, GREY};
    for (int i = 0; from->colored && i < 3; i++) {
        colour[i] = (uint8_t)(255 * sqrtf(from->color[i]));
    }
    return fill_texture(b, colour, out);
}

// Draws a quiet pattern: what has no texture shows its light, and no colour.
static bool add_pattern(builder *b, bspi_texture *out) {
    bsp_image image;
    if (!bspi_image_pattern(&b->renderer->heap.allocator, &image, b->error)) {
        return false;
    }
    bool done =
        bspi_mip_chain_build(&b->renderer->arena, &image, BSP_IMAGE_MAX, &out->chain, b->error);
    bsp_image_free(&image);
    return done;
}

// Adds the texture that displacements mix in, if the material has one.
static bool add_second(builder *b, const bsp_texture *second, const bspi_texture **out) {
    bspi_texture_extend(&b->renderer->heap, second);
    if (!second->found) {
        return true;
    }
    bspi_texture *copy = bspi_arena_zero(&b->renderer->arena, 1, sizeof *copy, b->error);
    *out = copy;
    if (copy == NULL) {
        return false;
    }
    memcpy(copy->blend, second->blend, sizeof copy->blend);
    copy->repeats = second->repeats;
    return bspi_mip_chain_build(&b->renderer->arena, &second->image, BSP_IMAGE_MAX, &copy->chain,
                                b->error);
}

// Adds those that only displacements with multiblend mix in.
static bool add_layers(builder *b, uint32_t material, bspi_texture *out) {
    bool done = true;
    bool wanted =
        b->map->num_disp_blends != 0 && out->second != NULL && material < b->map->num_materials;
    for (uint32_t i = 0; done && wanted && i < BSPI_LAYERS; i++) {
        bsp_texture layer;
        done = bsp_textures_find_layer(b->finder, material, 3 + i, &layer, b->error) &&
               add_second(b, &layer, &out->layers[i]);
        bsp_texture_free(&layer);
    }
    return done;
}

// Makes room for texture number `number`, and for the name of each that is missing. Those of models
// come after those of the map, and how many there are is known when all were found.
static bool room_for_texture(builder *b, uint32_t number) {
    bsp_renderer *renderer = b->renderer;
    if (number < renderer->num_textures) {
        return true;
    }
    size_t room = 2 * (size_t)number + 2;
    bspi_texture *textures = bspi_arena_zero(&renderer->arena, room, sizeof *textures, b->error);
    bsp_text *missing = bspi_arena_zero(&renderer->arena, room, sizeof *missing, b->error);
    if (textures == NULL || missing == NULL || room > UINT32_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < renderer->num_textures; i++) {
        textures[i] = renderer->textures[i];
        missing[i] = renderer->missing[i];
    }
    renderer->textures = textures;
    renderer->missing = missing;
    renderer->num_textures = (uint32_t)room;
    return true;
}

// Adds the normal map of a material of the map, if it has one and the map has light for it.
static bool add_bump(builder *b, uint32_t material, bspi_texture *out) {
    bsp_texture bump;
    if (!b->bumped || material >= b->map->num_materials) {
        return true;
    }
    if (!bsp_textures_find_bump(b->finder, material, &bump, b->error)) {
        return false;
    }
    bool done = true;
    if (bump.found) {
        bspi_texture_extend(&b->renderer->heap, &bump);
        bspi_texture *copy = bspi_arena_zero(&b->renderer->arena, 1, sizeof *copy, b->error);
        done = copy != NULL && bspi_mip_chain_build(&b->renderer->arena, &bump.image, BSP_IMAGE_MAX,
                                                    &copy->chain, b->error);
        if (done) {
            copy->self_shadowed = bump.self_shadowed;
            out->bump = copy;
            b->any_bump = true;
        }
    }
    bsp_texture_free(&bump);
    return done;
}

// Receives the images of a material from the scene.
static bool add_texture(void *user, uint32_t material, const bsp_scene_material *as,
                        bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    builder *b = user;
    bsp_renderer *renderer = b->renderer;
    if (!room_for_texture(b, material)) {
        return false;
    }
    bspi_texture *out = &renderer->textures[material];
    out->clamp = as->clamp;
    out->alpha = as->alpha;
    out->alpha_cut = as->alpha_cut;
    out->two_sided = as->two_sided;
    if (!as->found && !as->no_draw && !as->sky) {
        renderer->missing[renderer->num_missing++] = as->name;
    }
    bspi_texture_extend(&renderer->heap, texture);
    bool done = as->found ? bspi_mip_chain_build(&renderer->arena, &texture->image, BSP_IMAGE_MAX,
                                                 &out->chain, error)
                : b->options->plain ? add_colour(b, as, out)
                                    : add_pattern(b, out);
    return done && add_second(b, second, &out->second) && add_layers(b, material, out) &&
           (!as->found || as->unlit || add_bump(b, material, out)) &&
           (!as->found || b->options->full_bright || b->options->no_reflections ||
            bspi_shine_find(renderer, b->finder, material, as, out, error));
}

// Surfaces without a material are grey: the texture after the last material.
static const bsp_scene_material grey = {.opacity = 1};

// Copies the names of missing textures, since the map may be freed before they are read.
static bool keep_names(builder *b) {
    for (uint32_t i = 0; i < b->renderer->num_missing; i++) {
        char *copy = bspi_arena_text(&b->renderer->arena, b->renderer->missing[i], b->error);
        if (copy == NULL) {
            return false;
        }
        b->renderer->missing[i].data = copy;
    }
    return true;
}

// Copies the list of models that are not there, with its names: the scene is freed.
static bool keep_models(builder *b) {
    bsp_renderer *renderer = b->renderer;
    const bsp_scene *scene = b->scene;
    renderer->missing_models = bspi_arena_raw(&renderer->arena, scene->num_missing,
                                              sizeof *renderer->missing_models, b->error);
    for (uint32_t i = 0; renderer->missing_models != NULL && i < scene->num_missing; i++) {
        bsp_scene_missing *to = &renderer->missing_models[i];
        *to = scene->missing[i];
        to->name.data = bspi_arena_text(&renderer->arena, to->name, b->error);
        if (to->name.data == NULL) {
            return false;
        }
    }
    renderer->num_missing_models = scene->num_missing;
    return renderer->missing_models != NULL;
}

static bool begin_textures(builder *b) {
    uint32_t count = b->map->num_materials;
    const bsp_textures_options how = {.issues = b->options->issues,
                                      .time = b->state.time,
                                      .allocator = b->options->allocator,
                                      .budget = b->options->budget};
    b->finder = bsp_textures_open(b->options->search, b->map, &how, b->error);
    return b->finder != NULL && room_for_texture(b, count);
}

// The grey texture is the one after those of the materials.
static bool end_textures(builder *b) {
    uint32_t count = b->scene->num_materials;
    if (!room_for_texture(b, count)) {
        return false;
    }
    b->renderer->num_textures = count + 1;
    return keep_names(b) && keep_models(b) && add_colour(b, &grey, &b->renderer->textures[count]);
}

// Receives the picture of a decal from the scene.
static bool add_decal(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                      bsp_error *error) {
    builder *b = user;
    bsp_renderer *renderer = b->renderer;
    if (renderer->decals == NULL) {
        renderer->decals =
            bspi_arena_zero(&renderer->arena, count, sizeof *renderer->decals, error);
    }
    if (renderer->decals == NULL) {
        return false;
    }
    bspi_texture *out = &renderer->decals[picture];
    out->clamp = true;
    out->alpha = texture->alpha;
    out->alpha_cut = texture->alpha_cut;
    bspi_texture_extend(&renderer->heap, texture);
    return bspi_mip_chain_build(&renderer->arena, &texture->image, BSP_IMAGE_MAX, &out->chain,
                                error);
}

// --- the scene ----------------------------------------------------------------------------------

// Light that is dimmed counts less, since the texels of pages are read as if they were not.
static float light_range(const builder *b) {
    float dimmed = b->options->dimmed;
    return BSPI_LIGHT_RANGE * (dimmed > 1 ? dimmed < MOST_DIMMED ? dimmed : MOST_DIMMED : 1);
}

static bool build_scene(builder *b, const bsp_external_light *external) {
    const bsp_scene_options options = {.file = b->file,
                                       .textures = b->finder,
                                       .pictures = add_texture,
                                       .decals = add_decal,
                                       .user = b,
                                       .external = external,
                                       .light_range = light_range(b),
                                       .full_bright = b->options->full_bright,
                                       .state = &b->state,
                                       .hdr = b->options->hdr,
                                       .props = !b->options->no_props,
                                       .details = !b->options->no_details,
                                       .definitions = b->options->definitions,
                                       .hidden = b->options->hidden,
                                       .sky = true,
                                       .progress = b->options->progress,
                                       .allocator = b->options->allocator,
                                       .budget = b->options->budget};
    b->scene = bsp_scene_build(b->map, &options, b->error);
    return b->scene != NULL && end_textures(b);
}

static bool add_scene(builder *b) {
    if (b->options->full_bright) {
        return build_scene(b, NULL);
    }
    const char *name = b->options->name == NULL ? "" : b->options->name;
    bsp_external_light *external = bsp_external_light_load(b->finder, bsp_text_of(name), b->error);
    bool done = external != NULL && build_scene(b, external);
    bsp_external_light_free(external);
    return done;
}

// Copies the pages of light.
static bool copy_pages(builder *b, const bsp_lightmap *light, bspi_mip **out) {
    bsp_renderer *renderer = b->renderer;
    uint32_t count = light == NULL ? 0 : light->num_pages;
    bspi_mip *pages = bspi_arena_zero(&renderer->arena, count, sizeof *pages, b->error);
    for (uint32_t i = 0; pages != NULL && i < count; i++) {
        const bsp_light_page *page = &light->pages[i];
        if (!bspi_mip_copy(&renderer->arena, page->rgba, page->width, page->height, &pages[i],
                           b->error)) {
            return false;
        }
    }
    *out = pages;
    return pages != NULL;
}

// The light from each direction lies as that of flat surfaces does.
static bool add_direction(builder *b, uint32_t direction) {
    float styles[BSP_LIGHT_STYLES];
    bsp_scene_styles(b->map, &b->state, styles);
    const bsp_lightmap_options options = {.styles = styles,
                                          .range = light_range(b),
                                          .hdr = b->options->hdr,
                                          .direction = direction,
                                          .allocator = b->options->allocator,
                                          .budget = b->options->budget};
    bsp_lightmap *light = bsp_lightmap_build(b->map, b->file, &options, b->error);
    bool done = light != NULL && light->num_pages == b->renderer->num_pages &&
                copy_pages(b, light, &b->renderer->directions[direction - 1]);
    bsp_lightmap_free(light);
    return done;
}

static bool add_light(builder *b) {
    const bsp_lightmap *light = b->scene->lightmap;
    b->renderer->num_pages = light == NULL ? 0 : light->num_pages;
    bool done = copy_pages(b, light, &b->renderer->pages);
    for (uint32_t i = 1; done && b->any_bump && b->renderer->num_pages != 0 && i <= 3; i++) {
        done = add_direction(b, i);
    }
    return done;
}

// --- triangles ----------------------------------------------------------------------------------

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
static bool add_instance(builder *b, instance_list *out, const bsp_scene_instance *it) {
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
static bool list_instances(builder *b, instance_list *out) {
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

static bool is_blended(const bsp_scene_material *material, const bsp_mesh_group *group) {
    return material->alpha == BSP_ALPHA_BLEND || material->alpha == BSP_ALPHA_ADD ||
           material->alpha == BSP_ALPHA_FILTER || material->opacity < 1 ||
           (group->bits & (BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_LIQUID)) != 0;
}

// A map without any light is shaded by the normals of its surfaces, as by a high sun, so that edges
// between equal textures are visible.
static void shade_group(builder *b, const bsp_mesh_group *group, uint32_t first_vertex) {
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
static bool blend_group(builder *b, const bsp_mesh_group *group, const bspi_texture *texture,
                        bool vertex_lit) {
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
static uint32_t add_batch(builder *b, const bsp_mesh_group *group) {
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
    batch->blended = !sky && is_blended(look, group);
    bool plain = look->opacity >= 1 && look->alpha != BSP_ALPHA_BLEND;
    float flagged = bsp_surface_opacity(b->map, group->flags);
    float otherwise = flagged < 1 ? flagged : BSPI_TRANSLUCENT_OPACITY;
    batch->opacity = batch->blended && plain ? otherwise : look->opacity;
    return renderer->num_batches - 1;
}

// Quake 2: 64 repeats in 40 seconds, backwards (gl_surf.c, DrawGLFlowingPoly).
static float flow_at(float time) {
    float moved = -fmodf(time, 40) * 64 / 40;
    return time > 0 && isfinite(time) ? moved - floorf(moved) : 0;
}

static const float still[2] = {0, 0};

static void put_group(builder *b, const bsp_mesh_group *group, const bsp_placement *place) {
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
static void put_instance(builder *b, const bsp_scene_instance *it, uint32_t texture) {
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
static void put_decals(builder *b) {
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

static bool put_all(builder *b, instance_list *all) {
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
static bool add_plain(builder *b, const instance_list *all) {
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
        if (look->plain && !fill_texture(b, look->color, &textures[next++])) {
            return false;
        }
    }
    renderer->textures = textures;
    return true;
}

static bool add_instances(builder *b) {
    instance_list all;
    return list_instances(b, &all) && bspi_meter_pay(&b->meter) &&
           (all.num_plain == 0 || add_plain(b, &all)) && put_all(b, &all);
}

// Computes the bounds of what an overview shows.
static void measure(bsp_renderer *renderer) {
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

// --- sky ----------------------------------------------------------------------------------------

static bool add_sky(builder *b) {
    bsp_sky sky;
    if (!bsp_textures_find_sky(b->finder, &sky, b->error)) {
        return false;
    }
    bool done = bspi_sky_build(&b->renderer->arena, &sky, &b->renderer->sky, b->error);
    bsp_sky_free(&sky);
    return done;
}

// --- the renderer -------------------------------------------------------------------------------

static bsp_renderer *new_renderer(const bsp_map *map, const bsp_renderer_options *options,
                                  bsp_error *error) {
    bsp_renderer *renderer = bspi_object_new(options->allocator, sizeof *renderer, error);
    if (renderer != NULL) {
        bspi_map_heap(&renderer->heap, BSP_PRODUCT_SCENE, map, options->budget, options->allocator);
        bspi_arena_init(&renderer->arena, &renderer->heap);
    }
    return renderer;
}

bsp_renderer *bsp_renderer_build(const bsp_map *map, const bsp_file *file,
                                 const bsp_renderer_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_renderer_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    options = &taken;
    builder b = {.renderer = new_renderer(map, options, error),
                 .map = map,
                 .file = file,
                 .options = options,
                 .error = error};
    if (b.renderer == NULL) {
        return NULL;
    }
    if (!BSPI_TAKE_OPTIONS(b.state, options->state, error)) {
        bsp_renderer_free(b.renderer);
        return NULL;
    }
    b.renderer->map = map;
    b.bumped = !options->full_bright && bsp_light_is_bumped(map);
    b.renderer->warp_time =
        fmodf(b.state.time > 0 && isfinite(b.state.time) ? b.state.time : 0, FULL_TURN);
    b.meter = (bspi_meter){.heap = &b.renderer->heap, .error = error};
    bool done = bspi_renderer_areas(b.renderer, options->state, error) && begin_textures(&b) &&
                add_scene(&b) && add_light(&b) && add_instances(&b) &&
                bspi_shine_batches(b.renderer, b.finder, error) && add_sky(&b) &&
                bspi_air_build(b.renderer, b.scene, error) && bspi_air_pieces(b.renderer, error);
    measure(b.renderer);
    bsp_scene_free(b.scene);
    bsp_textures_close(b.finder);
    if (!done) {
        bsp_renderer_free(b.renderer);
        return NULL;
    }
    return b.renderer;
}

void bsp_renderer_free(bsp_renderer *renderer) {
    if (renderer == NULL) {
        return;
    }
    bspi_arena_free(&renderer->arena);
    bspi_object_free(renderer, sizeof *renderer, &renderer->heap.allocator);
}

uint32_t bsp_renderer_missing(const bsp_renderer *renderer) {
    assert(renderer != NULL);
    return renderer->num_missing;
}

bsp_text bsp_renderer_missing_name(const bsp_renderer *renderer, uint32_t n) {
    assert(renderer != NULL);
    bsp_text none = {NULL, 0};
    return n < renderer->num_missing ? renderer->missing[n] : none;
}

const bsp_scene_missing *bsp_renderer_missing_models(const bsp_renderer *renderer,
                                                     uint32_t *count) {
    assert(renderer != NULL && count != NULL);
    *count = renderer->num_missing_models;
    return renderer->missing_models;
}
