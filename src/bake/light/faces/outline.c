// SPDX-License-Identifier: MIT
// Flat polygons among the texels of a face.
#include "bake/light/faces/outline.h"

#include <math.h>
#include <string.h>

void bspi_outline_clip(bspi_outline *outline, const double normal[2], double dist, double slack) {
    double before[BSPI_UNFOLD_CORNERS + 8];
    double points[BSPI_UNFOLD_CORNERS + 8][2];
    uint32_t count = outline->count;
    bool any = false;
    bool all = true;
    for (uint32_t i = 0; i < count; i++) {
        before[i] = normal[0] * outline->points[i][0] + normal[1] * outline->points[i][1] - dist;
        any |= before[i] > slack;
        all &= before[i] >= -slack;
    }
    if (!any || all) {
        outline->count = any && count >= 3 ? count : 0;
        return;
    }
    memcpy(points, outline->points, count * sizeof *points);
    outline->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = i + 1 < count ? i + 1 : 0;
        const double *a = points[i];
        const double *b = points[next];
        double from = before[i];
        double to = before[next];
        if (from >= -slack && outline->count < BSPI_UNFOLD_CORNERS + 8) {
            memcpy(outline->points[outline->count++], a, sizeof points[0]);
        }
        if (((from > slack && to < -slack) || (from < -slack && to > slack)) &&
            outline->count < BSPI_UNFOLD_CORNERS + 8) {
            double *at = outline->points[outline->count++];
            double part = from / (from - to);
            at[0] = a[0] + (b[0] - a[0]) * part;
            at[1] = a[1] + (b[1] - a[1]) * part;
        }
    }
    outline->count = outline->count >= 3 ? outline->count : 0;
}

// A point beside an edge.
typedef struct beside {
    double across; // the edge: its length times how far within the point is
    double along;  // its square times what the point has of it
    double square; // of its length
} beside;

static beside beside_edge(const bspi_outline *outline, double side, uint32_t edge,
                          const double point[2]) {
    const double *a = outline->points[edge];
    const double *b = outline->points[edge + 1 < outline->count ? edge + 1 : 0];
    const double along[2] = {b[0] - a[0], b[1] - a[1]};
    const double way[2] = {point[0] - a[0], point[1] - a[1]};
    return (beside){side * (along[0] * way[1] - along[1] * way[0]),
                    along[0] * way[0] + along[1] * way[1],
                    along[0] * along[0] + along[1] * along[1]};
}

void bspi_outline_edges(const bspi_outline *outline, bspi_outline_edge *out) {
    for (uint32_t i = 0; i < outline->count; i++) {
        const double *a = outline->points[i];
        const double *b = outline->points[(i + 1) % outline->count];
        out[i] = (bspi_outline_edge){.along = {b[0] - a[0], b[1] - a[1]}};
        out[i].length = bspi_length(out[i].along[0], out[i].along[1]);
    }
}

bool bspi_outline_within(const bspi_outline *outline, const bspi_outline_edge *edges, double side,
                         const double point[2], double slack) {
    bool holds = outline->count >= 3;
    for (uint32_t i = 0; holds && i < outline->count; i++) {
        const bspi_outline_edge *edge = &edges[i];
        double way[2] = {point[0] - outline->points[i][0], point[1] - outline->points[i][1]};
        double across = side * (edge->along[0] * way[1] - edge->along[1] * way[0]);
        holds = !(edge->length > 0) || across >= -slack * edge->length;
    }
    return holds;
}

void bspi_outline_snap(const bspi_outline *outline, double side, double point[2]) {
    double best = INFINITY;
    double nearest[2] = {point[0], point[1]};
    bool holds = outline->count >= 3;
    for (uint32_t i = 0; holds && i < outline->count; i++) {
        beside p = beside_edge(outline, side, i, point);
        holds = !(p.square > 0) || p.across >= 0;
    }
    for (uint32_t i = 0; !holds && i < outline->count; i++) {
        const double *a = outline->points[i];
        const double *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        beside p = beside_edge(outline, side, i, point);
        double part = p.square > 0 ? p.along / p.square : 0;
        part = part > 0 ? part < 1 ? part : 1 : 0;
        double at[2] = {a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part};
        double gap =
            (at[0] - point[0]) * (at[0] - point[0]) + (at[1] - point[1]) * (at[1] - point[1]);
        if (gap < best) {
            best = gap;
            memcpy(nearest, at, sizeof at);
        }
    }
    memcpy(point, nearest, sizeof nearest);
}

double bspi_outline_area(const bspi_outline *outline) {
    double area = 0;
    for (uint32_t i = 0; i < outline->count; i++) {
        const double *a = outline->points[i];
        const double *b = outline->points[(i + 1) % outline->count];
        area += a[0] * b[1] - a[1] * b[0];
    }
    return area / 2;
}
