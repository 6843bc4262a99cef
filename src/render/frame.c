// SPDX-License-Identifier: MIT
// What the steps and the workers of a picture share: the lists of triangles, the budget, and the
// first failure.
#include "render/frame.h"

bool bspi_frame_pay(bspi_frame *frame, bspi_share *share) {
    bsp_error error = {0};
    share->meter.error = &error;
    if (bspi_meter_pay(&share->meter)) {
        return true;
    }
    pthread_mutex_lock(&frame->lock);
    if (!frame->failed) {
        (void)bsp_fail(frame->error, error.code, NULL, "%s", error.message);
    }
    frame->failed = true;
    pthread_mutex_unlock(&frame->lock);
    return false;
}

static bspi_chunk *new_chunk(bspi_frame *frame, bspi_share *share, int kind) {
    pthread_mutex_lock(&frame->lock);
    bspi_chunk *chunk = NULL;
    if (!frame->failed) {
        chunk = bspi_arena_raw(frame->arena, 1, sizeof *chunk, frame->error);
        frame->failed = chunk == NULL;
    }
    pthread_mutex_unlock(&frame->lock);
    if (chunk == NULL) {
        return NULL;
    }
    chunk->next = NULL;
    chunk->count = 0;
    if (share->last[kind] == NULL) {
        share->first[kind] = chunk;
    } else {
        share->last[kind]->next = chunk;
    }
    share->last[kind] = chunk;
    return chunk;
}

// Returns true if all corners are beyond one edge of the picture.
static bool is_beside(const bspi_screen *screen, const bspi_corner corners[3]) {
    unsigned all = ~0u;
    for (int i = 0; i < 3; i++) {
        const bspi_corner *c = &corners[i];
        float across = c->w * (float)screen->width * 0.5F;
        float down = c->w * (float)screen->height * 0.5F;
        all &= (c->x < -across ? 1u : 0) | (c->x > across ? 2u : 0) | (c->y < -down ? 4u : 0) |
               (c->y > down ? 8u : 0);
    }
    return all != 0;
}

bool bspi_frame_add(bspi_frame *frame, bspi_share *share, int kind, uint32_t paint,
                    const bspi_corner corners[3]) {
    if (is_beside(&frame->screen, corners)) {
        return true;
    }
    bspi_chunk *chunk = share->last[kind];
    if (chunk == NULL || chunk->count + BSPI_MAX_PIECES > BSPI_CHUNK) {
        chunk = new_chunk(frame, share, kind);
    }
    if (chunk == NULL) {
        return false;
    }
    bspi_triangle *out = &chunk->list[chunk->count];
    uint32_t made = bspi_triangle_set_up(&frame->screen, &frame->paints[paint], corners, out);
    for (uint32_t i = 0; i < made; i++) {
        out[i].paint = paint;
    }
    chunk->count += made;
    share->set_up += made;
    return true;
}
