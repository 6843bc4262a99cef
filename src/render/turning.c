// SPDX-License-Identifier: MIT
// Sprites that turn to the viewer: their axes for a view. Sources: r_sprite.c of Quake
// (R_DrawSprite), r_main.c of Quake 2 (R_DrawSpriteModel), view.cpp and c_sprite.cpp of the Source
// SDK (glows: 1 / 200 of the distance), detailobjectsystem.cpp (ComputeAngles).
#include "render/frame.h"

#include "core/curves.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define GLOW_DISTANCE 200.0F // at which a glow is as large as its picture
#define GLOW_FALLOFF 19000.0F
#define GLOW_LEAST 0.05F

// The axes of what looks along `back` from the sprite to the viewer, upright or not. Straight above
// or below the viewer there is no such direction: then as the viewer's own.
static void look_along(const bspi_camera *camera, float back[3], bool upright, float right[3],
                       float up[3]) {
    static const float above[3] = {0, 0, 1};
    back[2] = upright ? 0 : back[2];
    bspi_cross(above, back, right);
    if (!(bspi_normalize(back) > 0) || !(bspi_normalize(right) > 0)) {
        memcpy(right, camera->right, 3 * sizeof *right);
        memcpy(up, upright ? above : camera->up, 3 * sizeof *up);
        return;
    }
    bspi_cross(back, right, up);
}

// Rolled on the screen by the roll of the sprite, the other way round than its own axes are: a
// positive roll lifts its right side.
static void roll(const bspi_camera *camera, const bspi_turning *t, float right[3], float up[3]) {
    float length = sqrtf(bspi_dot(t->right, t->right));
    float flat = bspi_length_of(t->right[0], t->right[1]);
    float s = length > 0 ? -t->right[2] / length : 0;
    float c = length > 0 ? flat / length : 1;
    c = t->up[2] < 0 ? -c : c;
    for (int i = 0; i < 3; i++) {
        right[i] = c * camera->right[i] + s * camera->up[i];
        up[i] = c * camera->up[i] - s * camera->right[i];
    }
}

static void axes_of(const bspi_camera *camera, const bspi_turning *t, float right[3], float up[3]) {
    float back[3];
    bool flat = t->facing == BSP_SPRITE_PARALLEL_UPRIGHT;
    for (int i = 0; i < 3; i++) {
        back[i] = flat || camera->parallel ? -camera->forward[i] : camera->from[i] - t->origin[i];
    }
    switch (t->facing) {
    case BSP_SPRITE_PARALLEL_UPRIGHT:
    case BSP_SPRITE_FACING_UPRIGHT:
        look_along(camera, back, true, right, up);
        break;
    case BSP_SPRITE_FACING:
        look_along(camera, back, false, right, up);
        break;
    case BSP_SPRITE_PARALLEL_ORIENTED:
        roll(camera, t, right, up);
        break;
    default:
        memcpy(right, camera->right, 3 * sizeof *right);
        memcpy(up, camera->up, 3 * sizeof *up);
        break;
    }
}

static float distance_to(const bspi_camera *camera, const float at[3]) {
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float d = at[i] - camera->from[i];
        sum += d * d;
    }
    return sqrtf(sum);
}

float bspi_glow_left(float distance) {
    float left = GLOW_FALLOFF / (distance * distance);
    return left < 1 ? left > GLOW_LEAST ? left : GLOW_LEAST : 1;
}

void bspi_frame_turn(const bspi_frame *frame, const bspi_piece *piece) {
    const bsp_renderer *renderer = frame->renderer;
    const bspi_camera *camera = frame->camera;
    const bspi_turning *t = &renderer->turnings[piece->turning - 1];
    float right[3], up[3];
    axes_of(camera, t, right, up);
    float size = t->size;
    if (renderer->batches[piece->batch].glow && !camera->parallel) {
        float times = distance_to(camera, t->origin) / GLOW_DISTANCE;
        size *= times < BSPI_GLOW_MOST ? times : BSPI_GLOW_MOST;
    }
    for (uint32_t v = 0; v < piece->num_vertices; v++) {
        uint32_t n = piece->first_vertex + v;
        const float *point = renderer->points[t->first_point + v];
        bsp_mesh_vertex vertex = renderer->vertices[n];
        for (int i = 0; i < 3; i++) {
            vertex.position[i] = t->origin[i] + size * (point[0] * right[i] + point[1] * up[i]);
        }
        bspi_camera_corner(camera, &vertex, &frame->corners[n]);
    }
}
