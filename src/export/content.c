// SPDX-License-Identifier: MIT
// Collects what is written: textures first (their sizes are the unit of texture coordinates), then
// light, then triangles, then parts of one material each. Assumes a loaded map.
#include "export/content.h"

#include "export/bake.h"
#include "export/parts.h"
#include "export/solids.h"
#include "export/whole_faces.h"
#include "map/heap.h"

#include <math.h>
#include <string.h>

#define METRES_PER_UNIT (1.0F / 39.37F)

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
    if (!bspi_parts_list(content, places, error) || !bspi_parts_index(content, error)) {
        return false;
    }
    bspi_finishes_number_images(content);
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
