// SPDX-License-Identifier: MIT
// Builds the renderer of a map from its scene: textures with their mips, pages of light, and the
// triangles of each instance in the world.
#include "render/textures.h"
#include "render/triangles.h"
#include "render/visible.h"

#include "core/curves.h"
#include "core/options.h"
#include "map/heap.h"
#include "mesh/luxels.h"

#include <assert.h>
#include <math.h>

#define MOST_DIMMED 64.0F

// --- the scene ----------------------------------------------------------------------------------

// Light that is dimmed counts less, since the texels of pages are read as if they were not.
static float light_range(const bspi_render_builder *b) {
    float dimmed = b->options->dimmed;
    return BSPI_LIGHT_RANGE * (dimmed > 1 ? dimmed < MOST_DIMMED ? dimmed : MOST_DIMMED : 1);
}

static bool build_scene(bspi_render_builder *b, const bsp_external_light *external) {
    const bsp_scene_options options = {.file = b->file,
                                       .textures = b->finder,
                                       .pictures = bspi_render_texture,
                                       .decals = bspi_render_decal,
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
    return b->scene != NULL && bspi_render_textures_end(b);
}

static bool add_scene(bspi_render_builder *b) {
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
static bool copy_pages(bspi_render_builder *b, const bsp_lightmap *light, bspi_mip **out) {
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
static bool add_direction(bspi_render_builder *b, uint32_t direction) {
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

static bool add_light(bspi_render_builder *b) {
    const bsp_lightmap *light = b->scene->lightmap;
    b->renderer->num_pages = light == NULL ? 0 : light->num_pages;
    bool done = copy_pages(b, light, &b->renderer->pages);
    for (uint32_t i = 1; done && b->any_bump && b->renderer->num_pages != 0 && i <= 3; i++) {
        done = add_direction(b, i);
    }
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
    bspi_render_builder b = {.renderer = new_renderer(map, options, error),
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
        fmodf(b.state.time > 0 && isfinite(b.state.time) ? b.state.time : 0, (float)BSPI_TURN);
    b.meter = (bspi_meter){.heap = &b.renderer->heap, .error = error};
    bool done = bspi_renderer_areas(b.renderer, options->state, error) &&
                bspi_render_textures_begin(&b) && add_scene(&b) && add_light(&b) &&
                bspi_render_triangles(&b) && bspi_shine_batches(b.renderer, b.finder, error) &&
                bspi_render_sky(&b) && bspi_air_build(b.renderer, b.scene, error) &&
                bspi_air_pieces(b.renderer, error);
    bspi_renderer_measure(b.renderer);
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
