// SPDX-License-Identifier: MIT
// Surfaces of GoldSrc that give light, as hlrad cuts them: into a grid along the axes of their
// texture. From afar a piece is a lamp in its middle; a place that is nearer than four times its
// size gets by the share of its view that it fills. Facts: SDHLT, sdHLRAD (qrad.cpp, lightmap.cpp).
#include "bake/light/lamp.h"
#include "bake/light/lamps.h"
#include "bake/light/piece.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_CELLS 64    // of the grid along an axis
#define SLACK 0.6f       // units that a cell may be larger on either side
#define LIFT 0.5f        // units from the surface to the lamp
#define NEAR 4.0f        // sizes of a piece from which it is one lamp
#define LEAST_SIZE 0.04f // units
#define THIN 0.05f       // share of the square of its size that a piece has at least
#define FLUSH 0.01f      // units before a piece; nearer to its plane it gives nothing
#define MOST_SHARE 0.4f  // of the light of a piece that one place gets of it as a lamp

typedef struct cutter {
    bspi_relight *own;
    const bspi_lamp *lamp;
    float normal[3];
    float axes[2][3]; // of the grid
    float chop;
    bsp_error *error;
} cutter;

// --- what a place gets --------------------------------------------------------------------------

float bspi_patch_at(const bspi_lamp *lamp, const float point[3], const float normal[3]) {
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - point[i];
    }
    float dist = bspi_normalize(way);
    float cosine = bspi_dot(way, normal);
    float sent = -bspi_dot(way, lamp->direction);
    if (sent * dist <= FLUSH || !(dist > 0) || cosine <= 0) {
        return 0;
    }
    float share = fminf(cosine * sent / (dist * dist), MOST_SHARE / lamp->area);
    if (dist < lamp->near) {
        bspi_piece whole = {.count = lamp->num_corners};
        bspi_piece seen;
        memcpy(whole.points, lamp->corners, lamp->num_corners * sizeof *whole.points);
        bool sound = bspi_piece_clip(&whole, normal, bspi_dot(point, normal), &seen);
        float view =
            sound ? bspi_piece_view((const float(*)[3])seen.points, seen.count, point, normal) : 0;
        float exact = sound ? fabsf(view) / 2 / lamp->area : share;
        float afar = (dist / lamp->near - 0.5f) * 2;
        afar = afar > 0 ? afar : 0;
        share = afar * share + (1 - afar) * exact;
    }
    return lamp->light * share;
}

// --- pieces -------------------------------------------------------------------------------------

static bool add_piece(const cutter *k, const bspi_piece *p) {
    bspi_lamp lamp = *k->lamp;
    float size = LEAST_SIZE;
    lamp.area = bspi_piece_area(p);
    if (!(lamp.area > 0) || !isfinite(lamp.area) || !(lamp.light > 0)) {
        return bspi_heap_work(&k->own->heap, 1, k->error);
    }
    float(*corners)[3] = bspi_arena_raw(&k->own->arena, p->count, sizeof *corners, k->error);
    if (corners == NULL) {
        return false;
    }
    memcpy(corners, p->points, p->count * sizeof *corners);
    for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (uint32_t i = 0; i < p->count; i++) {
            sum += p->points[i][c];
        }
        lamp.origin[c] = sum / (float)p->count + k->normal[c] * LIFT;
        lamp.direction[c] = k->normal[c];
    }
    for (uint32_t i = 0; i < p->count; i++) {
        float way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = p->points[i][c] - lamp.origin[c];
        }
        size = fmaxf(size, sqrtf(bspi_dot(way, way)));
    }
    size = lamp.area < THIN * size * size ? sqrtf(lamp.area / THIN) : size;
    lamp.near = NEAR * size;
    lamp.angle = 0; // bspi_patch_at has it
    lamp.light *= lamp.area;
    lamp.corners = (const float(*)[3])corners;
    lamp.num_corners = p->count;
    float most = fmaxf(lamp.color[0], fmaxf(lamp.color[1], lamp.color[2])) * lamp.light;
    lamp.reach = fmaxf(sqrtf(fabsf(most) / k->own->scale.gate), lamp.near);
    return bspi_lamp_add(k->own, &lamp, k->error);
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
        if (!(axis == 0 ? cut(k, &before, 1) : add_piece(k, &before))) {
            return false;
        }
        left = after;
    }
    return axis == 0 ? cut(k, &left, 1) : add_piece(k, &left);
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

bool bspi_emitters_grid(bspi_relight *own, uint32_t face, float chop, const bspi_lamp *lamp,
                        bsp_error *error) {
    bsp_surface_corner corners[BSPI_PIECE_CORNERS];
    cutter k = {.own = own, .lamp = lamp, .error = error};
    bspi_piece p;
    float dist;
    p.count = bsp_surface_corners(own->map, face, corners, BSPI_PIECE_CORNERS);
    const float *origin = own->models[own->face_models[face]].origin;
    if (p.count < 3 || p.count > BSPI_PIECE_CORNERS / 2 ||
        !bsp_surface_plane(own->map, face, k.normal, &dist) || !find_grid(&k, face, chop)) {
        return bspi_emitters_add(own, face, chop, lamp, error);
    }
    for (uint32_t i = 0; i < p.count; i++) {
        for (int c = 0; c < 3; c++) {
            p.points[i][c] = corners[i].point[c] + origin[c];
        }
    }
    return cut(&k, &p, 0);
}
