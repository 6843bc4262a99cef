// SPDX-License-Identifier: MIT
// Draws a view of a renderer: finds what is visible, sets up its triangles, and draws them strip by
// strip; all steps but the first are divided among threads.
#include "render/frame.h"

#include "core/options.h"
#include "core/vector.h"

#include <assert.h>
#include <string.h>

static uint8_t to_byte(float value) {
    return value <= 0 ? 0 : value >= 1 ? 255 : (uint8_t)(value * 255 + 0.5F);
}

// What adds light fades in fog; what multiplies becomes clear.
static void set_haze(const bspi_haze *haze, bspi_paint *paint) {
    if (haze == NULL || haze->fog == NULL || paint->sky) {
        return;
    }
    bool adds = paint->blended && (paint->add || paint->texture->alpha == BSP_ALPHA_ADD);
    bool filters = paint->blended && !adds && paint->texture->alpha == BSP_ALPHA_FILTER;
    paint->haze = haze;
    for (int i = 0; i < 3; i++) {
        paint->haze_color[i] = adds ? 0 : filters ? 255 : haze->fog->color[i];
    }
}

static bspi_paint paint_of(const bspi_frame *frame, const bspi_batch *batch) {
    const bsp_renderer *renderer = frame->renderer;
    float left = frame->screen.parallel ? 1 : bspi_batch_left(batch, frame->camera->from);
    float opacity = batch->blended ? batch->opacity : 1;
    const bspi_texture *texture =
        batch->decal != NULL ? batch->decal : &renderer->textures[batch->texture];
    bool bumped = texture->bump != NULL && batch->light_page != BSP_NONE &&
                  renderer->directions[0] != NULL && !batch->mixed;
    const bspi_mip *const *all = (const bspi_mip *const *)renderer->directions;
    uint32_t page = batch->light_page;
    return (bspi_paint){
        .bump = bumped ? texture->bump : NULL,
        .directions = {bumped ? &all[0][page] : NULL, bumped ? &all[1][page] : NULL,
                       bumped ? &all[2][page] : NULL},
        .texture = texture,
        .second = batch->mixed ? texture->second : NULL,
        .layers = {batch->layered ? texture->layers[0] : NULL,
                   batch->layered ? texture->layers[1] : NULL},
        .light = batch->light_page == BSP_NONE ? NULL : &renderer->pages[batch->light_page],
        .vertex_lit = batch->vertex_lit,
        .sky = batch->sky,
        .blended = batch->blended || left < 1,
        .add = batch->add || (left < 1 && texture->alpha == BSP_ALPHA_ADD),
        .warps = batch->warps,
        .warp_time = renderer->warp_time,
        .opacity = to_byte(opacity * left),
        .cut = to_byte(texture->alpha_cut)};
}

static void set_volume(const bspi_frame *frame, const bspi_volume *volume, bspi_haze *haze) {
    const bspi_camera *camera = frame->camera;
    haze->fog = volume->fog.on ? &volume->fog : NULL;
    haze->bounded = volume->bounded;
    haze->eye = bspi_dot(volume->normal, camera->from) - volume->dist;
    haze->across = bspi_dot(volume->normal, camera->right) / camera->focal;
    haze->down = -bspi_dot(volume->normal, camera->up) / camera->focal;
    haze->base = bspi_dot(volume->normal, camera->forward) +
                 haze->across * (0.5F - (float)frame->screen.width / 2) +
                 haze->down * (0.5F - (float)frame->screen.height / 2);
}

// An eye in a volume sees all through its fog. Pictures from above have none.
static void set_hazes(bspi_frame *frame) {
    const bsp_renderer *renderer = frame->renderer;
    if (frame->screen.parallel || frame->clear) {
        return;
    }
    for (uint32_t i = 0; i < renderer->num_volumes; i++) {
        set_volume(frame, &renderer->volumes[i], &frame->hazes[i + 1]);
    }
    uint32_t volume = bspi_air_volume(renderer, frame->camera->from);
    const bspi_fog *fog = frame->is_room ? &renderer->room_fog : &renderer->fog;
    const bspi_fog *liquid = frame->is_room ? NULL : bspi_air_liquid(renderer, frame->camera->from);
    fog = liquid != NULL ? liquid : fog;
    if (volume != BSP_NONE) {
        frame->hazes[0] = frame->hazes[volume + 1];
    } else if (fog->on) {
        frame->hazes[0].fog = fog;
        frame->fog = fog;
    }
}

// What a batch mirrors is drawn over it. In fog it fades.
static void set_shine(bspi_frame *frame, const bspi_batch *batch, const bspi_paint *base) {
    const bsp_renderer *renderer = frame->renderer;
    frame->paints[frame->first_shine + batch->shine] =
        (bspi_paint){.texture = base->texture,
                     .blended = true,
                     .opacity = base->blended ? base->opacity : 255,
                     .cut = base->cut,
                     .haze = base->haze,
                     .shine = renderer->textures[batch->texture].shine,
                     .cube = batch->cube};
}

static bool allocate(bspi_frame *frame) {
    const bsp_renderer *renderer = frame->renderer;
    frame->corners =
        bspi_arena_raw(frame->arena, renderer->num_vertices, sizeof *frame->corners, frame->error);
    size_t paints = (size_t)renderer->num_batches + renderer->num_variants + renderer->num_flares;
    frame->first_shine = (uint32_t)paints;
    paints += renderer->num_shines;
    frame->paints = bspi_arena_raw(frame->arena, paints, sizeof *frame->paints, frame->error);
    frame->hazes = bspi_arena_zero(frame->arena, (size_t)renderer->num_volumes + 1,
                                   sizeof *frame->hazes, frame->error);
    if (frame->corners == NULL || frame->paints == NULL || frame->hazes == NULL) {
        return false;
    }
    set_hazes(frame);
    for (uint32_t i = 0; i < renderer->num_batches; i++) {
        frame->paints[i] = paint_of(frame, &renderer->batches[i]);
        set_haze(&frame->hazes[0], &frame->paints[i]);
        if (renderer->batches[i].cube != NULL) {
            set_shine(frame, &renderer->batches[i], &frame->paints[i]);
        }
    }
    for (uint32_t i = 0; i < renderer->num_variants; i++) {
        const bspi_variant *variant = &renderer->variants[i];
        bspi_paint *paint = &frame->paints[renderer->num_batches + i];
        *paint = paint_of(frame, &renderer->batches[variant->batch]);
        set_haze(&frame->hazes[variant->volume + 1], paint);
    }
    for (uint32_t i = 0; i < renderer->num_flares; i++) {
        frame->paints[renderer->num_batches + renderer->num_variants + i] =
            (bspi_paint){.texture = &renderer->textures[renderer->flares[i].texture],
                         .vertex_lit = true,
                         .blended = true,
                         .add = true,
                         .opacity = 255};
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

// Finds what the camera of a frame shows, and sets it up. `leaf_at` is the place whose leaf says
// what is visible.
static bool prepare(bspi_frame *frame, const bsp_view *view, const float leaf_at[3], bool no_vis,
                    bsp_draw_stats *stats) {
    bspi_frustum frustum;
    const bspi_eye eye = {frame->camera->from, leaf_at, frame->is_room};
    uint64_t start = bspi_frame_clock(frame);
    bspi_camera_frustum(frame->camera, view, &frustum);
    frame->screen = (bspi_screen){view->width, view->height, frame->camera->parallel};
    frame->num_strips = (view->height + BSPI_STRIP_ROWS - 1) / BSPI_STRIP_ROWS;
    bspi_meter meter = {.heap = frame->arena->heap, .error = frame->error};
    bool done = allocate(frame) &&
                bspi_visible_find(frame->renderer, &eye, &frustum, no_vis || view->top, &meter,
                                  frame->arena, &frame->visible, stats, frame->error);
    stats->nanoseconds[BSP_DRAW_VISIBLE] += bspi_frame_clock(frame) - start;
    return done && bspi_meter_pay(&meter) && bspi_frame_set_up(frame);
}

// Prepares the room of the sky, which the frame draws where the sky is. Its counts are not those of
// the picture.
static bool prepare_room(bspi_frame *frame, const bsp_view *view, bspi_camera *camera,
                         bool no_vis) {
    const bspi_room *place = &frame->renderer->room;
    bsp_draw_stats ignored = {0};
    bspi_frame *room = bspi_arena_zero(frame->arena, 1, sizeof *room, frame->error);
    if (room == NULL) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        camera->from[axis] = place->origin[axis] + frame->camera->from[axis] * place->factor;
    }
    room->renderer = frame->renderer;
    room->camera = camera;
    room->is_room = true;
    room->clear = frame->clear;
    room->num_workers = frame->num_workers;
    for (uint32_t n = 0; n < room->num_workers; n++) {
        room->shares[n].meter.heap = frame->shares[n].meter.heap;
    }
    room->draw = frame->draw;
    room->draw_sky = frame->draw_sky;
    room->arena = frame->arena;
    room->error = frame->error;
    if (pthread_mutex_init(&room->lock, NULL) != 0) {
        return bsp_fail(frame->error, BSP_E_MEMORY, NULL, "no memory for a lock");
    }
    frame->room = room;
    return prepare(room, view, place->origin, no_vis, &ignored);
}

static bool draw_frame(bspi_frame *frame, const bsp_view *view, bool no_vis,
                       bsp_draw_stats *stats) {
    bspi_camera camera;
    bspi_camera_set(&camera, frame->renderer, view);
    bspi_camera room = camera;
    frame->camera = &camera;
    bool done = prepare(frame, view, camera.from, no_vis, stats) &&
                (!frame->renderer->room.found || view->top || frame->visible.inside ||
                 prepare_room(frame, view, &room, no_vis)) &&
                bspi_frame_draw(frame) && pay_all(frame) &&
                (frame->room == NULL || pay_all(frame->room));
    if (frame->room != NULL) {
        pthread_mutex_destroy(&frame->room->lock);
    }
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
        frame->clear = options->no_fog;
        frame->flares = options->flares;
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
