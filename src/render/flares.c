// SPDX-License-Identifier: MIT
// Flares: squares that face the eye, of about one size on the picture, added to it. Sizes:
// tr_flares.c of Quake 3 (RB_RenderFlare, r_flareSize 40). There a flare is drawn whole where its
// middle is seen; here walls before it hide their part of it.
#include "render/frame.h"

#include <string.h>

#define SIZE (40.0F / 640) // half of a flare's edge, as a part of the picture's width
#define GROWTH 8.0F        // units: how much larger a near one is
#define LEAST_DEPTH 1.0F
#define STEPS 8u

static bool faces_eye(const bspi_flare *flare, const float eye[3]) {
    float sum = 0;
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        sum += flare->normal[axis] * (eye[axis] - flare->origin[axis]);
        any = any || flare->normal[axis] != 0;
    }
    return !any || sum > 0;
}

static bool add_flare(bspi_frame *frame, bspi_share *share, const bspi_flare *flare,
                      uint32_t paint) {
    bsp_mesh_vertex vertex = {.normal = {0, 0, 1}};
    bspi_corner middle;
    memcpy(vertex.position, flare->origin, sizeof vertex.position);
    bspi_camera_corner(frame->camera, &vertex, &middle);
    if (!(middle.w > LEAST_DEPTH) || !faces_eye(flare, frame->camera->from)) {
        return true;
    }
    float half = (float)frame->screen.width * (SIZE + GROWTH / middle.w) * middle.w;
    bspi_corner square[4];
    for (int i = 0; i < 4; i++) {
        bool right = i == 1 || i == 2;
        bool lower = i >= 2;
        square[i] = middle;
        square[i].x += right ? half : -half;
        square[i].y += lower ? half : -half;
        square[i].uv[0] = right ? 1 : 0;
        square[i].uv[1] = lower ? 1 : 0;
        memcpy(square[i].color, flare->color, sizeof square[i].color);
        square[i].alpha = 1;
    }
    // Counter-clockwise as the eye sees them; y points down.
    const bspi_corner first[3] = {square[0], square[3], square[2]};
    const bspi_corner second[3] = {square[0], square[2], square[1]};
    return bspi_frame_add(frame, share, 1, paint, first) &&
           bspi_frame_add(frame, share, 1, paint, second);
}

bool bspi_frame_flares(bspi_frame *frame) {
    const bsp_renderer *renderer = frame->renderer;
    bspi_share *share = &frame->shares[frame->num_workers - 1];
    uint32_t paint = renderer->num_batches + renderer->num_variants;
    bool drawn = frame->flares && !frame->screen.parallel;
    for (uint32_t i = 0; drawn && i < renderer->num_flares; i++) {
        if (!bspi_frame_work(frame, share, STEPS) ||
            !add_flare(frame, share, &renderer->flares[i], paint + i)) {
            return false;
        }
    }
    return true;
}
