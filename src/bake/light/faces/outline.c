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
        const double *a = points[i];
        const double *b = points[(i + 1) % count];
        double from = before[i];
        double to = before[(i + 1) % count];
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

// Returns how far within an edge a point is; what it has of the edge, 0..1, goes to `part`.
static double within_edge(const bspi_outline *outline, double side, uint32_t edge,
                          const double point[2], double *part) {
    const double *a = outline->points[edge];
    const double *b = outline->points[(edge + 1) % outline->count];
    double along[2] = {b[0] - a[0], b[1] - a[1]};
    double way[2] = {point[0] - a[0], point[1] - a[1]};
    double square = along[0] * along[0] + along[1] * along[1];
    if (!(square > 0)) {
        *part = 0;
        return INFINITY;
    }
    *part = (along[0] * way[0] + along[1] * way[1]) / square;
    return side * (along[0] * way[1] - along[1] * way[0]) / sqrt(square);
}

bool bspi_outline_holds(const bspi_outline *outline, double side, const double point[2],
                        double slack) {
    bool holds = outline->count >= 3;
    for (uint32_t i = 0; holds && i < outline->count; i++) {
        double part;
        holds = within_edge(outline, side, i, point, &part) >= -slack;
    }
    return holds;
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
        holds = !(edge->length > 0) || across / edge->length >= -slack;
    }
    return holds;
}

void bspi_outline_snap(const bspi_outline *outline, double side, double point[2]) {
    double best = INFINITY;
    double nearest[2] = {point[0], point[1]};
    if (bspi_outline_holds(outline, side, point, 0)) {
        return;
    }
    for (uint32_t i = 0; i < outline->count; i++) {
        const double *a = outline->points[i];
        const double *b = outline->points[(i + 1) % outline->count];
        double part;
        (void)within_edge(outline, side, i, point, &part);
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
