// SPDX-License-Identifier: MIT
// Lights with "_surface" of ericw-tools: a copy before each piece of the faces of a texture, which
// are cut where coordinates are multiples of a size. Source: light/entities.cc of ericw-tools.
#include "bake/light/faces/piece.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAST 8.0f   // units of a piece along an axis
#define MOST_CUTS 40 // one within the other

typedef struct copier {
    bspi_relight *own;
    const bspi_lamp *lamp;
    const float *origin; // of the model
    float normal[3];
    float chop;
    float lift;
    bool spot;
    bsp_error *error;
} copier;

static bool add_copy(const copier *k, const bspi_piece *p) {
    bspi_lamp lamp = *k->lamp;
    float middle[3] = {0, 0, 0};
    float total = 0;
    for (uint32_t i = 2; i < p->count; i++) { // by the area of the triangles
        const float *a = p->points[0];
        const float *b = p->points[i - 1];
        float n[3];
        bspi_triangle_cross(a, b, p->points[i], n);
        float area = sqrtf(bspi_dot(n, n));
        total += area;
        for (int c = 0; c < 3; c++) {
            middle[c] += area * (a[c] + (b[c] - a[c] + (p->points[i][c] - a[c])) / 3);
        }
    }
    if (k->spot) {
        memcpy(lamp.direction, k->normal, sizeof lamp.direction);
    }
    for (int c = 0; c < 3 && total > 0; c++) {
        lamp.origin[c] = middle[c] / total + k->normal[c] * k->lift + k->origin[c];
    }
    return !(total > 0) || bspi_lamp_add(k->own, &lamp, k->error);
}

// Cuts a piece at a coordinate. False if a part has too many corners.
static bool split(const bspi_piece *p, int axis, float at, bspi_piece parts[2]) {
    const float up[3] = {axis == 0, axis == 1, axis == 2};
    const float down[3] = {-up[0], -up[1], -up[2]};
    return bspi_piece_clip(p, up, at, &parts[0]) && bspi_piece_clip(p, down, -at, &parts[1]);
}

// Every cut is paid for: no piece need have an area, and add a light.
static bool cut(const copier *k, const bspi_piece *p, int depth) {
    if (!bspi_heap_work(&k->own->heap, p->count, k->error)) {
        return false;
    }
    for (int axis = 0; axis < 3 && depth < MOST_CUTS; axis++) {
        float low = INFINITY;
        float high = -INFINITY;
        bspi_piece parts[2];
        for (uint32_t i = 0; i < p->count; i++) {
            low = fminf(low, p->points[i][axis]);
            high = fmaxf(high, p->points[i][axis]);
        }
        float at = k->chop * floorf((low + high) / 2 / k->chop + 0.5f);
        if (high - at >= LEAST && at - low >= LEAST && split(p, axis, at, parts)) {
            return cut(k, &parts[0], depth + 1) && cut(k, &parts[1], depth + 1);
        }
    }
    return add_copy(k, p);
}

bool bspi_emitters_copy(bspi_relight *own, uint32_t face, float chop, float lift, bool spot,
                        const bspi_lamp *lamp, bsp_error *error) {
    bsp_surface_corner corners[BSPI_PIECE_CORNERS];
    copier k = {.own = own, .lamp = lamp, .chop = chop, .lift = lift, .spot = spot, .error = error};
    bspi_piece p;
    float dist;
    p.count = bsp_surface_corners(own->map, face, corners, BSPI_PIECE_CORNERS);
    k.origin = own->models[own->face_models[face]].origin;
    if (p.count < 3 || p.count > BSPI_PIECE_CORNERS ||
        !bsp_surface_plane(own->map, face, k.normal, &dist)) {
        return true;
    }
    for (uint32_t i = 0; i < p.count; i++) {
        memcpy(p.points[i], corners[i].point, sizeof p.points[i]);
    }
    return cut(&k, &p, 0);
}
