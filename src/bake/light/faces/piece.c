// SPDX-License-Identifier: MIT
// What pieces of surfaces have in common, whichever compiler cuts them. Formula of the view: sheet
// bake, 3.2.
#include "bake/light/faces/piece.h"

#include "core/curves.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAST_SINE 1e-4f // between the directions of two corners: nearer ones fill nothing

bool bspi_piece_clip(const bspi_piece *piece, const float normal[3], float dist, bspi_piece *out) {
    out->count = 0;
    for (uint32_t i = 0; i < piece->count; i++) {
        const float *a = piece->points[i];
        const float *b = piece->points[(i + 1) % piece->count];
        float from = bspi_dot(a, normal) - dist;
        float to = bspi_dot(b, normal) - dist;
        if (out->count + 2 > BSPI_PIECE_CORNERS) {
            return false;
        }
        if (from >= 0) {
            memcpy(out->points[out->count++], a, 3 * sizeof *a);
        }
        if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
            float *at = out->points[out->count++];
            for (int c = 0; c < 3; c++) {
                at[c] = a[c] + (b[c] - a[c]) * (from / (from - to));
            }
        }
    }
    return true;
}

float bspi_polygon_area(const float (*corners)[3], uint32_t count) {
    float area = 0;
    for (uint32_t i = 2; i < count; i++) {
        float normal[3];
        bspi_triangle_cross(corners[0], corners[i - 1], corners[i], normal);
        area += sqrtf(bspi_dot(normal, normal)) / 2;
    }
    return area;
}

void bspi_polygon_box(const float (*corners)[3], uint32_t count, float low[3], float high[3]) {
    for (int c = 0; c < 3; c++) {
        low[c] = high[c] = corners[0][c];
        for (uint32_t i = 1; i < count; i++) {
            low[c] = fminf(low[c], corners[i][c]);
            high[c] = fmaxf(high[c], corners[i][c]);
        }
    }
}

float bspi_piece_area(const bspi_piece *piece) {
    return bspi_polygon_area((const float(*)[3])piece->points, piece->count);
}

float bspi_piece_view(const float (*corners)[3], uint32_t count, const float point[3],
                      const float normal[3]) {
    float to[BSPI_PIECE_CORNERS][3];
    float total = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            to[i][c] = corners[i][c] - point[c];
        }
        (void)bspi_normalize(to[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *next = to[(i + 1) % count];
        float across[3];
        bspi_cross(to[i], next, across);
        float sine = bspi_normalize(across);
        if (sine >= LEAST_SINE) {
            total += bspi_dot(normal, across) * bspi_angle_of(sine, bspi_dot(to[i], next));
        }
    }
    return total;
}
