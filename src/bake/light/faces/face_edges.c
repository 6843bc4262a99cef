// SPDX-License-Identifier: MIT
// Where points of a face's plane are beside its edges.
#include "bake/light/faces/face_edges.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

// Where a point is beside an edge.
typedef struct beside {
    float away; // on the face's side of the edge's line
    float part; // of the edge, to where the point is nearest to that line
} beside;

void bspi_face_edges_begin(bspi_face_edges *edges, bspi_face_edge *sides) {
    for (uint32_t i = 0; i < edges->count; i++) {
        bspi_face_edge *s = &sides[i];
        const float *end = edges->corners[(i + 1) % edges->count].point;
        s->start = edges->corners[i].point;
        for (int c = 0; c < 3; c++) {
            s->edge[c] = end[c] - s->start[c];
        }
        s->square = bspi_dot(s->edge, s->edge);
        s->length = sqrtf(s->square);
        bspi_cross(s->edge, edges->normal, s->in); // corners run clockwise
    }
    edges->sides = sides;
}

// False for an edge without a length.
static bool find_beside(const bspi_face_edge *s, const float point[3], beside *out) {
    const float way[3] = {point[0] - s->start[0], point[1] - s->start[1], point[2] - s->start[2]};
    if (!(s->square > 1e-6f)) {
        return false;
    }
    out->away = bspi_dot(s->in, way) / s->length;
    out->part = bspi_dot(s->edge, way) / s->square;
    return true;
}

float bspi_face_edges_inside(const bspi_face_edges *edges, const float point[3]) {
    float least = INFINITY;
    for (uint32_t i = 0; i < edges->count; i++) {
        beside b;
        if (find_beside(&edges->sides[i], point, &b)) {
            least = b.away < least ? b.away : least;
        }
    }
    return least;
}

void bspi_face_edges_nearest(const bspi_face_edges *edges, const float point[3], float nearest[3]) {
    float best = INFINITY;
    for (uint32_t i = 0; i < edges->count; i++) {
        const bspi_face_edge *s = &edges->sides[i];
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

void bspi_face_edges_onto(const bspi_face_edges *edges, float point[3]) {
    float off = bspi_dot(point, edges->normal) - edges->dist;
    for (int c = 0; c < 3; c++) {
        point[c] -= edges->normal[c] * off;
    }
}

uint32_t bspi_face_edges_beyond(const bspi_face_edges *edges, const float point[3], float *away) {
    uint32_t best = BSP_NONE;
    float least = INFINITY;
    for (uint32_t i = 0; i < edges->count; i++) {
        const bspi_face_edge *s = &edges->sides[i];
        beside b;
        if (!find_beside(s, point, &b) || b.away >= BSPI_EDGE_ON) {
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
