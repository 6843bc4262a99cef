// SPDX-License-Identifier: MIT
// Lightmaps of all faces on common pages. Assumes a loaded map. The luxels in the file and the
// caller's limit bound the memory.
#include "mesh/lightmap.h"

#include "core/options.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// --- pages --------------------------------------------------------------------------------------

// --- surfedge families --------------------------------------------------------------------------

typedef struct face_user {
    const bspi_shade *shade;
    const bspi_luxels *luxels;
} face_user;

static void face_row(const void *user, uint32_t y, uint32_t width, uint8_t *out) {
    const face_user *face = user;
    bspi_shade_luxels(face->shade, face->luxels, (size_t)y * face->luxels->width, width, out);
}

// Measures a face and charges the work of drawing it. Returns false over a limit.
static bool measure_face(bspi_light_builder *builder, uint32_t number) {
    bsp_lightmap *lightmap = &builder->own->lightmap;
    bspi_luxels luxels;
    bspi_lit lit = bspi_luxels_of(&builder->source, number, &luxels);
    bsp_light_face *face = &builder->faces[number];
    lightmap->num_dropped += lit == BSPI_DROPPED;
    if (lit == BSPI_BLACK) {
        face->width = face->height = 1;
        lightmap->num_black++;
    }
    uint64_t looks = 1 + (uint64_t)builder->map->faces[number].num_edges;
    if (lit != BSPI_LIT) {
        return bspi_meter_add(&builder->meter, looks);
    }
    uint64_t count = (uint64_t)luxels.width * luxels.height;
    lightmap->num_lit++;
    lightmap->luxels += count;
    lightmap->source_bytes += luxels.bytes;
    face->width = luxels.width;
    face->height = luxels.height;
    memcpy(face->vecs, luxels.vecs, sizeof face->vecs);
    builder->rects[builder->num_rects++] = (bspi_rect){
        luxels.width + 2 * BSPI_BORDER, luxels.height + 2 * BSPI_BORDER, number, 0, 0, 0};
    return bspi_meter_add(&builder->meter, looks + count * luxels.num_styles);
}

// All faces that are black without light share one luxel, which has the initial value of the pages.
static void place_black(const bspi_light_builder *builder, const bspi_rect *rect) {
    for (uint32_t i = 0; i < builder->map->num_faces; i++) {
        bsp_light_face *face = &builder->faces[i];
        if (face->page == BSP_NONE && face->width != 0) {
            face->page = rect->page;
            face->x = rect->x + BSPI_BORDER;
            face->y = rect->y + BSPI_BORDER;
        }
    }
}

// Draws a face; a bspi_draw_rect. No two rectangles have the same owner.
static void draw_face(void *user, uint32_t number) {
    bspi_light_builder *builder = user;
    const bspi_rect *rect = &builder->rects[number];
    bspi_luxels luxels;
    if (rect->owner == BSP_NONE ||
        bspi_luxels_of(&builder->source, rect->owner, &luxels) != BSPI_LIT) {
        return;
    }
    bspi_luxels_turn(&luxels, builder->options->direction);
    face_user face_light = {&builder->shade, &luxels};
    bspi_light_draw(builder, rect, face_row, &face_light);
    bsp_light_face *face = &builder->faces[rect->owner];
    face->page = rect->page;
    face->x = rect->x + BSPI_BORDER;
    face->y = rect->y + BSPI_BORDER;
}

static bool light_faces(bspi_light_builder *builder) {
    uint32_t total = builder->map->num_faces;
    size_t room = ((size_t)total + 1) * sizeof *builder->rects;
    builder->rects = bspi_heap_alloc(&builder->own->heap, room, builder->error);
    if (builder->rects == NULL) {
        return false;
    }
    bool done = true;
    for (uint32_t i = 0; done && i < total; i++) {
        done = measure_face(builder, i);
    }
    if (builder->own->lightmap.num_black != 0) {
        builder->rects[builder->num_rects++] =
            (bspi_rect){1 + 2 * BSPI_BORDER, 1 + 2 * BSPI_BORDER, BSP_NONE, 0, 0, 0};
    }
    done = done && bspi_meter_pay(&builder->meter) && bspi_light_pages(builder);
    const bspi_rect *black = builder->own->lightmap.num_black != 0 && builder->num_rects != 0
                                 ? &builder->rects[builder->num_rects - 1]
                                 : NULL;
    done = done && bspi_light_draw_all(builder, draw_face, builder);
    if (done && black != NULL) {
        place_black(builder, black);
    }
    bspi_heap_free(&builder->own->heap, builder->rects, room);
    return done;
}

// --- all faces -----------------------------------------------------------------------------------

static void set_styles(bspi_light_builder *builder) {
    const bsp_lightmap_options *options = builder->options;
    for (int i = 0; i < BSP_LIGHT_STYLES; i++) {
        float other = i == 0 ? 1 : options->other_styles;
        builder->styles[i] = options->styles != NULL ? options->styles[i] : other;
    }
    float gain = options->gain > 0 ? options->gain : bspi_light_gain(builder->map);
    bspi_shade_init(&builder->shade, builder->styles, gain, builder->own->lightmap.range);
}

static bool build(bspi_light_builder *builder, const bsp_file *file) {
    bspi_lightmap *own = builder->own;
    uint32_t total = builder->map->num_faces;
    builder->faces = bspi_arena_zero(&own->arena, total, sizeof *builder->faces, builder->error);
    if (builder->faces == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < total; i++) {
        builder->faces[i].page = BSP_NONE;
    }
    own->lightmap.faces = builder->faces;
    own->lightmap.num_faces = total;
    set_styles(builder);
    if (builder->map->traits->draws_vertices) {
        return bspi_light_file_pages(builder);
    }
    bspi_light_source_init(&builder->source, builder->map, file, builder->options->hdr);
    bool done = light_faces(builder);
    bspi_light_source_free(&builder->source);
    return done;
}

bsp_lightmap *bsp_lightmap_build(const bsp_map *map, const bsp_file *file,
                                 const bsp_lightmap_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_lightmap_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    options = &taken;
    if (!bspi_map_needs(map, BSP_LOAD_SURFACES | BSP_LOAD_LIGHT, "a lightmap", error)) {
        return NULL;
    }
    bspi_lightmap *own = bspi_object_new(options->allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->lightmap.owner = own;
    bspi_map_heap(&own->heap, BSP_PRODUCT_LIGHTMAP, map, options->budget, options->allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->lightmap.range = options->range > 0 && isfinite(options->range) ? options->range : 1;
    bspi_light_builder builder = {.map = map,
                                  .options = options,
                                  .own = own,
                                  .meter = {.heap = &own->heap, .error = error},
                                  .error = error};
    if (!build(&builder, file)) {
        bsp_lightmap_free(&own->lightmap);
        return NULL;
    }
    return &own->lightmap;
}

void bsp_lightmap_free(bsp_lightmap *lightmap) {
    if (lightmap == NULL || lightmap->owner == NULL) {
        return;
    }
    bspi_lightmap *own = lightmap->owner;
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
