// SPDX-License-Identifier: MIT
// Sets up the triangles of visible faces. Workers take runs of the list, and their results are
// joined in the order of the runs, so the order of triangles does not depend on the number of
// workers.
#include "render/frame.h"

#include <stdlib.h>

// --- triangles ----------------------------------------------------------------------------------

// Returns false without memory.
static bool add_triangle(bspi_frame *frame, bspi_share *share, int kind, uint32_t paint,
                         uint32_t index) {
    bspi_corner corners[3];
    bool shines = frame->paints[paint].shine != NULL;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t vertex = frame->renderer->indices[index + i];
        corners[i] = frame->corners[vertex];
        if (shines) {
            bspi_camera_reflect(frame->camera, &frame->renderer->vertices[vertex], &corners[i]);
        }
    }
    return bspi_frame_add(frame, share, kind, paint, corners);
}

// Steps of a piece: one per vertex, and this many per triangle.
#define TRIANGLE_STEPS 16u

static uint64_t piece_work(const bspi_piece *piece) {
    return 1 + (uint64_t)piece->num_vertices + piece->num_indices / 3 * TRIANGLE_STEPS;
}

static void transform(const bspi_frame *frame, const bspi_piece *piece) {
    if (piece->turning != 0) {
        bspi_frame_turn(frame, piece);
        return;
    }
    bool mirrors = frame->renderer->batches[piece->batch].mirrors && !frame->screen.parallel;
    for (uint32_t v = 0; v < piece->num_vertices; v++) {
        uint32_t n = piece->first_vertex + v;
        bspi_camera_corner(frame->camera, &frame->renderer->vertices[n], &frame->corners[n]);
        if (mirrors) {
            bspi_camera_mirror(frame->camera, &frame->renderer->vertices[n], &frame->corners[n]);
        }
    }
}

// Whether the triangles of a piece are drawn once more, among the translucent ones.
static bool mirrors(const bspi_frame *frame, const bspi_piece *piece) {
    return frame->renderer->batches[piece->batch].cube != NULL && !frame->screen.parallel;
}

static uint32_t part_of(uint32_t count, uint32_t n, uint32_t workers) {
    return (uint32_t)((uint64_t)count * n / workers);
}

static void set_up_share(void *user, uint32_t n) {
    bspi_frame *frame = user;
    bspi_share *share = &frame->shares[n];
    uint64_t start = bspi_frame_clock(frame);
    uint32_t end = part_of(frame->visible.num_pieces, n + 1, frame->num_workers);
    for (uint32_t p = part_of(frame->visible.num_pieces, n, frame->num_workers); p < end; p++) {
        const bspi_piece *piece = &frame->renderer->pieces[frame->visible.pieces[p]];
        if (!bspi_frame_work(frame, share, piece_work(piece))) {
            return;
        }
        if (!mirrors(frame, piece)) { // those are transformed already, and other workers read them
            transform(frame, piece);
        }
        for (uint32_t i = 0; i + 2 < piece->num_indices; i += 3) {
            if (!add_triangle(frame, share, 0, piece->paint, piece->first_index + i)) {
                return;
            }
        }
    }
    end = part_of(frame->num_glasses, n + 1, frame->num_workers);
    for (uint32_t g = part_of(frame->num_glasses, n, frame->num_workers); g < end; g++) {
        const bspi_glass *glass = &frame->glasses[g];
        if (!add_triangle(frame, share, 1, glass->paint, glass->index)) {
            return;
        }
    }
    share->nanoseconds[BSP_DRAW_TRANSFORM] += bspi_frame_clock(frame) - start;
}

// --- translucent triangles -----------------------------------------------------------------------

static int far_first(const void *a, const void *b) {
    const bspi_glass *x = a;
    const bspi_glass *y = b;
    if (x->distance != y->distance) {
        return x->distance > y->distance ? -1 : 1;
    }
    if (x->index != y->index) {
        return x->index < y->index ? -1 : 1;
    }
    return x->paint < y->paint ? -1 : x->paint > y->paint; // what is mirrored comes last
}

static float distance_of(const bspi_frame *frame, uint32_t index) {
    float sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const bspi_corner *corner = &frame->corners[frame->renderer->indices[index + i]];
        sum += frame->screen.parallel ? 1 - corner->key : corner->w;
    }
    return sum;
}

static uint32_t count_glasses(const bspi_frame *frame) {
    const bspi_visible *visible = &frame->visible;
    const bsp_renderer *renderer = frame->renderer;
    uint32_t count = 0;
    for (uint32_t p = 0; p < visible->num_blended; p++) {
        const bspi_piece *piece = &renderer->pieces[visible->blended[p]];
        count += piece->num_indices / 3 * (mirrors(frame, piece) ? 2 : 1);
    }
    for (uint32_t p = 0; renderer->num_shines != 0 && p < visible->num_pieces; p++) {
        const bspi_piece *piece = &renderer->pieces[visible->pieces[p]];
        count += mirrors(frame, piece) ? piece->num_indices / 3 : 0;
    }
    return count;
}

// Adds the triangles of a piece: blended ones, and once more what they mirror.
static bool add_glasses(bspi_frame *frame, const bspi_piece *piece, bool blended) {
    bool mirror = mirrors(frame, piece);
    uint32_t shine = frame->first_shine + frame->renderer->batches[piece->batch].shine;
    if (!bspi_frame_work(frame, &frame->shares[0], piece_work(piece))) {
        return false;
    }
    transform(frame, piece);
    for (uint32_t i = 0; i + 2 < piece->num_indices; i += 3) {
        uint32_t index = piece->first_index + i;
        float distance = distance_of(frame, index);
        if (blended) {
            frame->glasses[frame->num_glasses++] = (bspi_glass){piece->paint, index, distance};
        }
        if (mirror) {
            frame->glasses[frame->num_glasses++] = (bspi_glass){shine, index, distance};
        }
    }
    return true;
}

static bool list_glasses(bspi_frame *frame) {
    const bspi_visible *visible = &frame->visible;
    const bsp_renderer *renderer = frame->renderer;
    frame->glasses =
        bspi_arena_raw(frame->arena, count_glasses(frame), sizeof *frame->glasses, frame->error);
    if (frame->glasses == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < visible->num_blended; p++) {
        if (!add_glasses(frame, &renderer->pieces[visible->blended[p]], true)) {
            return false;
        }
    }
    for (uint32_t p = 0; renderer->num_shines != 0 && p < visible->num_pieces; p++) {
        const bspi_piece *piece = &renderer->pieces[visible->pieces[p]];
        if (mirrors(frame, piece) && !add_glasses(frame, piece, false)) {
            return false;
        }
    }
    qsort(frame->glasses, frame->num_glasses, sizeof *frame->glasses, far_first);
    return true;
}

// --- strips -------------------------------------------------------------------------------------

// Counts the triangles of each strip, or lists them from `starts` on if there is a list.
static void visit(const bspi_frame *frame, int kind, uint32_t *starts, const bspi_triangle **list) {
    for (uint32_t n = 0; n < frame->num_workers; n++) {
        for (const bspi_chunk *c = frame->shares[n].first[kind]; c != NULL; c = c->next) {
            for (uint32_t i = 0; i < c->count; i++) {
                const bspi_triangle *t = &c->list[i];
                uint32_t last = (t->end_row - 1) / BSPI_STRIP_ROWS;
                for (uint32_t s = t->first_row / BSPI_STRIP_ROWS; s <= last; s++) {
                    if (list != NULL) {
                        list[starts[s]] = t;
                    }
                    starts[s]++;
                }
            }
        }
    }
}

static bool fill_bins(bspi_frame *frame, int kind) {
    bspi_bins *bins = &frame->bins[kind];
    uint32_t strips = frame->num_strips;
    // One before the strips and one after them, so that counting leaves the starts.
    uint32_t *counts =
        bspi_arena_zero(frame->arena, (size_t)strips + 2, sizeof *counts, frame->error);
    if (counts == NULL) {
        return false;
    }
    visit(frame, kind, counts + 2, NULL);
    for (uint32_t s = 0; s < strips; s++) {
        counts[s + 2] += counts[s + 1];
    }
    bins->list = bspi_arena_raw(frame->arena, counts[strips + 1], sizeof *bins->list, frame->error);
    if (bins->list == NULL) {
        return false;
    }
    visit(frame, kind, counts + 1, bins->list);
    bins->starts = counts;
    return true;
}

bool bspi_frame_set_up(bspi_frame *frame) {
    uint64_t start = bspi_frame_clock(frame);
    if (!list_glasses(frame)) {
        return false;
    }
    frame->shares[0].nanoseconds[BSP_DRAW_TRANSFORM] += bspi_frame_clock(frame) - start;
    bspi_workers_run(frame->num_workers, set_up_share, frame);
    start = bspi_frame_clock(frame);
    bool done =
        !frame->failed && bspi_frame_flares(frame) && fill_bins(frame, 0) && fill_bins(frame, 1);
    frame->shares[0].nanoseconds[BSP_DRAW_TRANSFORM] += bspi_frame_clock(frame) - start;
    return done;
}
