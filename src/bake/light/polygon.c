// SPDX-License-Identifier: MIT
// Where points of a face's plane are beside its edges.
#include "bake/light/polygon.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

// Where a point is beside an edge.
typedef struct beside {
    float away; // on the polygon's side of the edge's line
    float part; // of the edge, to where the point is nearest to that line
} beside;

void bspi_polygon_begin(bspi_polygon *polygon, bspi_polygon_side *sides) {
    for (uint32_t i = 0; i < polygon->count; i++) {
        bspi_polygon_side *s = &sides[i];
        const float *end = polygon->corners[(i + 1) % polygon->count].point;
        s->start = polygon->corners[i].point;
        for (int c = 0; c < 3; c++) {
            s->edge[c] = end[c] - s->start[c];
        }
        s->square = bspi_dot(s->edge, s->edge);
        s->length = sqrtf(s->square);
        bspi_cross(s->edge, polygon->normal, s->in); // corners run clockwise
    }
    polygon->sides = sides;
}

// False for an edge without a length.
static bool find_beside(const bspi_polygon_side *s, const float point[3], beside *out) {
    const float way[3] = {point[0] - s->start[0], point[1] - s->start[1], point[2] - s->start[2]};
    if (!(s->square > 1e-6f)) {
        return false;
    }
    out->away = bspi_dot(s->in, way) / s->length;
    out->part = bspi_dot(s->edge, way) / s->square;
    return true;
}

float bspi_polygon_inside(const bspi_polygon *polygon, const float point[3]) {
    float least = INFINITY;
    for (uint32_t i = 0; i < polygon->count; i++) {
        beside b;
        if (find_beside(&polygon->sides[i], point, &b)) {
            least = b.away < least ? b.away : least;
        }
    }
    return least;
}

void bspi_polygon_nearest(const bspi_polygon *polygon, const float point[3], float nearest[3]) {
    float best = INFINITY;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const bspi_polygon_side *s = &polygon->sides[i];
        beside b;
        if (!find_beside(s, point, &b)) {
            continue;
        }
        float part = b.part < 0 ? 0 : b.part > 1 ? 1 : b.part;
        float gap = 0;
        float at[3];
        for (int c = 0; c < 3; c++) {
            at[c] = s->start[c] + s->edge[c] * part;
            gap += (at[c] - point[c]) * (at[c] - point[c]);
        }
        if (gap < best) {
            best = gap;
            memcpy(nearest, at, sizeof at);
        }
    }
}

void bspi_polygon_onto(const bspi_polygon *polygon, float point[3]) {
    float off = bspi_dot(point, polygon->normal) - polygon->dist;
    for (int c = 0; c < 3; c++) {
        point[c] -= polygon->normal[c] * off;
    }
}

uint32_t bspi_polygon_edge(const bspi_polygon *polygon, const float point[3], float *away) {
    uint32_t best = BSP_NONE;
    float least = INFINITY;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const bspi_polygon_side *s = &polygon->sides[i];
        beside b;
        if (!find_beside(s, point, &b) || b.away >= BSPI_POLYGON_ON) {
            continue;
        }
        float past = b.part < 0 ? -b.part * s->length : b.part > 1 ? b.part * s->length : 0;
        if (past < least) {
            least = past;
            best = i;
            *away = -b.away;
        }
    }
    return best;
}
