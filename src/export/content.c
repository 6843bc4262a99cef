// SPDX-License-Identifier: MIT
// Collects what is written: textures first (their sizes are the unit of texture coordinates), then
// light, then triangles, then parts of one material each. Assumes a loaded map.
#include "export/content.h"

#include "export/bake.h"
#include "export/solids.h"
#include "export/whole_faces.h"
#include "map/heap.h"
#include "scene/textures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define METRES_PER_UNIT (1.0F / 39.37F)
#define TELLING_BITS (BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_MASKED)

// --- the scene ----------------------------------------------------------------------------------

static void tell_missing(const bspi_content *content) {
    const bsp_export_options *options = content->options;
    for (uint32_t i = 0; options->missing_models != NULL && i < content->scene->num_missing; i++) {
        options->missing_models(options->user, &content->scene->missing[i]);
    }
}

static bool build_scene(bspi_content *content, bsp_error *error) {
    const bsp_export_options *options = content->options;
    bool baked = options->light == BSP_EXPORT_LIGHT_BAKED;
    const bsp_scene_state begin = {0}; // with all light styles, as the map begins
    const bsp_scene_options how = {.file = options->file,
                                   .state = &begin,
                                   .textures = options->textures,
                                   .pictures = bspi_paints_add,
                                   .decals = bspi_paints_decal,
                                   .user = &content->paints,
                                   .external = options->external,
                                   .light_range = baked ? BSPI_BAKE_RANGE : 1,
                                   .full_bright = options->light == BSP_EXPORT_LIGHT_NONE,
                                   .hdr = options->hdr,
                                   .hidden = options->hidden,
                                   .sky = options->sky,
                                   .patch_tolerance = options->patch_tolerance,
                                   .props = options->props,
                                   .details = !options->no_details,
                                   .definitions = options->definitions,
                                   .progress = options->progress,
                                   .allocator = options->allocator,
                                   .budget = options->budget};
    if (!bspi_paints_begin(&content->paints, error)) {
        return false;
    }
    content->scene = bsp_scene_build(content->map, &how, error);
    if (content->scene == NULL) {
        return false;
    }
    if (!bspi_paints_end(&content->paints, content->scene, error)) {
        return false;
    }
    tell_missing(content);
    content->mesh = content->scene->mesh;
    content->lightmap = content->scene->lightmap;
    return true;
}

// The pages of light as images.
static bool pack_pages(bspi_content *content, bsp_error *error) {
    const bsp_lightmap *lightmap = content->lightmap;
    content->pages =
        bspi_arena_zero(&content->arena, lightmap->num_pages, sizeof *content->pages, error);
    if (content->pages == NULL ||
        !bspi_progress_begin(&content->paints.progress, &content->options->progress,
                             "pages of light", lightmap->num_pages, error)) {
        return false;
    }
    bspi_packing *list = bspi_arena_raw(&content->arena, lightmap->num_pages, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < lightmap->num_pages; p++) {
        const bsp_light_page *page = &lightmap->pages[p];
        list[p] = (bspi_packing){{page->rgba, page->width, page->height}, &content->pages[p]};
    }
    content->num_pages = lightmap->num_pages; // these are freed with the content
    return bspi_paints_pack(&content->paints, list, lightmap->num_pages, error) &&
           bspi_progress_step(&content->paints.progress, lightmap->num_pages, error);
}

// --- materials ----------------------------------------------------------------------------------

const bspi_paint *bspi_finish_paint(const bspi_content *content, const bspi_finish *finish) {
    if (finish->decal != 0) {
        return &content->paints.decals[finish->material];
    }
    return finish->material == BSP_NONE ? NULL : &content->paints.list[finish->material];
}

bsp_text bspi_finish_name(const bspi_content *content, const bspi_finish *finish) {
    if (finish->decal != 0) {
        return content->scene->decal_names[finish->material];
    }
    return finish->material == BSP_NONE ? bsp_text_of("")
                                        : content->scene->materials[finish->material].name;
}

static bool is_baked(const bspi_content *content, uint32_t page) {
    return content->options->light == BSP_EXPORT_LIGHT_BAKED && page != BSP_NONE;
}

bool bspi_finish_baked(const bspi_content *content, const bspi_finish *finish) {
    return is_baked(content, finish->page);
}

const bspi_png *bspi_finish_image(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    bool shown = paint != NULL && paint->image != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_baked(content, finish);
    if (finish->glow != 0) {
        return &content->paints.images[paint->glow];
    }
    return shown ? &content->paints.images[paint->image] : NULL;
}

static bool is_mixed(const bspi_content *content, uint32_t material, uint32_t bits) {
    return (bits & BSP_SURFACE_DISPLACEMENT) != 0 && material != BSP_NONE &&
           content->paints.list[material].second != BSP_NONE;
}

const bspi_png *bspi_finish_second(const bspi_content *content, const bspi_finish *finish) {
    bool shown = is_mixed(content, finish->material, finish->bits) && finish->color == 0 &&
                 !bspi_finish_baked(content, finish);
    return shown ? &content->paints.images[content->paints.list[finish->material].second] : NULL;
}

const bspi_png *bspi_finish_layer(const bspi_content *content, const bspi_finish *finish,
                                  uint32_t layer) {
    if (bspi_finish_second(content, finish) == NULL || content->mesh->blends == NULL) {
        return NULL;
    }
    uint32_t image = content->paints.list[finish->material].layers[layer].image;
    return image != BSP_NONE ? &content->paints.images[image] : NULL;
}

const bspi_png *bspi_finish_normal(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    bool shown = paint != NULL && paint->normal != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_unlit(content, finish);
    return shown ? &content->paints.images[paint->normal] : NULL;
}

const bspi_png *bspi_finish_glow(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    bool shown = paint != NULL && paint->glow != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_unlit(content, finish);
    return shown ? &content->paints.images[paint->glow] : NULL;
}

bool bspi_finish_unlit(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    return content->options->light == BSP_EXPORT_LIGHT_BAKED ||
           content->options->light == BSP_EXPORT_LIGHT_VERTEX ||
           (finish->look & BSPI_LOOK_UNLIT) != 0 || (paint != NULL && paint->is.unlit);
}

bsp_alpha bspi_finish_alpha(const bspi_content *content, const bspi_finish *finish, float *cut) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    *cut = 0.5F;
    if (finish->color != 0 || finish->glow != 0) {
        return BSP_ALPHA_BLEND;
    }
    if (paint != NULL && paint->is.alpha == BSP_ALPHA_TEST) {
        *cut = paint->is.alpha_cut;
        return BSP_ALPHA_TEST;
    }
    bool blended = finish->opacity != 255 || (finish->look & ~BSPI_LOOK_UNLIT) != BSP_LOOK_NORMAL;
    if ((paint != NULL && paint->is.alpha != BSP_ALPHA_OPAQUE) || blended) {
        return BSP_ALPHA_BLEND;
    }
    return (finish->bits & BSP_SURFACE_MASKED) != 0 ? BSP_ALPHA_TEST : BSP_ALPHA_OPAQUE;
}

static uint32_t opacity_of(const bspi_content *content, const bsp_mesh_group *group,
                           const bsp_entity_look *look) {
    const bspi_paint *paint =
        group->material == BSP_NONE ? NULL : &content->paints.list[group->material];
    bool unknown = paint == NULL || !paint->is.found;
    float opacity = paint == NULL ? 1 : paint->is.opacity;
    // A pane without its texture must not shut out the light.
    if (unknown && (group->bits & BSP_SURFACE_TRANSLUCENT) != 0) {
        opacity = BSPI_TRANSLUCENT_OPACITY;
    }
    float flagged = bsp_surface_opacity(content->map, group->flags);
    opacity = flagged < 1 ? flagged : opacity;
    opacity = look->plain ? look->opacity : opacity * look->opacity;
    return opacity > 0 ? (opacity < 1 ? (uint32_t)(opacity * 255 + 0.5F) : 255) : 0;
}

static uint32_t color_of(const bsp_entity_look *look) {
    const uint8_t *c = look->color;
    return look->plain ? (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | 1 : 0;
}

static int by_finish(const void *left, const void *right) {
    const bspi_finish *a = left;
    const bspi_finish *b = right;
    uint32_t keys[9][2] = {{a->material, b->material}, {a->page, b->page}, {a->bits, b->bits},
                           {a->opacity, b->opacity},   {a->look, b->look}, {a->color, b->color},
                           {a->tint, b->tint},         {a->glow, b->glow}, {a->decal, b->decal}};
    for (int i = 0; i < 9; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

// Lists the different materials; wanted[i] is that of part i.
static bool list_finishes(bspi_content *content, const bspi_finish *wanted, bsp_error *error) {
    uint32_t count = content->num_parts;
    content->finishes = bspi_arena_raw(&content->arena, count, sizeof *content->finishes, error);
    if (content->finishes == NULL || count == 0) {
        return content->finishes != NULL;
    }
    memcpy(content->finishes, wanted, count * sizeof *wanted);
    qsort(content->finishes, count, sizeof *content->finishes, by_finish);
    uint32_t unique = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (by_finish(&content->finishes[i], &content->finishes[unique - 1]) != 0) {
            content->finishes[unique++] = content->finishes[i];
        }
    }
    content->num_finishes = unique;
    for (uint32_t i = 0; i < count; i++) {
        const bspi_finish *found =
            bsearch(&wanted[i], content->finishes, unique, sizeof *wanted, by_finish);
        content->parts[i].finish = (uint32_t)(found - content->finishes);
    }
    return true;
}

// --- parts --------------------------------------------------------------------------------------

static bool is_colored(const bspi_content *content, const bsp_mesh_group *group, bool unlit,
                       bool baked) {
    bool vertex_lit = (group->bits & BSP_SURFACE_VERTEX_LIT) != 0;
    if (unlit) {
        return false;
    }
    switch (content->options->light) {
    case BSP_EXPORT_LIGHT_VERTEX:
        return group->light_page != BSP_NONE || vertex_lit;
    case BSP_EXPORT_LIGHT_BAKED:
        return !baked && vertex_lit;
    case BSP_EXPORT_LIGHT_UV:
    case BSP_EXPORT_LIGHT_NONE:
        break;
    }
    return false;
}

static bool is_layered(const bspi_content *content, const bsp_mesh_group *group) {
    const bspi_layer *layers = content->paints.list[group->material].layers;
    bool any = false;
    for (uint32_t i = 0; i < BSPI_LAYERS; i++) {
        any = any || layers[i].image != BSP_NONE;
    }
    return any && content->mesh->blends != NULL;
}

static bspi_part begin_part(const bspi_content *content, uint32_t shape, uint32_t face,
                            uint32_t page) {
    const bsp_mesh_face *first = &content->mesh->faces[face];
    const bsp_mesh_group *group = &content->mesh->groups[first->group];
    bool unlit = content->shapes[shape].look.unlit;
    bool mixed = !is_baked(content, page) && is_mixed(content, group->material, group->bits);
    return (bspi_part){.vertices = content->mesh->vertices,
                       .indices = content->mesh->indices,
                       .shape = shape,
                       .shares = content->num_parts,
                       .prop = BSP_NONE,
                       .light_page = group->light_page,
                       .first_face = face,
                       .first_vertex = first->first_vertex,
                       .first_index = first->first_index,
                       .colored = is_colored(content, group, unlit, page != BSP_NONE),
                       .mixed = mixed,
                       .layered = mixed && is_layered(content, group)};
}

static bspi_finish finish_of(const bspi_content *content, const bsp_mesh_group *group,
                             const bsp_entity_look *look, uint32_t page) {
    bool mixed = is_mixed(content, group->material, group->bits);
    return (bspi_finish){.material = group->material,
                         .page = page,
                         .bits = (group->bits & TELLING_BITS) |
                                 (mixed ? (uint32_t)BSP_SURFACE_DISPLACEMENT : 0),
                         .opacity = opacity_of(content, group, look),
                         .look = (uint32_t)look->mode | (look->unlit ? BSPI_LOOK_UNLIT : 0),
                         .color = color_of(look),
                         .tint = BSPI_NO_TINT};
}

static bool is_dropped(const bspi_content *content, const bsp_mesh_group *group) {
    return content->unseen[group->model] ||
           (group->material != BSP_NONE && content->paints.list[group->material].dropped);
}

// The parts under construction.
typedef struct part_list {
    const bspi_bake_place *places; // BAKED: the place of each face
    bspi_finish *wanted;           // of each part
    size_t room_parts;
    size_t room_wanted;
    uint32_t first_of_model; // the first part of the last prop's model
    uint32_t of_model;       // how many parts the last prop has
} part_list;

static uint32_t page_of(const bspi_content *content, const bspi_bake_place *places, uint32_t face,
                        const bsp_entity_look *look) {
    if (look->unlit) {
        return BSP_NONE;
    }
    return places != NULL ? places[face].page
           : content->options->light == BSP_EXPORT_LIGHT_UV
               ? content->mesh->groups[content->mesh->faces[face].group].light_page
               : BSP_NONE;
}

static bool add_part(bspi_content *content, part_list *list, const bspi_part *part,
                     const bspi_finish *wanted, bsp_error *error) {
    bspi_part *parts = bspi_grow(&content->heap, content->parts, content->num_parts,
                                 &list->room_parts, sizeof *parts, error);
    content->parts = parts != NULL ? parts : content->parts;
    bspi_finish *finishes = parts == NULL
                                ? NULL
                                : bspi_grow(&content->heap, list->wanted, content->num_parts,
                                            &list->room_wanted, sizeof *finishes, error);
    if (finishes == NULL) {
        return false;
    }
    list->wanted = finishes;
    finishes[content->num_parts] = *wanted;
    parts[content->num_parts++] = *part;
    return true;
}

// Returns true if another shape of the world has a face: that of the room of the sky, or the
// others.
static bool is_elsewhere(const bspi_content *content, uint32_t shape, uint32_t face) {
    bool world = content->shapes[shape].model == 0 && content->room.found;
    bool in_room = world && content->room.faces[face] != 0;
    return world &&
           (in_room != (shape == content->room.shape) || bspi_sky_room_hides(content, in_room));
}

// Where light is written at the vertices of a shape's parts, from number `first` on, lays the light
// that their materials have of their own over them.
static bool list_layers(bspi_content *content, part_list *list, uint32_t first, bsp_error *error) {
    uint32_t end = content->num_parts;
    for (uint32_t i = first; i < end; i++) {
        bspi_part part = content->parts[i];
        bspi_finish finish = list->wanted[i];
        const bspi_paint *paint = bspi_finish_paint(content, &finish);
        if (!part.colored || finish.color != 0 || !bspi_paint_is_layer(content, paint)) {
            continue;
        }
        if (content->world_glow == NULL) {
            const bsp_mesh *mesh = content->mesh;
            content->world_glow =
                bspi_glow_lift(content, mesh->vertices, mesh->num_vertices, error);
        }
        part.vertices = content->world_glow;
        part.shares = content->num_parts;
        part.light_page = BSP_NONE;
        part.num_faces = 0;
        part.colored = part.mixed = false;
        finish.bits &= ~(uint32_t)BSP_SURFACE_DISPLACEMENT;
        finish.glow = 1;
        if (part.vertices == NULL || !add_part(content, list, &part, &finish, error)) {
            return false;
        }
    }
    return true;
}

// Makes the parts of one shape from a run of the mesh's faces, which are sorted by model.
static bool list_shape(bspi_content *content, part_list *list, uint32_t shape, uint32_t first,
                       uint32_t end, bsp_error *error) {
    const bsp_entity_look *look = &content->shapes[shape].look;
    uint32_t first_part = content->num_parts;
    uint32_t last_group = BSP_NONE;
    uint32_t last_page = BSP_NONE;
    for (uint32_t f = first; f < end; f++) {
        const bsp_mesh_face *face = &content->mesh->faces[f];
        const bsp_mesh_group *group = &content->mesh->groups[face->group];
        uint32_t page = page_of(content, list->places, f, look);
        if (is_dropped(content, group)) {
            continue;
        }
        if (is_elsewhere(content, shape, f)) {
            last_group = BSP_NONE;
            continue;
        }
        if (face->group != last_group || page != last_page) {
            bspi_part part = begin_part(content, shape, f, page);
            bspi_finish finish = finish_of(content, group, look, page);
            if (!add_part(content, list, &part, &finish, error)) {
                return false;
            }
        }
        bspi_part *part = &content->parts[content->num_parts - 1];
        part->num_faces++;
        part->num_vertices += face->num_vertices;
        part->num_indices += face->num_indices;
        last_group = face->group;
        last_page = page;
    }
    return list_layers(content, list, first_part, error);
}

// --- parts of props -----------------------------------------------------------------------------

static bspi_finish finish_of_prop(const bspi_content *content, const bspi_shape *shape,
                                  uint32_t material) {
    const bsp_scene_prop *prop = &content->scene->props[shape->prop];
    float opacity = material == BSP_NONE ? 1 : content->paints.list[material].is.opacity;
    opacity = shape->look.plain ? 1 : opacity;
    opacity *= shape->look.opacity * (float)prop->color[3] / 255;
    return (bspi_finish){
        .material = material,
        .page = BSP_NONE,
        .opacity = opacity > 0 ? (opacity < 1 ? (uint32_t)(opacity * 255 + 0.5F) : 255) : 0,
        .look = (uint32_t)shape->look.mode | (shape->look.unlit ? BSPI_LOOK_UNLIT : 0),
        .color = color_of(&shape->look),
        .tint = (uint32_t)prop->color[0] << 16 | (uint32_t)prop->color[1] << 8 | prop->color[2]};
}

static const bspi_paint *paint_of_group(const bspi_content *content, uint32_t material) {
    return material == BSP_NONE ? NULL : &content->paints.list[material];
}

// Adds the part of a group of a prop's model, or of its own light, which lies over it.
static bool add_group(bspi_content *content, part_list *list, uint32_t number, uint32_t group,
                      bool glow, bsp_error *error) {
    const bspi_shape *shape = &content->shapes[number];
    const bsp_scene_model *model = &content->scene->models[shape->model];
    const bsp_model_group *from = &model->mesh->groups[group];
    const bspi_paint *paint = paint_of_group(content, model->materials[group]);
    bool lit = !glow && bspi_props_are_lit(content) && !shape->look.unlit &&
               (paint == NULL || !paint->is.unlit);
    const bspi_part part = {.vertices = glow ? content->glow_vertices[shape->model]
                                             : content->model_vertices[shape->model],
                            .indices = model->mesh->indices,
                            .shape = number,
                            .shares = list->first_of_model + list->of_model++,
                            .prop = lit ? shape->prop : BSP_NONE,
                            .light_page = BSP_NONE,
                            .first_vertex = from->first_vertex,
                            .num_vertices = from->num_vertices,
                            .first_index = from->first_index,
                            .num_indices = from->num_indices,
                            .colored =
                                lit || (!glow && bspi_model_has_colors(content, shape->model))};
    bspi_finish finish = finish_of_prop(content, shape, model->materials[group]);
    finish.glow = glow && finish.color == 0;
    return add_part(content, list, &part, &finish, error);
}

// Makes the parts of each group of a prop's model. Shapes of one model follow each other, and the
// others have the triangles of the first.
static bool list_prop(bspi_content *content, part_list *list, uint32_t number, bsp_error *error) {
    const bspi_shape *shape = &content->shapes[number];
    const bsp_scene_model *model = &content->scene->models[shape->model];
    bool again = number > content->num_brush_shapes && shape[-1].model == shape->model;
    list->first_of_model = again ? list->first_of_model : content->num_parts;
    list->of_model = 0;
    for (uint32_t g = 0; g < model->mesh->num_groups; g++) {
        const bspi_paint *paint = paint_of_group(content, model->materials[g]);
        if ((paint != NULL && paint->dropped) || model->mesh->groups[g].num_indices == 0) {
            continue;
        }
        bool glows = bspi_paint_is_layer(content, paint);
        if (!add_group(content, list, number, g, false, error) ||
            (glows && !add_group(content, list, number, g, true, error))) {
            return false;
        }
    }
    return true;
}

// Where light is written at vertices, or baked, decals have theirs at their corners.
static bool list_decals(bspi_content *content, part_list *list, bsp_error *error) {
    const bspi_decals *decals = &content->decals;
    bool lit = bspi_props_are_lit(content);
    for (uint32_t i = 0; i < decals->num_runs; i++) {
        const bspi_decal_run *run = &decals->runs[i];
        bool paged = content->options->light == BSP_EXPORT_LIGHT_UV;
        const bspi_part part = {.vertices = decals->vertices,
                                .indices = decals->indices,
                                .shape = decals->shape,
                                .shares = content->num_parts,
                                .prop = BSP_NONE,
                                .light_page = run->light_page,
                                .first_vertex = run->first_vertex,
                                .num_vertices = run->num_vertices,
                                .first_index = run->first_vertex,
                                .num_indices = run->num_vertices,
                                .colored = lit && run->light_page != BSP_NONE};
        const bspi_finish finish = {.material = run->picture,
                                    .page = paged ? run->light_page : BSP_NONE,
                                    .opacity = 255,
                                    .look = BSP_LOOK_NORMAL,
                                    .tint = BSPI_NO_TINT,
                                    .decal = 1};
        if (!add_part(content, list, &part, &finish, error)) {
            return false;
        }
    }
    return true;
}

static bool add_bare(bspi_content *content, part_list *list, const bspi_part *part, uint32_t color,
                     bsp_error *error) {
    const bspi_finish finish = {.material = BSP_NONE,
                                .page = BSP_NONE,
                                .opacity = BSPI_SOLID_OPACITY,
                                .look = (uint32_t)BSP_LOOK_NORMAL | BSPI_LOOK_UNLIT,
                                .color = color,
                                .tint = BSPI_NO_TINT};
    return add_part(content, list, part, &finish, error);
}

static bool list_area(bspi_content *content, part_list *list, uint32_t number, bsp_error *error) {
    uint32_t area = content->shapes[number].area - 1;
    const bspi_part part = {.vertices = content->area_vertices,
                            .indices = content->area_indices,
                            .shape = number,
                            .shares = content->num_parts,
                            .prop = BSP_NONE,
                            .light_page = BSP_NONE,
                            .first_vertex = 4 * area,
                            .num_vertices = 4,
                            .first_index = 6 * area,
                            .num_indices = 6,
                            .bare = true};
    return add_bare(content, list, &part, BSPI_AREA_COLOR, error);
}

static bool list_solid(bspi_content *content, part_list *list, uint32_t number, bsp_error *error) {
    const bspi_solid *solid = &content->solids->list[content->shapes[number].solid];
    const bspi_part part = {.vertices = content->solids->vertices,
                            .indices = content->solids->indices,
                            .shape = number,
                            .shares = content->num_parts,
                            .prop = BSP_NONE,
                            .light_page = BSP_NONE,
                            .first_vertex = solid->first_vertex,
                            .num_vertices = solid->num_vertices,
                            .first_index = solid->first_index,
                            .num_indices = solid->num_indices,
                            .bare = true};
    return add_bare(content, list, &part,
                    solid->kind == BSPI_SOLID_PORTAL ? BSPI_PORTAL_COLOR : BSPI_SOLID_COLOR, error);
}

static bool list_parts(bspi_content *content, const bspi_bake_place *places, bsp_error *error) {
    const bsp_mesh *mesh = content->mesh;
    part_list list = {.places = places};
    bool done = true;
    uint32_t end = 0;
    for (uint32_t m = 0; done && m < content->map->num_models; m++) {
        uint32_t first = end;
        while (end < mesh->num_faces && mesh->groups[mesh->faces[end].group].model == m) {
            end++;
        }
        for (uint32_t s = content->first_shape[m]; done && s < content->first_shape[m + 1]; s++) {
            done = list_shape(content, &list, s, first, end, error);
        }
    }
    if (done && content->room.found) {
        end = 0;
        while (end < mesh->num_faces && mesh->groups[mesh->faces[end].group].model == 0) {
            end++;
        }
        done = list_shape(content, &list, content->room.shape, 0, end, error);
    }
    done = done && list_decals(content, &list, error);
    for (uint32_t s = content->num_brush_shapes; done && s < content->num_shapes; s++) {
        const bspi_shape *shape = &content->shapes[s];
        done = shape->area != 0           ? list_area(content, &list, s, error)
               : shape->solid == BSP_NONE ? list_prop(content, &list, s, error)
                                          : list_solid(content, &list, s, error);
    }
    content->room_parts = list.room_parts;
    done = done && list_finishes(content, list.wanted, error);
    bspi_heap_free(&content->heap, list.wanted, list.room_wanted * sizeof *list.wanted);
    return done;
}

static void number_images(bspi_content *content) {
    bspi_png *images = content->paints.images;
    for (uint32_t i = 0; i < content->num_finishes; i++) {
        const bspi_png *used[4 + BSPI_LAYERS] = {bspi_finish_image(content, &content->finishes[i]),
                                                 bspi_finish_second(content, &content->finishes[i]),
                                                 bspi_finish_normal(content, &content->finishes[i]),
                                                 bspi_finish_glow(content, &content->finishes[i])};
        for (uint32_t n = 0; n < BSPI_LAYERS; n++) {
            used[4 + n] = bspi_finish_layer(content, &content->finishes[i], n);
        }
        for (int n = 0; n < 4 + (int)BSPI_LAYERS; n++) {
            if (used[n] != NULL) {
                images[used[n] - images].number = 0;
            }
        }
    }
    for (uint32_t i = 0; i < content->paints.num_images; i++) {
        if (images[i].number == 0) {
            images[i].number = content->num_images++;
        }
    }
}

// Removes parts without triangles, and gives shapes their runs. Those of props have triangles.
static bool index_parts(bspi_content *content, bsp_error *error) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < content->num_parts; i++) {
        if (content->parts[i].num_indices != 0) {
            content->parts[kept] = content->parts[i];
            content->parts[kept].shares -= i - kept;
            kept++;
        }
    }
    content->num_parts = kept;
    content->first_part =
        bspi_arena_raw(&content->arena, (size_t)content->num_shapes + 1, sizeof(uint32_t), error);
    uint32_t part = 0;
    for (uint32_t s = 0; content->first_part != NULL && s <= content->num_shapes; s++) {
        while (part < kept && content->parts[part].shape < s) {
            part++;
        }
        content->first_part[s] = part;
    }
    return content->first_part != NULL;
}

// --- vertices -----------------------------------------------------------------------------------

void bspi_content_uv(const bspi_content *content, const bspi_part *part, uint32_t vertex,
                     float uv[2]) {
    const float *from = part->vertices[vertex].uv;
    if (bspi_finish_baked(content, &content->finishes[part->finish])) {
        from = content->baked_uv[vertex];
    }
    for (int i = 0; i < 2; i++) {
        uv[i] = from[i] > -1e30F && from[i] < 1e30F ? from[i] : 0;
    }
}

static void color_prop(const bspi_content *content, const bspi_part *part, uint32_t number,
                       float rgb[3]) {
    const bsp_scene_prop *prop = &content->scene->props[part->prop];
    const bsp_mesh_vertex *vertex = &part->vertices[number];
    float normal[3];
    float light[3];
    float square = 0;
    for (int i = 0; i < 3; i++) {
        const float *row = prop->place[i];
        const float *n = vertex->normal;
        normal[i] = row[0] * n[0] + row[1] * n[1] + row[2] * n[2];
        square += normal[i] * normal[i];
    }
    for (int i = 0; i < 3 && square > 0; i++) {
        normal[i] /= sqrtf(square);
    }
    bsp_scene_prop_vertex_light(content->scene, prop, number, normal, light);
    for (int i = 0; i < 3; i++) {
        float value = light[i] * (float)vertex->color[i] / 255;
        rgb[i] = value > 0 ? (value < 1 ? value : 1) : 0; // also where it is no number
    }
}

void bspi_content_color(const bspi_content *content, const bspi_part *part, uint32_t vertex,
                        float rgb[3]) {
    const bsp_mesh_vertex *v = &part->vertices[vertex];
    if (part->prop != BSP_NONE) {
        color_prop(content, part, vertex, rgb);
        return;
    }
    if (part->light_page != BSP_NONE) {
        float texel[4];
        const bsp_light_page *page = &content->lightmap->pages[part->light_page];
        const bspi_mip picture = {page->rgba, page->width, page->height, page->width};
        bool baked = content->options->light == BSP_EXPORT_LIGHT_BAKED;
        float range = baked ? BSPI_BAKE_RANGE : 1;
        bspi_mip_sample(&picture, v->light_uv, false, texel);
        for (int i = 0; i < 3; i++) {
            float value = texel[i] / 255 * range;
            rgb[i] = value < 1 ? value : 1;
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] = (float)v->color[i] / 255;
    }
}

// --- the whole content ---------------------------------------------------------------------------

static void add_solids(bspi_content *content) {
    content->first_solid = content->num_shapes;
    for (uint32_t i = 0; content->solids != NULL && i < content->solids->count; i++) {
        const bspi_shape shape = {
            .look = {.mode = BSP_LOOK_NORMAL, .opacity = 1}, .prop = BSP_NONE, .solid = i};
        content->shapes[content->num_shapes++] = shape;
    }
}

static bool build(bspi_content *content, bool nodes, bsp_error *error) {
    bspi_bake_place *places = NULL;
    bsp_export_light light = content->options->light;
    if (!bspi_whole_faces_take(content, error) ||
        !bspi_targets_build(&content->targets, content->map->entities, &content->arena, error) ||
        !build_scene(content, error) || !bspi_sky_room_build(content, error) ||
        !bspi_solids_build(content, error) || !bspi_shapes_build(content, error) ||
        !bspi_decals_build(content, error) || !bspi_props_build(content, error)) {
        return false;
    }
    if (nodes) {
        content->links = bsp_scene_links_find(content->map, content->options->allocator, error);
        if (content->links == NULL) {
            return false;
        }
        add_solids(content);
        if (!bspi_areas_build(content, error)) {
            return false;
        }
    }
    if (light == BSP_EXPORT_LIGHT_UV ? !pack_pages(content, error)
                                     : !bspi_paints_pack(&content->paints, NULL, 0, error)) {
        return false;
    }
    if (light == BSP_EXPORT_LIGHT_BAKED) {
        places = bspi_bake_place_all(content, error);
        if (places == NULL) {
            return false;
        }
    }
    if (!list_parts(content, places, error) || !index_parts(content, error)) {
        return false;
    }
    number_images(content);
    bspi_paints_drop_unused(&content->paints); // baked pages take their place
    if (places != NULL && !bspi_bake_draw(content, places, error)) {
        return false;
    }
    bspi_content_suns(content);
    return true;
}

bool bspi_content_build(bspi_content *content, const bsp_map *map,
                        const bsp_export_options *options, bool nodes, bsp_error *error) {
    memset(content, 0, sizeof *content);
    content->map = map;
    content->options = options;
    content->scale = options->scale > 0 ? options->scale : METRES_PER_UNIT;
    bspi_map_heap(&content->heap, BSP_PRODUCT_EXPORT, map, options->budget, options->allocator);
    bspi_arena_init(&content->arena, &content->heap);
    content->paints =
        (bspi_paints){.map = map, .options = options, .arena = &content->arena, .normals = nodes};
    if (!build(content, nodes, error)) {
        bspi_content_free(content);
        return false;
    }
    return true;
}

void bspi_content_free(bspi_content *content) {
    for (uint32_t i = 0; i < content->num_pages; i++) {
        if (content->pages != NULL) {
            bsp_blob_free(&content->pages[i]);
        }
    }
    bspi_solids_free(content);
    bspi_heap_free(&content->heap, content->parts, content->room_parts * sizeof *content->parts);
    bspi_paints_free(&content->paints);
    bsp_scene_links_free(content->links);
    bsp_scene_free(content->scene);
    bspi_arena_free(&content->arena);
    content->links = NULL;
    content->scene = NULL;
    content->mesh = NULL;
    content->parts = NULL;
    content->lightmap = NULL;
    content->num_pages = 0;
    content->paints.num_images = 0;
}
