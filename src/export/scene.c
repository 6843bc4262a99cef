// SPDX-License-Identifier: MIT
// Collects what is written: textures first (they give the sizes that texture coordinates count in),
// then light, then triangles, then parts of one material each. Assumes a loaded map.
#include "export/scene.h"

#include "export/bake.h"
#include "map/heap.h"

#include <stdlib.h>
#include <string.h>

#define METRES_PER_UNIT (1.0F / 39.37F)
#define TELLING_BITS (BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_MASKED)

const bsp_export_options *bspi_export_defaults(const bsp_export_options *options) {
    static const bsp_export_options defaults = {.scale = 0};
    return options == NULL ? &defaults : options;
}

// --- light and triangles ------------------------------------------------------------------------

static bool build_light(bspi_scene *scene, bsp_error *error) {
    const bsp_export_options *options = scene->options;
    if (options->light == BSP_EXPORT_LIGHT_NONE) {
        return true;
    }
    bsp_lightmap_options light = {
        .range = options->light == BSP_EXPORT_LIGHT_BAKED ? BSPI_BAKE_RANGE : 1,
        .external = options->external,
        .allocator = options->allocator,
        .budget = options->budget};
    scene->lightmap = bsp_lightmap_build(scene->map, options->file, &light, error);
    return scene->lightmap != NULL;
}

static bool build_mesh(bspi_scene *scene, bsp_error *error) {
    const bsp_export_options *options = scene->options;
    uint32_t count = scene->map->num_materials;
    uint32_t(*sizes)[2] = bspi_arena_zero(&scene->arena, count, sizeof *sizes, error);
    if (sizes == NULL) {
        return false;
    }
    for (uint32_t m = 0; m < count; m++) {
        memcpy(sizes[m], scene->paints.list[m].size, sizeof sizes[m]);
    }
    bsp_mesh_options mesh = {.hidden = options->hidden,
                             .sky = options->sky,
                             .overlays = true,
                             .patch_tolerance = options->patch_tolerance,
                             .lightmap = scene->lightmap,
                             .sizes = (const uint32_t(*)[2])sizes,
                             .file = options->file,
                             .allocator = options->allocator,
                             .budget = options->budget};
    scene->mesh = bsp_mesh_build(scene->map, &mesh, error);
    return scene->mesh != NULL;
}

// The pages of light as images.
static bool pack_pages(bspi_scene *scene, bsp_error *error) {
    const bsp_lightmap *lightmap = scene->lightmap;
    scene->pages = bspi_arena_zero(&scene->arena, lightmap->num_pages, sizeof *scene->pages, error);
    if (scene->pages == NULL ||
        !bspi_progress_begin(&scene->paints.progress, &scene->options->progress, "pages of light",
                             lightmap->num_pages, error)) {
        return false;
    }
    for (uint32_t p = 0; p < lightmap->num_pages; p++) {
        bsp_image image;
        const bsp_light_page *page = &lightmap->pages[p];
        const uint8_t none[4] = {0, 0, 0, 255};
        if (!bsp_image_fill(page->width, page->height, none, scene->options->allocator, &image,
                            error)) {
            return false;
        }
        memcpy(image.pixels, page->rgba, 4 * (size_t)page->width * page->height);
        bool done = bspi_paints_pack(&scene->paints, &image, &scene->pages[p], error);
        bsp_image_free(&image);
        scene->num_pages += done; // what is freed with the scene
        if (!done || !bspi_progress_step(&scene->paints.progress, 1, error)) {
            return false;
        }
    }
    return true;
}

// --- materials ----------------------------------------------------------------------------------

const bspi_paint *bspi_finish_paint(const bspi_scene *scene, const bspi_finish *finish) {
    return finish->material == BSP_NONE ? NULL : &scene->paints.list[finish->material];
}

bsp_text bspi_finish_name(const bspi_scene *scene, const bspi_finish *finish) {
    return finish->material == BSP_NONE ? bsp_text_of("")
                                        : scene->map->materials[finish->material].name;
}

static bool is_baked(const bspi_scene *scene, uint32_t page) {
    return scene->options->light == BSP_EXPORT_LIGHT_BAKED && page != BSP_NONE;
}

bool bspi_finish_baked(const bspi_scene *scene, const bspi_finish *finish) {
    return is_baked(scene, finish->page);
}

const bspi_png *bspi_finish_image(const bspi_scene *scene, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(scene, finish);
    bool shown = paint != NULL && paint->image != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_baked(scene, finish);
    return shown ? &scene->paints.images[paint->image] : NULL;
}

static bool is_mixed(const bspi_scene *scene, uint32_t material, uint32_t bits) {
    return (bits & BSP_SURFACE_DISPLACEMENT) != 0 && material != BSP_NONE &&
           scene->paints.list[material].second != BSP_NONE;
}

const bspi_png *bspi_finish_second(const bspi_scene *scene, const bspi_finish *finish) {
    bool shown = is_mixed(scene, finish->material, finish->bits) && finish->color == 0 &&
                 !bspi_finish_baked(scene, finish);
    return shown ? &scene->paints.images[scene->paints.list[finish->material].second] : NULL;
}

bool bspi_finish_unlit(const bspi_scene *scene, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(scene, finish);
    return scene->options->light == BSP_EXPORT_LIGHT_BAKED ||
           scene->options->light == BSP_EXPORT_LIGHT_VERTEX ||
           (finish->look & BSPI_LOOK_UNLIT) != 0 || (paint != NULL && paint->unlit);
}

bsp_alpha bspi_finish_alpha(const bspi_scene *scene, const bspi_finish *finish, float *cut) {
    const bspi_paint *paint = bspi_finish_paint(scene, finish);
    *cut = 0.5F;
    if (finish->color != 0) {
        return BSP_ALPHA_BLEND;
    }
    if (paint != NULL && paint->alpha == BSP_ALPHA_TEST) {
        *cut = paint->alpha_cut;
        return BSP_ALPHA_TEST;
    }
    bool blended = finish->opacity != 255 || (finish->look & ~BSPI_LOOK_UNLIT) != BSP_LOOK_NORMAL;
    if ((paint != NULL && paint->alpha != BSP_ALPHA_OPAQUE) || blended) {
        return BSP_ALPHA_BLEND;
    }
    return (finish->bits & BSP_SURFACE_MASKED) != 0 ? BSP_ALPHA_TEST : BSP_ALPHA_OPAQUE;
}

static uint32_t opacity_of(const bspi_scene *scene, const bsp_mesh_group *group,
                           const bsp_entity_look *look) {
    float opacity = group->material == BSP_NONE ? 1 : scene->paints.list[group->material].opacity;
    float flagged = bsp_surface_opacity(scene->map, group->flags);
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
    uint32_t keys[6][2] = {{a->material, b->material}, {a->page, b->page}, {a->bits, b->bits},
                           {a->opacity, b->opacity},   {a->look, b->look}, {a->color, b->color}};
    for (int i = 0; i < 6; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

// Materials, each once; wanted[i] is that of part i.
static bool list_finishes(bspi_scene *scene, const bspi_finish *wanted, bsp_error *error) {
    uint32_t count = scene->num_parts;
    scene->finishes = bspi_arena_raw(&scene->arena, count, sizeof *scene->finishes, error);
    if (scene->finishes == NULL || count == 0) {
        return scene->finishes != NULL;
    }
    memcpy(scene->finishes, wanted, count * sizeof *wanted);
    qsort(scene->finishes, count, sizeof *scene->finishes, by_finish);
    uint32_t unique = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (by_finish(&scene->finishes[i], &scene->finishes[unique - 1]) != 0) {
            scene->finishes[unique++] = scene->finishes[i];
        }
    }
    scene->num_finishes = unique;
    for (uint32_t i = 0; i < count; i++) {
        const bspi_finish *found =
            bsearch(&wanted[i], scene->finishes, unique, sizeof *wanted, by_finish);
        scene->parts[i].finish = (uint32_t)(found - scene->finishes);
    }
    return true;
}

// --- parts --------------------------------------------------------------------------------------

static bool is_colored(const bspi_scene *scene, const bsp_mesh_group *group, bool unlit,
                       bool baked) {
    bool vertex_lit = (group->bits & BSP_SURFACE_VERTEX_LIT) != 0;
    if (unlit) {
        return false;
    }
    switch (scene->options->light) {
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

static bspi_part begin_part(const bspi_scene *scene, uint32_t shape, uint32_t face, uint32_t page) {
    const bsp_mesh_face *first = &scene->mesh->faces[face];
    const bsp_mesh_group *group = &scene->mesh->groups[first->group];
    bool unlit = scene->shapes[shape].look.unlit;
    return (bspi_part){.shape = shape,
                       .light_page = group->light_page,
                       .first_face = face,
                       .first_vertex = first->first_vertex,
                       .first_index = first->first_index,
                       .colored = is_colored(scene, group, unlit, page != BSP_NONE),
                       .mixed =
                           !is_baked(scene, page) && is_mixed(scene, group->material, group->bits)};
}

static bspi_finish finish_of(const bspi_scene *scene, const bsp_mesh_group *group,
                             const bsp_entity_look *look, uint32_t page) {
    bool mixed = is_mixed(scene, group->material, group->bits);
    return (bspi_finish){.material = group->material,
                         .page = page,
                         .bits = (group->bits & TELLING_BITS) |
                                 (mixed ? (uint32_t)BSP_SURFACE_DISPLACEMENT : 0),
                         .opacity = opacity_of(scene, group, look),
                         .look = (uint32_t)look->mode | (look->unlit ? BSPI_LOOK_UNLIT : 0),
                         .color = color_of(look)};
}

static bool is_dropped(const bspi_scene *scene, const bsp_mesh_group *group) {
    return scene->unseen[group->model] ||
           (group->material != BSP_NONE && scene->paints.list[group->material].dropped);
}

// The parts under construction.
typedef struct part_list {
    const bspi_bake_place *places; // BAKED: where each face is
    bspi_finish *wanted;           // of each part
    size_t room_parts;
    size_t room_wanted;
} part_list;

static uint32_t page_of(const bspi_scene *scene, const bspi_bake_place *places, uint32_t face,
                        const bsp_entity_look *look) {
    if (look->unlit) {
        return BSP_NONE;
    }
    return places != NULL ? places[face].page
           : scene->options->light == BSP_EXPORT_LIGHT_UV
               ? scene->mesh->groups[scene->mesh->faces[face].group].light_page
               : BSP_NONE;
}

static bool add_part(bspi_scene *scene, part_list *list, const bspi_part *part,
                     const bspi_finish *wanted, bsp_error *error) {
    bspi_part *parts = bspi_grow(&scene->heap, scene->parts, scene->num_parts, &list->room_parts,
                                 sizeof *parts, error);
    scene->parts = parts != NULL ? parts : scene->parts;
    bspi_finish *finishes = parts == NULL ? NULL
                                          : bspi_grow(&scene->heap, list->wanted, scene->num_parts,
                                                      &list->room_wanted, sizeof *finishes, error);
    if (finishes == NULL) {
        return false;
    }
    list->wanted = finishes;
    finishes[scene->num_parts] = *wanted;
    parts[scene->num_parts++] = *part;
    return true;
}

// The parts of one shape, out of a run of the mesh's faces, which are sorted by model.
static bool list_shape(bspi_scene *scene, part_list *list, uint32_t shape, uint32_t first,
                       uint32_t end, bsp_error *error) {
    const bsp_entity_look *look = &scene->shapes[shape].look;
    uint32_t last_group = BSP_NONE;
    uint32_t last_page = BSP_NONE;
    for (uint32_t f = first; f < end; f++) {
        const bsp_mesh_face *face = &scene->mesh->faces[f];
        const bsp_mesh_group *group = &scene->mesh->groups[face->group];
        uint32_t page = page_of(scene, list->places, f, look);
        if (is_dropped(scene, group)) {
            continue;
        }
        if (face->group != last_group || page != last_page) {
            bspi_part part = begin_part(scene, shape, f, page);
            bspi_finish finish = finish_of(scene, group, look, page);
            if (!add_part(scene, list, &part, &finish, error)) {
                return false;
            }
        }
        bspi_part *part = &scene->parts[scene->num_parts - 1];
        part->num_faces++;
        part->num_vertices += face->num_vertices;
        part->num_indices += face->num_indices;
        last_group = face->group;
        last_page = page;
    }
    return true;
}

static bool list_parts(bspi_scene *scene, const bspi_bake_place *places, bsp_error *error) {
    const bsp_mesh *mesh = scene->mesh;
    part_list list = {.places = places};
    bool done = true;
    uint32_t end = 0;
    for (uint32_t m = 0; done && m < scene->map->num_models; m++) {
        uint32_t first = end;
        while (end < mesh->num_faces && mesh->groups[mesh->faces[end].group].model == m) {
            end++;
        }
        for (uint32_t s = scene->first_shape[m]; done && s < scene->first_shape[m + 1]; s++) {
            done = list_shape(scene, &list, s, first, end, error);
        }
    }
    scene->room_parts = list.room_parts;
    done = done && list_finishes(scene, list.wanted, error);
    bspi_heap_free(&scene->heap, list.wanted, list.room_wanted * sizeof *list.wanted);
    return done;
}

static void number_images(bspi_scene *scene) {
    bspi_png *images = scene->paints.images;
    for (uint32_t i = 0; i < scene->num_finishes; i++) {
        const bspi_png *used[2] = {bspi_finish_image(scene, &scene->finishes[i]),
                                   bspi_finish_second(scene, &scene->finishes[i])};
        for (int n = 0; n < 2; n++) {
            if (used[n] != NULL) {
                images[used[n] - images].number = 0;
            }
        }
    }
    for (uint32_t i = 0; i < scene->paints.num_images; i++) {
        if (images[i].number == 0) {
            images[i].number = scene->num_images++;
        }
    }
}

// Parts without triangles are left out; shapes get their runs.
static bool index_parts(bspi_scene *scene, bsp_error *error) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        if (scene->parts[i].num_indices != 0) {
            scene->parts[kept++] = scene->parts[i];
        }
    }
    scene->num_parts = kept;
    scene->first_part =
        bspi_arena_raw(&scene->arena, (size_t)scene->num_shapes + 1, sizeof(uint32_t), error);
    uint32_t part = 0;
    for (uint32_t s = 0; scene->first_part != NULL && s <= scene->num_shapes; s++) {
        while (part < kept && scene->parts[part].shape < s) {
            part++;
        }
        scene->first_part[s] = part;
    }
    return scene->first_part != NULL;
}

// --- vertices -----------------------------------------------------------------------------------

void bspi_scene_uv(const bspi_scene *scene, const bspi_part *part, uint32_t vertex, float uv[2]) {
    const float *from = scene->mesh->vertices[vertex].uv;
    if (bspi_finish_baked(scene, &scene->finishes[part->finish])) {
        from = scene->baked_uv[vertex];
    }
    for (int i = 0; i < 2; i++) {
        uv[i] = from[i] > -1e30F && from[i] < 1e30F ? from[i] : 0;
    }
}

void bspi_scene_color(const bspi_scene *scene, const bspi_part *part, uint32_t vertex,
                      float rgb[3]) {
    const bsp_mesh_vertex *v = &scene->mesh->vertices[vertex];
    if (part->light_page != BSP_NONE) {
        float texel[4];
        const bsp_light_page *page = &scene->lightmap->pages[part->light_page];
        const bspi_mips picture = {.pixels = {(uint8_t *)(uintptr_t)page->rgba},
                                   .width = {page->width},
                                   .height = {page->height},
                                   .count = 1};
        bspi_mips_sample(&picture, 0, v->light_uv, texel);
        for (int i = 0; i < 3; i++) {
            rgb[i] = texel[i] / 255;
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] = (float)v->color[i] / 255;
    }
}

// Which models only entities show that are never seen.
static bool find_unseen(bspi_scene *scene, bsp_error *error) {
    const bsp_map *map = scene->map;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    bool *seen = bspi_arena_zero(&scene->arena, map->num_models, sizeof *seen, error);
    bool *unseen = bspi_arena_zero(&scene->arena, map->num_models, sizeof *unseen, error);
    if (seen == NULL || unseen == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count && !scene->options->hidden; i++) {
        bsp_placement place = bsp_entity_placement(map, &map->entities->list[i]);
        if (place.model != BSP_NONE) {
            seen[place.model] = seen[place.model] || place.presence != BSP_NEVER_SEEN;
            unseen[place.model] = !seen[place.model];
        }
    }
    scene->unseen = unseen;
    return true;
}

// --- the whole ----------------------------------------------------------------------------------

static bool build(bspi_scene *scene, bsp_error *error) {
    bspi_bake_place *places = NULL;
    bsp_export_light light = scene->options->light;
    if (!bspi_targets_build(&scene->targets, scene->map, &scene->arena, error) ||
        !bspi_paints_build(&scene->paints, error) || !find_unseen(scene, error) ||
        !bspi_shapes_build(scene, error) || !build_light(scene, error) ||
        !build_mesh(scene, error)) {
        return false;
    }
    if (light == BSP_EXPORT_LIGHT_UV && !pack_pages(scene, error)) {
        return false;
    }
    if (light == BSP_EXPORT_LIGHT_BAKED) {
        places = bspi_bake_place_all(scene, error);
        if (places == NULL || !bspi_bake_draw(scene, places, error)) {
            return false;
        }
    }
    if (!list_parts(scene, places, error) || !index_parts(scene, error)) {
        return false;
    }
    number_images(scene);
    bspi_scene_suns(scene);
    return true;
}

bool bspi_scene_build(bspi_scene *scene, const bsp_map *map, const bsp_export_options *options,
                      bsp_error *error) {
    memset(scene, 0, sizeof *scene);
    scene->map = map;
    scene->options = options;
    scene->scale = options->scale > 0 ? options->scale : METRES_PER_UNIT;
    bspi_map_heap(&scene->heap, BSP_PRODUCT_EXPORT, map, options->budget, options->allocator);
    bspi_arena_init(&scene->arena, &scene->heap);
    scene->paints = (bspi_paints){.map = map, .options = options, .arena = &scene->arena};
    if (!build(scene, error)) {
        bspi_scene_free(scene);
        return false;
    }
    return true;
}

void bspi_scene_free(bspi_scene *scene) {
    for (uint32_t i = 0; i < scene->num_pages; i++) {
        if (scene->pages != NULL) {
            bsp_blob_free(&scene->pages[i]);
        }
    }
    bspi_heap_free(&scene->heap, scene->parts, scene->room_parts * sizeof *scene->parts);
    bspi_paints_free(&scene->paints);
    bsp_mesh_free(scene->mesh);
    bsp_lightmap_free(scene->lightmap);
    bspi_arena_free(&scene->arena);
    scene->mesh = NULL;
    scene->parts = NULL;
    scene->lightmap = NULL;
    scene->num_pages = 0;
    scene->paints.num_images = 0;
}
