// SPDX-License-Identifier: MIT
// Builds the renderer of a map: textures of its materials, light pages, the mesh, and brush models
// moved to where their entities stand.
#include "render/visible.h"

#include "core/options.h"
#include "core/progress.h"
#include "map/heap.h"

#include <math.h>
#include <string.h>

#define GREY 160

typedef struct builder {
    bsp_renderer *renderer;
    const bsp_map *map;
    const bsp_file *file;
    const bsp_renderer_options *options;
    uint32_t (*sizes)[2]; // texels of each material
    bsp_textures *finder;
    bsp_lightmap *light;
    bsp_mesh *mesh;
    bspi_meter meter; // a step: a vertex or triangle that is placed, a group that is looked at
    bsp_error *error;
} builder;

// --- textures -----------------------------------------------------------------------------------

// A texture of one texel.
static bool fill_texture(builder *b, const uint8_t rgb[3], bspi_texture *out) {
    const uint8_t texel[4] = {rgb[0], rgb[1], rgb[2], 255};
    bsp_image image;
    if (!bsp_image_fill(1, 1, texel, &b->renderer->heap.allocator, &image, b->error)) {
        return false;
    }
    bool done = bspi_texture_build(&b->renderer->arena, &image, out, b->error);
    bsp_image_free(&image);
    return done;
}

// A colour of linear light, as displayed; grey for black, which says nothing.
static bool add_colour(builder *b, const float linear[3], bspi_texture *out) {
    uint8_t colour[3] = {GREY, GREY, GREY};
    bool known = linear[0] > 0 || linear[1] > 0 || linear[2] > 0;
    for (int i = 0; known && i < 3; i++) {
        float shown = 255 * sqrtf(linear[i] > 0 ? (linear[i] < 1 ? linear[i] : 1) : 0);
        colour[i] = (uint8_t)shown;
    }
    return fill_texture(b, colour, out);
}

// What is read besides the map may take as much as it takes in a map.
static void extend(builder *b, const bsp_texture *texture) {
    if (texture->read != 0) {
        uint64_t pixels = (uint64_t)texture->image.width * texture->image.height;
        bspi_heap_extend(&b->renderer->heap, texture->read + pixels);
    }
}

static bool add_texture(builder *b, uint32_t material) {
    bsp_texture texture;
    if (!bsp_textures_find(b->finder, material, &texture, b->error)) {
        return false;
    }
    bspi_texture *out = &b->renderer->textures[material];
    out->clamp = texture.clamp;
    out->alpha = texture.alpha;
    out->alpha_cut = texture.alpha_cut;
    out->opacity = texture.opacity;
    out->two_sided = texture.two_sided;
    out->no_draw = texture.no_draw;
    out->unlit = texture.unlit;
    out->sky = texture.sky;
    b->sizes[material][0] = texture.width;
    b->sizes[material][1] = texture.height;
    if (!texture.found && !texture.no_draw && !texture.sky) {
        b->renderer->missing[b->renderer->num_missing++] = b->map->materials[material].name;
    }
    extend(b, &texture);
    bool plain = !texture.found && b->options->plain;
    bool done = plain ? add_colour(b, b->map->materials[material].reflectivity, out)
                      : bspi_texture_build(&b->renderer->arena, &texture.image, out, b->error);
    bsp_texture_free(&texture);
    return done;
}

// The texture that displacements mix in, if the material has one.
static bool add_second(builder *b, uint32_t material) {
    bsp_texture texture;
    if (!bsp_textures_find_second(b->finder, material, &texture, b->error)) {
        return false;
    }
    bool done = true;
    extend(b, &texture);
    if (texture.found) {
        bspi_texture *second = bspi_arena_zero(&b->renderer->arena, 1, sizeof *second, b->error);
        done = second != NULL &&
               bspi_texture_build(&b->renderer->arena, &texture.image, second, b->error);
        b->renderer->textures[material].second = second;
    }
    bsp_texture_free(&texture);
    return done;
}

// Surfaces without a material are drawn in one grey: it is the texture behind the last material.
static bool add_grey(builder *b, bspi_texture *out) {
    static const float none[3] = {0, 0, 0};
    memset(out, 0, sizeof *out);
    out->opacity = 1;
    return add_colour(b, none, out);
}

// Names of missing textures are copied: the map may be gone when they are asked for.
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

static void use_overlays(const bsp_map *map, const bsp_overlay *overlays, uint32_t count,
                         bool *used) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t texinfo = overlays[i].texinfo;
        uint32_t material =
            texinfo < map->num_texinfos ? map->texinfos[texinfo].material : BSP_NONE;
        if (material < map->num_materials) {
            used[material] = true;
        }
    }
}

// The materials that something shows: a map may list any number of others. NULL without memory.
static const bool *find_used(builder *b) {
    const bsp_map *map = b->map;
    bool *used = bspi_arena_zero(&b->renderer->arena, map->num_materials, 1, b->error);
    for (uint32_t f = 0; used != NULL && f < map->num_faces; f++) {
        uint32_t material = bsp_surface_material(map, f);
        bool hidden = (bsp_surface_bits_of(map, f) & BSP_SURFACE_HIDDEN) != 0;
        if (material != BSP_NONE && (!hidden || b->options->hidden)) {
            used[material] = true;
        }
    }
    if (used != NULL) {
        use_overlays(map, map->overlays, map->num_overlays, used);
        use_overlays(map, map->water_overlays, map->num_water_overlays, used);
    }
    return used;
}

static bool add_textures(builder *b) {
    uint32_t count = b->map->num_materials;
    bspi_arena *arena = &b->renderer->arena;
    b->renderer->textures =
        bspi_arena_zero(arena, count + (size_t)1, sizeof(bspi_texture), b->error);
    b->renderer->missing = bspi_arena_zero(arena, count, sizeof(bsp_text), b->error);
    b->sizes = bspi_arena_zero(arena, count, sizeof *b->sizes, b->error);
    if (b->renderer->textures == NULL || b->renderer->missing == NULL || b->sizes == NULL) {
        return false;
    }
    b->renderer->num_textures = count + 1;
    const bsp_textures_options how = {.issues = b->options->issues,
                                      .allocator = b->options->allocator,
                                      .budget = b->options->budget};
    b->finder = bsp_textures_open(b->options->search, b->map, &how, b->error);
    bspi_progress progress;
    bool done = b->finder != NULL && add_grey(b, &b->renderer->textures[count]) &&
                bspi_progress_begin(&progress, &b->options->progress, "textures", count, b->error);
    const bool *used = find_used(b);
    done = done && used != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        done = (!used[i] || (add_texture(b, i) && add_second(b, i))) &&
               bspi_progress_step(&progress, 1, b->error);
    }
    return done && keep_names(b);
}

// --- light --------------------------------------------------------------------------------------

static bool add_light(builder *b) {
    if (b->options->full_bright) {
        return true;
    }
    const char *name = b->options->name == NULL ? "" : b->options->name;
    bsp_external_light *external = bsp_external_light_load(b->finder, bsp_text_of(name), b->error);
    bsp_lightmap_options options = {.range = BSPI_LIGHT_RANGE,
                                    .external = external,
                                    .allocator = b->options->allocator,
                                    .budget = b->options->budget};
    b->light = external == NULL ? NULL : bsp_lightmap_build(b->map, b->file, &options, b->error);
    bsp_external_light_free(external);
    if (b->light == NULL) {
        return false;
    }
    bsp_renderer *renderer = b->renderer;
    renderer->num_pages = b->light->num_pages;
    renderer->pages =
        bspi_arena_zero(&renderer->arena, renderer->num_pages, sizeof *renderer->pages, b->error);
    for (uint32_t i = 0; renderer->pages != NULL && i < renderer->num_pages; i++) {
        const bsp_light_page *page = &b->light->pages[i];
        if (!bspi_mip_copy(&renderer->arena, page->rgba, page->width, page->height,
                           &renderer->pages[i], b->error)) {
            return false;
        }
    }
    return renderer->pages != NULL;
}

// --- triangles ----------------------------------------------------------------------------------

// A brush model where an entity shows it, or where the file has it.
typedef struct instance {
    bsp_placement place;
    bsp_entity_look look;
    uint32_t texture;     // of one colour, instead of those of the materials; or BSP_NONE
    uint32_t first_group; // of the mesh
    uint32_t num_groups;
} instance;

typedef struct instance_list {
    const uint32_t *first_group;
    instance *list;
    uint32_t count;
    uint64_t vertices;
    uint64_t indices;
    uint64_t groups;
    uint64_t faces;
    uint32_t num_plain; // instances in a colour instead of their textures
} instance_list;

// For each model, and one after the last: the first of its groups.
static uint32_t *find_groups(const builder *b) {
    uint32_t models = b->map->num_models;
    uint32_t *first =
        bspi_arena_raw(&b->renderer->arena, (size_t)models + 1, sizeof *first, b->error);
    uint32_t group = 0;
    for (uint32_t m = 0; first != NULL && m <= models; m++) {
        while (group < b->mesh->num_groups && b->mesh->groups[group].model < m) {
            group++;
        }
        first[m] = group;
    }
    return first;
}

// What is placed later is paid for here. False over a limit.
static bool add_instance(builder *b, instance_list *out, const bsp_placement *place,
                         bsp_entity_look look) {
    const uint32_t *first = &out->first_group[place->model];
    instance it = {*place, look, BSP_NONE, first[0], first[1] - first[0]};
    uint64_t steps = 1;
    if ((place->presence != BSP_SEEN || look.opacity <= 0) && !b->options->hidden) {
        return bspi_meter_add(&b->meter, steps);
    }
    for (uint32_t g = it.first_group; g < it.first_group + it.num_groups; g++) {
        const bsp_mesh_group *group = &b->mesh->groups[g];
        out->vertices += group->num_vertices;
        out->indices += group->num_indices;
        out->faces += group->num_faces;
        steps += 1 + (uint64_t)group->num_vertices + group->num_indices + group->num_faces;
    }
    out->groups += it.num_groups;
    if (it.num_groups != 0) {
        out->list[out->count++] = it;
        out->num_plain += look.plain;
    }
    return bspi_meter_add(&b->meter, steps);
}

// The world, what entities show, and models that no entity shows, where the file has them.
static bool list_instances(builder *b, instance_list *out) {
    static const bsp_entity_look whole = {.mode = BSP_LOOK_NORMAL, .opacity = 1};
    const bsp_map *map = b->map;
    bspi_arena *arena = &b->renderer->arena;
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    bool *shown = bspi_arena_zero(arena, map->num_models, sizeof *shown, b->error);
    memset(out, 0, sizeof *out);
    out->first_group = find_groups(b);
    out->list =
        bspi_arena_raw(arena, (size_t)entities + map->num_models, sizeof *out->list, b->error);
    if (shown == NULL || out->first_group == NULL || out->list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < entities; i++) {
        bsp_placement place = bsp_entity_placement(map, &map->entities->list[i]);
        if (place.model != BSP_NONE && place.model != 0) {
            shown[place.model] = true;
            if (!add_instance(b, out, &place, bsp_entity_look_of(map, &map->entities->list[i]))) {
                return false;
            }
        }
    }
    for (uint32_t m = 0; m < map->num_models; m++) {
        if (!shown[m] && !add_instance(b, out, &(bsp_placement){.model = m}, whole)) {
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

static bool is_blended(const bspi_texture *texture, const bsp_mesh_group *group) {
    return texture->alpha == BSP_ALPHA_BLEND || texture->alpha == BSP_ALPHA_ADD ||
           texture->alpha == BSP_ALPHA_FILTER || texture->opacity < 1 ||
           (group->bits & (BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_LIQUID)) != 0;
}

// Liquids and surfaces that the map calls translucent, when their texture does not say how much.
#define TRANSLUCENT_OPACITY 0.6F

// A map without any light is shaded by where its surfaces look, as if by a high sun: else what has
// one texture would have no edges.
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

// The batch of a group whose vertices and indices were put last, or BSP_NONE for what is not drawn.
static uint32_t add_batch(builder *b, const bsp_mesh_group *group) {
    bsp_renderer *renderer = b->renderer;
    uint32_t texture =
        group->material < b->map->num_materials ? group->material : renderer->num_textures - 1;
    const bspi_texture *look = &renderer->textures[texture];
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
    batch->mixed = look->second != NULL && (group->bits & BSP_SURFACE_DISPLACEMENT) != 0;
    batch->blended = !sky && is_blended(look, group);
    bool plain = look->opacity >= 1 && look->alpha != BSP_ALPHA_BLEND;
    float flagged = bsp_surface_opacity(b->map, group->flags);
    float otherwise = flagged < 1 ? flagged : TRANSLUCENT_OPACITY;
    batch->opacity = batch->blended && plain ? otherwise : look->opacity;
    return renderer->num_batches - 1;
}

// What the entity says, over what the materials say. What is asked for though it is not drawn (tool
// textures and the like) is whole.
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
        *vertex = b->mesh->vertices[group->first_vertex + v];
        bsp_placement_point(place, vertex->position, vertex->position);
        bsp_placement_turn(place, vertex->normal, vertex->normal);
    }
    for (uint32_t i = 0; i < group->num_indices; i++) {
        renderer->indices[renderer->num_indices + i] =
            b->mesh->indices[group->first_index + i] - group->first_vertex + renderer->num_vertices;
    }
}

// What is drawn in a colour has no texture, nor its holes.
static void use_color(bspi_batch *batch, const instance *it) {
    if (it->texture != BSP_NONE && !batch->sky) {
        batch->texture = it->texture;
        batch->opacity = it->look.opacity > 0 ? it->look.opacity : 1;
        batch->mixed = false;
    }
}

static void put_instance(builder *b, const instance *it) {
    bsp_renderer *renderer = b->renderer;
    for (uint32_t g = it->first_group; g < it->first_group + it->num_groups; g++) {
        const bsp_mesh_group *group = &b->mesh->groups[g];
        put_group(b, group, &it->place);
        uint32_t batch = add_batch(b, group);
        if (batch != BSP_NONE) {
            set_look(&renderer->batches[batch], &it->look);
            use_color(&renderer->batches[batch], it);
            bspi_renderer_pieces_add(renderer, b->mesh, group, batch, renderer->num_vertices,
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
    for (uint32_t i = 0; i < all->count; i++) {
        put_instance(b, &all->list[i]);
    }
    return true;
}

// A texture for each instance that has a colour, after those of the materials.
static bool add_plain(builder *b, instance_list *all) {
    bsp_renderer *renderer = b->renderer;
    bspi_texture *textures =
        bspi_arena_zero(&renderer->arena, (size_t)renderer->num_textures + all->num_plain,
                        sizeof *textures, b->error);
    if (textures == NULL) {
        return false;
    }
    uint32_t next = renderer->num_textures;
    memcpy(textures, renderer->textures, renderer->num_textures * sizeof *textures);
    for (uint32_t i = 0; i < all->count; i++) {
        instance *it = &all->list[i];
        if (it->look.plain) {
            it->texture = next++;
            textures[it->texture].opacity = 1;
            if (!fill_texture(b, it->look.color, &textures[it->texture])) {
                return false;
            }
        }
    }
    renderer->textures = textures;
    return true;
}

static bool add_mesh(builder *b) {
    bsp_mesh_options options = {.hidden = b->options->hidden,
                                .sky = true,
                                .overlays = true,
                                .lightmap = b->light,
                                .sizes = (const uint32_t(*)[2])b->sizes,
                                .file = b->file,
                                .allocator = b->options->allocator,
                                .budget = b->options->budget};
    instance_list all;
    b->mesh = bsp_mesh_build(b->map, &options, b->error);
    return b->mesh != NULL && list_instances(b, &all) && bspi_meter_pay(&b->meter) &&
           (all.num_plain == 0 || add_plain(b, &all)) && put_all(b, &all);
}

// The box around what is drawn from above.
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
    bspi_heap heap;
    bspi_heap_init(&heap, options->allocator, 0);
    bsp_renderer *renderer = bspi_heap_alloc(&heap, sizeof *renderer, error);
    if (renderer != NULL) {
        memset(renderer, 0, sizeof *renderer);
        bspi_map_heap(&renderer->heap, BSP_PRODUCT_SCENE, map, options->budget, options->allocator);
        bspi_arena_init(&renderer->arena, &renderer->heap);
    }
    return renderer;
}

bsp_renderer *bsp_renderer_build(const bsp_map *map, const bsp_file *file,
                                 const bsp_renderer_options *options, bsp_error *error) {
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
    bool done = add_textures(&b) && add_light(&b) && add_mesh(&b) && add_sky(&b);
    measure(b.renderer);
    bsp_mesh_free(b.mesh);
    bsp_lightmap_free(b.light);
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
    bsp_allocator allocator = renderer->heap.allocator;
    allocator.resize(allocator.user, renderer, sizeof *renderer, 0);
}

uint32_t bsp_renderer_missing(const bsp_renderer *renderer) {
    return renderer->num_missing;
}

bsp_text bsp_renderer_missing_name(const bsp_renderer *renderer, uint32_t n) {
    bsp_text none = {NULL, 0};
    return n < renderer->num_missing ? renderer->missing[n] : none;
}
