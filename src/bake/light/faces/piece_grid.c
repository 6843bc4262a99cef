// SPDX-License-Identifier: MIT
// Faces cut into a grid along the axes of their texture. Source: qrad.cpp of SDHLT.
#include "bake/light/faces/piece_grid.h"

#include "bspkit/faces.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_CELLS 64  // of the grid along an axis
#define SLACK 0.6f     // units that a cell may be larger on either side
#define STRAIGHT 1e-5f // of 1: so nearly opposite are the ways to both sides of no corner

typedef struct cutter {
    bspi_relight *own;
    float normal[3];
    float axes[2][3]; // of the grid
    float chop;
    bspi_piece_fn *take;
    void *user;
    bsp_error *error;
} cutter;

// Leaves out corners that are mere points of an edge.
static void straighten(bspi_piece *p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const float *before = p->points[count != 0 ? count - 1 : p->count - 1];
        float ways[2][3];
        for (int c = 0; c < 3; c++) {
            ways[0][c] = before[c] - p->points[i][c];
            ways[1][c] = p->points[(i + 1) % p->count][c] - p->points[i][c];
        }
        bool sound = bspi_normalize(ways[0]) > 0 && bspi_normalize(ways[1]) > 0;
        if (sound && bspi_dot(ways[0], ways[1]) > STRAIGHT - 1) {
            memmove(p->points[count++], p->points[i], sizeof *p->points);
        }
    }
    p->count = count;
}

// Is no point of a polygon farther than that from a plane?
static bool is_sliver(const bspi_piece *p, const float normal[3], float dist) {
    bool far_off = false;
    for (uint32_t i = 0; i < p->count; i++) {
        far_off |= fabsf(bspi_dot(p->points[i], normal) - dist) > SLACK;
    }
    return !far_off;
}

// Cuts a polygon into the cells along an axis, and these along the other one.
static bool cut(const cutter *k, const bspi_piece *p, int axis) {
    const float *normal = k->axes[axis];
    const float back[3] = {-normal[0], -normal[1], -normal[2]};
    float low = INFINITY;
    float high = -INFINITY;
    bspi_piece left = *p;
    for (uint32_t i = 0; i < p->count; i++) {
        low = fminf(low, bspi_dot(p->points[i], normal));
        high = fmaxf(high, bspi_dot(p->points[i], normal));
    }
    float chop = k->chop;
    float cells = ceilf((high - low - 2 * SLACK) / chop);
    cells = cells >= 1 ? cells : 1;
    if (!(cells <= MOST_CELLS)) {
        cells = MOST_CELLS;
        chop = (high - low) / cells;
    }
    float start = (low + high) / 2 - cells / 2 * chop;
    for (int i = 1; i < (int)cells; i++) {
        float at = start + (float)i * chop;
        bspi_piece after;
        bspi_piece before;
        if (!bspi_piece_clip(&left, normal, at, &after) ||
            !bspi_piece_clip(&left, back, -at, &before)) {
            return true;
        }
        if (after.count < 3 || is_sliver(&after, normal, at)) {
            break;
        }
        if (before.count < 3 || is_sliver(&before, normal, at)) {
            continue;
        }
        if (!(axis == 0 ? cut(k, &before, 1) : k->take(k->user, &before, k->normal, k->error))) {
            return false;
        }
        left = after;
    }
    return axis == 0 ? cut(k, &left, 1) : k->take(k->user, &left, k->normal, k->error);
}

// Sets the axes of the grid, and how long a cell is: `chop` texels.
static bool find_grid(cutter *k, uint32_t face, float chop) {
    const bsp_texinfo *texinfo = &k->own->map->texinfos[k->own->map->faces[face].texinfo];
    float scale = 1;
    for (int i = 0; i < 2; i++) {
        const float *vector = texinfo->texture[1 - i];
        float off = bspi_dot(vector, k->normal);
        for (int c = 0; c < 3; c++) {
            k->axes[i][c] = vector[c] - k->normal[c] * off;
        }
        scale *= bspi_normalize(k->axes[i]);
    }
    k->chop = fmaxf(1, chop / sqrtf(scale));
    return scale > 0 && isfinite(k->chop);
}

bool bspi_piece_grid(bspi_relight *own, uint32_t face, float chop, bspi_piece_fn *take, void *user,
                     bool *fits, bsp_error *error) {
    bsp_surface_corner corners[BSPI_PIECE_CORNERS];
    cutter k = {.own = own, .take = take, .user = user, .error = error};
    bspi_piece p;
    float dist;
    p.count = bsp_surface_corners(own->map, face, corners, BSPI_PIECE_CORNERS);
    const float *origin = own->models[own->face_models[face]].origin;
    *fits = p.count >= 3 && p.count <= BSPI_PIECE_CORNERS / 2 &&
            bsp_surface_plane(own->map, face, k.normal, &dist) && find_grid(&k, face, chop);
    if (!*fits) {
        return true;
    }
    for (uint32_t i = 0; i < p.count; i++) {
        for (int c = 0; c < 3; c++) {
            p.points[i][c] = corners[i].point[c] + origin[c];
        }
    }
    straighten(&p);
    return p.count < 3 || cut(&k, &p, 0);
}
