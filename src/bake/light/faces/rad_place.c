// SPDX-License-Identifier: MIT
// Where a piece of a surface stands: in its middle, or in that of a part of it that is not in
// solid. Sources: qrad.cpp (PlacePatchInside, UpdateEmitterInfo), mathutil.cpp of SDHLT.
#include "bake/light/faces/rad_place.h"

#include "bake/light/faces/free_point.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define NEAR 4.0f        // sizes of a piece from which it is a point
#define LEAST_SIZE 0.04f // units
#define THIN 0.05f       // share of the square of its size that a piece has at least
#define CUT 0.04f        // units on both sides of a plane that cuts a piece

static void middle_of(const bspi_piece *piece, float out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < piece->count; i++) {
        for (int c = 0; c < 3; c++) {
            out[c] += piece->points[i][c] / (float)piece->count;
        }
    }
}

// Looks for a place that is not in solid, near one on the surface.
static bool free_at(bspi_relight *own, const float on[3], const float normal[3], int size,
                    float step, float out[3]) {
    bspi_free_search search = {.size = size, .step = step};
    for (int c = 0; c < 3; c++) {
        out[c] = on[c] + normal[c] * BSPI_RAD_LIFT;
        search.normal[c] = normal[c];
    }
    search.dist = bspi_dot(out, normal);
    return bspi_free_point_find(own, &search, out);
}

static float gap_of(const float a[3], const float b[3]) {
    float way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(bspi_dot(way, way));
}

// Sets the middle of the triangle between that of a piece and an edge.
static void middle_at(const bspi_piece *piece, const float middle[3], uint32_t edge, float out[3]) {
    const float *a = piece->points[edge];
    const float *b = piece->points[(edge + 1) % piece->count];
    for (int c = 0; c < 3; c++) {
        out[c] = (a[c] + b[c] + middle[c]) / 3;
    }
}

static float near_of(const bspi_piece *piece, const float point[3]) {
    float area = bspi_piece_area(piece);
    float size = LEAST_SIZE;
    for (uint32_t i = 0; i < piece->count; i++) {
        size = fmaxf(size, gap_of(piece->points[i], point));
    }
    return NEAR * (area < THIN * size * size ? sqrtf(area / THIN) : size);
}

void bspi_rad_place_find(bspi_relight *own, const bspi_piece *piece, const float normal[3],
                         bspi_rad_place *out) {
    float middle[3];
    float best = INFINITY;
    uint32_t found = 0;
    middle_of(piece, middle);
    for (int c = 0; c < 3; c++) {
        out->point[c] = middle[c] + normal[c] * BSPI_RAD_LIFT;
    }
    for (uint32_t i = 0; i <= piece->count; i++) {
        float at[3];
        float point[3];
        memcpy(at, middle, sizeof at);
        if (i != 0) {
            middle_at(piece, middle, i - 1, at);
        }
        if (!free_at(own, at, normal, 4, 0.2f, point) &&
            !free_at(own, at, normal, 4, 0.8f, point)) {
            continue;
        }
        found++;
        if (gap_of(point, middle) < best) {
            best = gap_of(point, middle);
            memcpy(out->point, point, sizeof point);
        }
    }
    out->exposed = (float)found / (float)(piece->count + 1);
    out->outside = found == 0;
    out->near = near_of(piece, out->point);
}

// Do corners of a polygon lie on both sides of a plane?
static bool is_cut(const float (*corners)[3], uint32_t count, const float normal[3], float dist) {
    bool above = false;
    bool below = false;
    for (uint32_t i = 0; i < count; i++) {
        float away = bspi_dot(corners[i], normal) - dist;
        above |= away > CUT;
        below |= away < -CUT;
    }
    return above && below;
}

void bspi_rad_place_before(bspi_relight *own, const float (*corners)[3], uint32_t count,
                           const float facing[3], const float point[3], const float normal[3],
                           float out[3]) {
    float dist = bspi_dot(point, normal);
    bspi_piece whole = {.count = count};
    bspi_piece part;
    float middle[3];
    if (!is_cut(corners, count, normal, dist)) {
        return;
    }
    memcpy(whole.points, corners, count * sizeof *corners);
    if (!bspi_piece_clip(&whole, normal, dist, &part) || part.count < 3) {
        return;
    }
    float at[3];
    middle_of(&part, middle);
    if (free_at(own, middle, facing, 2, 1, at)) {
        memcpy(out, at, sizeof at);
        return;
    }
    float best = INFINITY;
    for (uint32_t i = 0; i < part.count; i++) {
        float on[3];
        middle_at(&part, middle, i, on);
        if (free_at(own, on, facing, 1, 0, at) && gap_of(at, middle) < best) {
            best = gap_of(at, middle);
            memcpy(out, at, sizeof at);
        }
    }
}
