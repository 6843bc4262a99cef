// SPDX-License-Identifier: MIT
// Builds the renderer of a map from its scene: textures with their mips, pages of light, and the
// triangles of each instance in the world.
#include "render/visible.h"

#include "bspkit/scene.h"
#include "core/options.h"
#include "map/heap.h"
#include "scene/textures.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define GREY 160

typedef struct builder {
    bsp_renderer *renderer;
    const bsp_map *map;
    const bsp_file *file;
    const bsp_renderer_options *options;
    bsp_textures *finder;
    bsp_scene *scene;
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

// Adds the texture that displacements mix in, if the material has one.
static bool add_second(builder *b, const bsp_texture *second, bspi_texture *out) {
    bspi_texture_extend(&b->renderer->heap, second);
    if (!second->found) {
        return true;
    }
    bspi_texture *copy = bspi_arena_zero(&b->renderer->arena, 1, sizeof *copy, b->error);
    out->second = copy;
    return copy != NULL && bspi_mip_chain_build(&b->renderer->arena, &second->image, BSP_IMAGE_MAX,
                                                &copy->chain, b->error);
}

// Receives the images of a material from the scene.
static bool add_texture(void *user, uint32_t material, const bsp_scene_material *as,
                        bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    builder *b = user;
    bsp_renderer *renderer = b->renderer;
    bspi_texture *out = &renderer->textures[material];
    out->clamp = as->clamp;
    out->alpha = as->alpha;
    out->alpha_cut = as->alpha_cut;
    out->two_sided = as->two_sided;
    if (!as->found && !as->no_draw && !as->sky) {
        renderer->missing[renderer->num_missing++] = b->map->materials[material].name;
    }
    bspi_texture_extend(&renderer->heap, texture);
    bool plain = !as->found && b->options->plain;
    bool done = plain ? add_colour(b, as, out)
                      : bspi_mip_chain_build(&renderer->arena, &texture->image, BSP_IMAGE_MAX,
                                             &out->chain, error);
    return done && add_second(b, second, out);
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

static bool begin_textures(builder *b) {
    uint32_t count = b->map->num_materials;
    bspi_arena *arena = &b->renderer->arena;
    b->renderer->textures =
        bspi_arena_zero(arena, count + (size_t)1, sizeof(bspi_texture), b->error);
    b->renderer->missing = bspi_arena_zero(arena, count, sizeof(bsp_text), b->error);
    if (b->renderer->textures == NULL || b->renderer->missing == NULL) {
        return false;
    }
    b->renderer->num_textures = count + 1;
    const bsp_textures_options how = {.issues = b->options->issues,
                                      .allocator = b->options->allocator,
                                      .budget = b->options->budget};
    b->finder = bsp_textures_open(b->options->search, b->map, &how, b->error);
    return b->finder != NULL && add_colour(b, &grey, &b->renderer->textures[count]);
}

// --- the scene ----------------------------------------------------------------------------------

static bool build_scene(builder *b, const bsp_external_light *external) {
    const bsp_scene_options options = {.file = b->file,
                                       .textures = b->finder,
                                       .pictures = add_texture,
                                       .user = b,
                                       .external = external,
                                       .light_range = BSPI_LIGHT_RANGE,
                                       .full_bright = b->options->full_bright,
                                       .hidden = b->options->hidden,
                                       .sky = true,
                                       .progress = b->options->progress,
                                       .allocator = b->options->allocator,
                                       .budget = b->options->budget};
    b->scene = bsp_scene_build(b->map, &options, b->error);
    return b->scene != NULL && keep_names(b);
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
static bool add_light(builder *b) {
    bsp_renderer *renderer = b->renderer;
    const bsp_lightmap *light = b->scene->lightmap;
    renderer->num_pages = light == NULL ? 0 : light->num_pages;
    renderer->pages =
        bspi_arena_zero(&renderer->arena, renderer->num_pages, sizeof *renderer->pages, b->error);
    for (uint32_t i = 0; renderer->pages != NULL && i < renderer->num_pages; i++) {
        const bsp_light_page *page = &light->pages[i];
        if (!bspi_mip_copy(&renderer->arena, page->rgba, page->width, page->height,
                           &renderer->pages[i], b->error)) {
            return false;
        }
    }
    return renderer->pages != NULL;
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

// Opacity of liquids and surfaces that the map calls translucent, when their texture does not state
// one.
#define TRANSLUCENT_OPACITY 0.6F

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
        vertex->color[3] = 255;
    }
}

// Returns the batch of a group whose vertices and indices were added last, or BSP_NONE for what is
// not drawn.
static uint32_t add_batch(builder *b, const bsp_mesh_group *group) {
    bsp_renderer *renderer = b->renderer;
    bool known = group->material < b->scene->num_materials;
    uint32_t texture = known ? group->material : b->scene->num_materials;
    const bsp_scene_material *look = known ? &b->scene->materials[texture] : &grey;
    bool sky = look->sky || (group->bits & BSP_SURFACE_SKY) != 0;
    if (look->no_draw && !sky && !b->options->hidden) {
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
    batch->mixed = look->mixed && (group->bits & BSP_SURFACE_DISPLACEMENT) != 0;
    batch->blended = !sky && is_blended(look, group);
    bool plain = look->opacity >= 1 && look->alpha != BSP_ALPHA_BLEND;
    float flagged = bsp_surface_opacity(b->map, group->flags);
    float otherwise = flagged < 1 ? flagged : TRANSLUCENT_OPACITY;
    batch->opacity = batch->blended && plain ? otherwise : look->opacity;
    return renderer->num_batches - 1;
}

// Applies the look of the entity over that of the materials. Invisible surfaces that the options
// include (tool textures) are opaque.
static void set_look(bspi_batch *batch, const bsp_entity_look *look) {
    if (batch->sky || look->mode == BSP_LOOK_NORMAL || look->opacity <= 0) {
        return;
    }
    batch->opacity = (batch->blended ? batch->opacity : 1) * look->opacity;
    batch->blended = true;
    batch->add = look->mode == BSP_LOOK_ADD;
    if (look->unlit) {
        batch->light_page = BSP_NONE;
        batch->vertex_lit = false;
    }
}

static void put_group(builder *b, const bsp_mesh_group *group, const bsp_placement *place) {
    bsp_renderer *renderer = b->renderer;
    for (uint32_t v = 0; v < group->num_vertices; v++) {
        bsp_mesh_vertex *vertex = &renderer->vertices[renderer->num_vertices + v];
        *vertex = b->scene->mesh->vertices[group->first_vertex + v];
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
        batch->mixed = false;
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
            set_look(&renderer->batches[batch], &it->look);
            use_color(&renderer->batches[batch], it, texture);
            bspi_renderer_pieces_add(renderer, b->scene->mesh, group, batch, renderer->num_vertices,
                                     renderer->num_indices);
        }
        renderer->num_vertices += group->num_vertices;
        renderer->num_indices += group->num_indices;
    }
}

static bool put_all(builder *b, const instance_list *all) {
    bsp_renderer *renderer = b->renderer;
    bspi_arena *arena = &renderer->arena;
    renderer->vertices =
        bspi_arena_raw(arena, (size_t)all->vertices, sizeof *renderer->vertices, b->error);
    renderer->indices =
        bspi_arena_raw(arena, (size_t)all->indices, sizeof *renderer->indices, b->error);
    renderer->batches =
        bspi_arena_zero(arena, (size_t)all->groups, sizeof *renderer->batches, b->error);
    renderer->pieces =
        bspi_arena_raw(arena, (size_t)all->faces, sizeof *renderer->pieces, b->error);
    if (renderer->vertices == NULL || renderer->indices == NULL || renderer->batches == NULL ||
        renderer->pieces == NULL || !bspi_renderer_pieces_begin(renderer, b->error)) {
        return false;
    }
    uint32_t texture = b->scene->num_materials + 1; // after those of the materials and the grey one
    for (uint32_t i = 0; i < all->count; i++) {
        put_instance(b, all->list[i], texture);
        texture += all->list[i]->look.plain;
    }
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
    for (uint32_t b = 0; b < renderer->num_batches; b++) {
        const bspi_batch *batch = &renderer->batches[b];
        for (uint32_t i = 0; i < batch->num_indices && !batch->sky; i++) {
            const float *point =
                renderer->vertices[renderer->indices[batch->first_index + i]].position;
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

// --- the renderer
// ----------------------------------------------------------------------------------

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
    b.renderer->map = map;
    b.meter = (bspi_meter){.heap = &b.renderer->heap, .error = error};
    bool done =
        begin_textures(&b) && add_scene(&b) && add_light(&b) && add_instances(&b) && add_sky(&b);
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
