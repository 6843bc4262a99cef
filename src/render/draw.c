// SPDX-License-Identifier: MIT
// Draws a view of a renderer: finds what is visible, sets up its triangles, and draws them strip by
// strip; all steps but the first are divided among threads.
#include "render/frame.h"

#include "core/options.h"

#include <assert.h>
#include <string.h>

static uint8_t to_byte(float value) {
    return value <= 0 ? 0 : value >= 1 ? 255 : (uint8_t)(value * 255 + 0.5F);
}

static bspi_paint paint_of(const bsp_renderer *renderer, const bspi_batch *batch) {
    const bspi_texture *texture = &renderer->textures[batch->texture];
    return (bspi_paint){
        .texture = texture,
        .second = batch->mixed ? texture->second : NULL,
        .light = batch->light_page == BSP_NONE ? NULL : &renderer->pages[batch->light_page],
        .vertex_lit = batch->vertex_lit,
        .sky = batch->sky,
        .blended = batch->blended,
        .add = batch->add,
        .opacity = to_byte(batch->opacity),
        .cut = to_byte(texture->alpha_cut)};
}

static bool allocate(bspi_frame *frame) {
    const bsp_renderer *renderer = frame->renderer;
    frame->corners =
        bspi_arena_raw(frame->arena, renderer->num_vertices, sizeof *frame->corners, frame->error);
    frame->paints =
        bspi_arena_raw(frame->arena, renderer->num_batches, sizeof *frame->paints, frame->error);
    if (frame->corners == NULL || frame->paints == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < renderer->num_batches; i++) {
        frame->paints[i] = paint_of(renderer, &renderer->batches[i]);
    }
    return true;
}

static void add_up(const bspi_frame *frame, bsp_draw_stats *stats) {
    stats->threads = frame->num_workers;
    for (uint32_t n = 0; n < frame->num_workers; n++) {
        const bspi_share *share = &frame->shares[n];
        stats->set_up += share->set_up;
        stats->pixels += share->pixels;
        for (int i = 0; i < BSP_DRAW_STAGES; i++) {
            stats->nanoseconds[i] += share->nanoseconds[i];
        }
    }
}

static bool pay_all(bspi_frame *frame) {
    bool done = true;
    for (uint32_t n = 0; done && n < frame->num_workers; n++) {
        done = bspi_frame_pay(frame, &frame->shares[n]);
    }
    return done;
}

static bool draw_frame(bspi_frame *frame, const bsp_view *view, bool no_vis,
                       bsp_draw_stats *stats) {
    bspi_camera camera;
    bspi_frustum frustum;
    uint64_t start = bspi_frame_clock(frame);
    bspi_camera_set(&camera, frame->renderer, view);
    bspi_camera_frustum(&camera, view, &frustum);
    frame->camera = &camera;
    frame->screen = (bspi_screen){view->width, view->height, camera.parallel};
    frame->num_strips = (view->height + BSPI_STRIP_ROWS - 1) / BSPI_STRIP_ROWS;
    bspi_meter meter = {.heap = frame->arena->heap, .error = frame->error};
    bool done = allocate(frame) &&
                bspi_visible_find(frame->renderer, camera.from, &frustum, no_vis || view->top,
                                  &meter, frame->arena, &frame->visible, stats, frame->error);
    stats->nanoseconds[BSP_DRAW_VISIBLE] = bspi_frame_clock(frame) - start;
    done = done && bspi_meter_pay(&meter) && bspi_frame_set_up(frame) && bspi_frame_draw(frame) &&
           pay_all(frame);
    add_up(frame, stats);
    return done;
}

static bool with_lock(bspi_frame *frame, const bsp_view *view, bool no_vis, bsp_draw_stats *stats) {
    if (pthread_mutex_init(&frame->lock, NULL) != 0) {
        return bsp_fail(frame->error, BSP_E_MEMORY, NULL, "no memory for a lock");
    }
    bool done = draw_frame(frame, view, no_vis, stats);
    pthread_mutex_destroy(&frame->lock);
    return done;
}

static bool draw(const bsp_renderer *renderer, const bsp_view *view,
                 const bsp_draw_options *options, bsp_image *out, bsp_draw_stats *stats,
                 bsp_error *error) {
    bspi_heap heap;
    bspi_arena arena;
    bsp_draw_stats ignored;
    bspi_heap_init_for(&heap, BSP_PRODUCT_PICTURE, (uint64_t)view->width * view->height,
                       renderer->heap.budget, &renderer->heap.allocator);
    bspi_heap_extend(&heap, renderer->heap.bytes);
    bspi_arena_init(&arena, &heap);
    bspi_frame *frame = bspi_arena_zero(&arena, 1, sizeof *frame, error);
    bool done = frame != NULL;
    if (done) {
        frame->renderer = renderer;
        frame->num_workers = options->threads == 0 ? bspi_heap_threads(&heap) : options->threads;
        if (frame->num_workers > BSPI_MAX_WORKERS) {
            frame->num_workers = BSPI_MAX_WORKERS;
        }
        for (uint32_t n = 0; n < frame->num_workers; n++) {
            frame->shares[n].meter.heap = &heap;
        }
        frame->draw = bspi_triangle_draw(options->no_simd);
        frame->draw_sky = bspi_sky_draw(options->no_simd);
        frame->image = out;
        frame->timed = stats != NULL;
        frame->arena = &arena;
        frame->error = error;
        stats = stats == NULL ? &ignored : stats;
        memset(stats, 0, sizeof *stats);
        done = with_lock(frame, view, options->no_vis, stats);
    }
    bspi_arena_free(&arena);
    return done;
}

bool bsp_renderer_draw(const bsp_renderer *renderer, const bsp_view *view,
                       const bsp_draw_options *options, bsp_image *out, bsp_draw_stats *stats,
                       bsp_error *error) {
    assert(renderer != NULL && view != NULL && out != NULL);
    static const uint8_t black[4] = {0, 0, 0, 255};
    bsp_draw_options taken;
    memset(out, 0, sizeof *out);
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    if (view->width == 0 || view->height == 0 || view->width > BSP_IMAGE_MAX ||
        view->height > BSP_IMAGE_MAX) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "a picture of %u x %u pixels; 1 to %u are allowed", view->width,
                        view->height, BSP_IMAGE_MAX);
    }
    if (!bsp_image_fill(view->width, view->height, black, &renderer->heap.allocator, out, error)) {
        return false;
    }
    if (!draw(renderer, view, &taken, out, stats, error)) {
        bsp_image_free(out);
        return false;
    }
    return true;
}
