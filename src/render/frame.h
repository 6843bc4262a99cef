// SPDX-License-Identifier: MIT
// A picture being drawn: triangles that are set up, and the triangles of each strip of rows.
#ifndef BSPI_FRAME_H
#define BSPI_FRAME_H

#include "core/os.h"
#include "core/workers.h"
#include "render/camera.h"

#include <pthread.h>
#include <stdatomic.h>

/// A pixel of an overview where nothing was drawn.
#define BSPI_PAPER (24u | 26u << 8 | 30u << 16 | 0xFF000000u)

/// Rows that are drawn at once: their pixels and depths stay in the second-level cache.
#define BSPI_STRIP_ROWS 32u

#define BSPI_CHUNK 128u

/// Triangles in the order in which they are drawn.
typedef struct bspi_chunk {
    struct bspi_chunk *next;
    uint32_t count;
    bspi_triangle list[BSPI_CHUNK];
} bspi_chunk;

/// The triangles that one worker sets up: opaque ones, and translucent ones.
typedef struct bspi_share {
    bspi_chunk *first[2];
    bspi_chunk *last[2];
    uint64_t set_up;
    uint64_t nanoseconds[BSP_DRAW_STAGES];
    uint64_t pixels;
    bspi_meter meter; ///< a step: a vertex, a triangle, a row of one, eight pixels
} bspi_share;

/// A translucent triangle.
typedef struct bspi_glass {
    uint32_t paint;
    uint32_t index; ///< of its first index
    float distance;
} bspi_glass;

/// Triangles of each strip: [starts[n], starts[n + 1]) of the list.
typedef struct bspi_bins {
    const bspi_triangle **list;
    uint32_t *starts;
} bspi_bins;

typedef struct bspi_frame {
    const bsp_renderer *renderer;
    const bspi_camera *camera;
    bspi_screen screen;
    bspi_visible visible;
    bspi_corner *corners; ///< one per vertex; those of visible faces are set
    bspi_paint *paints;   ///< one per batch, then one per variant
    uint32_t first_shine; ///< paint of the first batch that mirrors a cube
    bspi_haze *hazes;     ///< everywhere, then in each volume
    bspi_glass *glasses;
    uint32_t num_glasses;
    bspi_share shares[BSPI_MAX_WORKERS];
    uint32_t num_workers;
    bspi_bins bins[2]; ///< opaque, translucent
    uint32_t num_strips;
    atomic_uint next_strip;
    bspi_draw_fn *draw;
    bspi_sky_fn *draw_sky;
    bspi_strip strips[BSPI_MAX_WORKERS]; ///< one buffer per worker
    struct bspi_frame *room;             ///< what is seen in the place of the sky; or NULL
    const bspi_fog *fog;                 ///< that covers the sky, or NULL
    bsp_image *image;
    bool is_room; ///< of the sky
    bool clear;   ///< without fog
    bool flares;  ///< are drawn; their paints come last
    bool timed;
    pthread_mutex_t lock; ///< of the arena and the error while workers run
    bspi_arena *arena;
    bsp_error *error;
    bool failed;
} bspi_frame;

/// Charges the budget with what a worker counted. Returns false over a limit: then the picture
/// fails, with the error of the first worker that stopped.
bool bspi_frame_pay(bspi_frame *frame, bspi_share *share);
/// Counts work of a worker. The sum does not depend on the number of workers.
static inline bool bspi_frame_work(bspi_frame *frame, bspi_share *share, uint64_t steps) {
    share->meter.steps += steps;
    return share->meter.steps < BSPI_METER_STEPS ? !share->meter.failed
                                                 : bspi_frame_pay(frame, share);
}

/// Sets the corners of a sprite that turns to the viewer.
void bspi_frame_turn(const bspi_frame *frame, const bspi_piece *piece);
/// Sets up the flares after all other triangles. Returns false without memory.
bool bspi_frame_flares(bspi_frame *frame);
/// Adds a triangle to those of a share: kind 0 is opaque, 1 translucent. Returns false without
/// memory.
bool bspi_frame_add(bspi_frame *frame, bspi_share *share, int kind, uint32_t paint,
                    const bspi_corner corners[3]);
/// Sets up all visible triangles.
bool bspi_frame_set_up(bspi_frame *frame);
/// Draws the triangles into the picture. Returns false without memory.
bool bspi_frame_draw(bspi_frame *frame);

/// Returns the clock in nanoseconds, or 0 when no times are measured.
static inline uint64_t bspi_frame_clock(const bspi_frame *frame) {
    return frame->timed ? bspi_clock() : 0;
}

#endif
