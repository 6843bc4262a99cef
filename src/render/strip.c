// SPDX-License-Identifier: MIT
// Strips of rows: opaque triangles, the background, translucent triangles, then the copy into the
// picture. Any worker takes the next strip; its pixels depend on its list only.
#include "render/frame.h"

#include <string.h>

#define OPAQUE 0xFF000000u
#define PIXELS_A_STEP 4u // for the background

// A sky of one colour above and another below, where the map's own is not known.
static uint32_t plain_sky(const bspi_screen *screen, uint32_t y) {
    static const float above[3] = {92, 128, 168}, below[3] = {176, 190, 200};
    float t = (float)y / (float)screen->height;
    uint32_t pixel = OPAQUE;
    for (int i = 0; i < 3; i++) {
        pixel |= (uint32_t)(uint8_t)(above[i] + (below[i] - above[i]) * t) << 8 * i;
    }
    return pixel;
}

// Draws the sky at eight pixels from x on, where nothing was drawn.
static void draw_sky(const bspi_frame *frame, uint32_t x, uint32_t y, uint32_t pixels[8]) {
    const bspi_camera *camera = frame->camera;
    float right = (float)x + 0.5F - (float)frame->screen.width / 2;
    float up = (float)frame->screen.height / 2 - (float)y - 0.5F;
    uint32_t sky[8];
    bspi_sky_run run;
    for (int i = 0; i < 3; i++) {
        run.step[i] = camera->right[i];
        run.from[i] =
            camera->forward[i] * camera->focal + camera->right[i] * right + camera->up[i] * up;
    }
    frame->draw_sky(&frame->renderer->sky, &run, sky);
    for (int i = 0; i < 8; i++) {
        pixels[i] = pixels[i] == 0 ? sky[i] : pixels[i];
    }
}

// Returns true if a pixel is 0; drawn ones are opaque.
static bool any_free(const uint32_t pixels[8]) {
    uint32_t all = OPAQUE;
    for (int i = 0; i < 8; i++) {
        all &= pixels[i];
    }
    return all == 0;
}

// Covers the sky with its part of the fog.
static uint32_t dim(const bspi_fog *fog, uint32_t pixel) {
    uint32_t out = OPAQUE;
    for (int i = 0; i < 3; i++) {
        uint32_t sum =
            (pixel >> 8 * i & 255) * (255u - fog->on_sky) + (uint32_t)fog->color[i] * fog->on_sky;
        out |= (sum + 127) / 255 << 8 * i;
    }
    return out;
}

// Fills the pixels where nothing was drawn: with the sky, or with the paper of an overview. Pixels
// right of the picture, up to the stride, are never read.
static void draw_background(const bspi_frame *frame, const bspi_strip *strip) {
    bool known = frame->renderer->sky.found && !frame->screen.parallel;
    for (uint32_t y = strip->first_row; y < strip->end_row; y++) {
        uint32_t *row = strip->pixels + (size_t)(y - strip->first_row) * strip->stride;
        uint32_t plain = frame->screen.parallel ? BSPI_PAPER : plain_sky(&frame->screen, y);
        for (uint32_t x = 0; x < strip->stride; x += 8) {
            uint32_t sky[8] = {0};
            if (!any_free(row + x)) {
                continue;
            }
            if (known) {
                draw_sky(frame, x, y, sky);
            }
            for (uint32_t i = 0; i < 8; i++) {
                uint32_t beyond = sky[i] == 0 ? plain : sky[i];
                beyond = frame->fog == NULL ? beyond : dim(frame->fog, beyond);
                row[x + i] = row[x + i] == 0 ? beyond : row[x + i];
            }
        }
    }
}

static void clear(const bspi_strip *strip) {
    size_t pixels = (size_t)(strip->end_row - strip->first_row) * strip->stride;
    memset(strip->pixels, 0, pixels * sizeof *strip->pixels);
    memset(strip->depth, 0, pixels * sizeof *strip->depth);
}

static uint32_t rows_in(const bspi_strip *strip, const bspi_triangle *t) {
    uint32_t first = t->first_row > strip->first_row ? t->first_row : strip->first_row;
    uint32_t end = t->end_row < strip->end_row ? t->end_row : strip->end_row;
    return end - first;
}

// Returns false over a limit of work.
static bool draw_kind(bspi_frame *frame, const bspi_frame *layer, bspi_share *share, int kind,
                      uint32_t n, bspi_strip *strip) {
    const bspi_bins *bins = &layer->bins[kind];
    for (uint32_t i = bins->starts[n]; i < bins->starts[n + 1]; i++) {
        const bspi_triangle *t = bins->list[i];
        if (!bspi_frame_work(frame, share, 1 + (uint64_t)rows_in(strip, t) * t->row_work)) {
            return false;
        }
        frame->draw(strip, t, &layer->paints[t->paint]);
    }
    return true;
}

static void resolve(const bspi_frame *frame, const bspi_strip *strip) {
    for (uint32_t y = strip->first_row; y < strip->end_row; y++) {
        const uint32_t *from = strip->pixels + (size_t)(y - strip->first_row) * strip->stride;
        uint8_t *to = frame->image->pixels + (size_t)y * strip->width * 4;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(to, from, (size_t)strip->width * 4);
#else
        for (uint32_t x = 0; x < strip->width; x++) {
            for (int i = 0; i < 4; i++) {
                to[x * 4 + (uint32_t)i] = (uint8_t)(from[x] >> 8 * i);
            }
        }
#endif
    }
}

static bool has_free(const bspi_strip *strip) {
    size_t pixels = (size_t)(strip->end_row - strip->first_row) * strip->stride;
    for (size_t i = 0; i < pixels; i += 8) {
        if (any_free(strip->pixels + i)) {
            return true;
        }
    }
    return false;
}

// Draws the room of the sky where nothing was drawn. Returns false over a limit of work.
static bool draw_room(bspi_frame *frame, bspi_share *share, uint32_t n, const bspi_strip *strip,
                      bspi_strip *beyond) {
    size_t pixels = (size_t)(strip->end_row - strip->first_row) * strip->stride;
    beyond->first_row = strip->first_row;
    beyond->end_row = strip->end_row;
    clear(beyond);
    if (!bspi_frame_work(frame, share, pixels / PIXELS_A_STEP) ||
        !draw_kind(frame, frame->room, share, 0, n, beyond)) {
        return false;
    }
    draw_background(frame->room, beyond);
    if (!draw_kind(frame, frame->room, share, 1, n, beyond)) {
        return false;
    }
    for (size_t i = 0; i < pixels; i++) {
        strip->pixels[i] = strip->pixels[i] == 0 ? beyond->pixels[i] : strip->pixels[i];
    }
    return true;
}

// Returns false over a limit of work.
static bool draw_strip(bspi_frame *frame, bspi_share *share, uint32_t n, bspi_strip *strip,
                       bspi_strip *beyond, uint64_t nanoseconds[BSP_DRAW_STAGES]) {
    uint32_t end = (n + 1) * BSPI_STRIP_ROWS;
    strip->first_row = n * BSPI_STRIP_ROWS;
    strip->end_row = end < frame->screen.height ? end : frame->screen.height;
    uint64_t start = bspi_frame_clock(frame);
    clear(strip);
    uint64_t pixels = (uint64_t)(strip->end_row - strip->first_row) * strip->stride;
    if (!bspi_frame_work(frame, share, pixels / PIXELS_A_STEP) ||
        !draw_kind(frame, frame, share, 0, n, strip)) {
        return false;
    }
    uint64_t hidden = bspi_frame_clock(frame);
    if (frame->room != NULL && has_free(strip) && !draw_room(frame, share, n, strip, beyond)) {
        return false;
    }
    draw_background(frame, strip);
    if (!draw_kind(frame, frame, share, 1, n, strip)) {
        return false;
    }
    uint64_t blended = bspi_frame_clock(frame);
    resolve(frame, strip);
    nanoseconds[BSP_DRAW_RASTER] += hidden - start;
    nanoseconds[BSP_DRAW_BACKGROUND] += blended - hidden;
    nanoseconds[BSP_DRAW_RESOLVE] += bspi_frame_clock(frame) - blended;
    return true;
}

static void draw_strips(void *user, uint32_t n) {
    bspi_frame *frame = user;
    bspi_share *share = &frame->shares[n];
    bspi_strip strip = frame->strips[n];
    bspi_strip beyond = frame->room == NULL ? strip : frame->room->strips[n];
    uint64_t nanoseconds[BSP_DRAW_STAGES] = {0};
    uint32_t next = 0;
    bool done = true;
    while (done && (next = atomic_fetch_add(&frame->next_strip, 1)) < frame->num_strips) {
        done = draw_strip(frame, share, next, &strip, &beyond, nanoseconds);
    }
    for (int i = 0; i < BSP_DRAW_STAGES; i++) {
        share->nanoseconds[i] += nanoseconds[i];
    }
    share->pixels = strip.drawn;
}

static bool new_strip(const bspi_frame *frame, uint32_t stride, bspi_strip *strip) {
    size_t pixels = (size_t)stride * BSPI_STRIP_ROWS;
    *strip = (bspi_strip){.stride = stride, .width = frame->screen.width};
    strip->pixels = bspi_arena_raw(frame->arena, pixels, sizeof(uint32_t), frame->error);
    strip->depth = bspi_arena_raw(frame->arena, pixels, sizeof(float), frame->error);
    return strip->pixels != NULL && strip->depth != NULL;
}

bool bspi_frame_draw(bspi_frame *frame) {
    uint32_t stride = (frame->screen.width + 7) & ~7u;
    uint32_t workers =
        frame->num_workers < frame->num_strips ? frame->num_workers : frame->num_strips;
    for (uint32_t i = 0; i < workers; i++) {
        if (!new_strip(frame, stride, &frame->strips[i]) ||
            (frame->room != NULL && !new_strip(frame, stride, &frame->room->strips[i]))) {
            return false;
        }
    }
    bspi_workers_run(workers, draw_strips, frame);
    return !frame->failed;
}
