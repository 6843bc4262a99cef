// SPDX-License-Identifier: MIT
// The edges of a triangle, row by row, in integers.
#ifndef BSPI_EDGE_H
#define BSPI_EDGE_H

#include "render/raster.h"

// Where an edge crosses a row of pixels: the first pixel inside of a left edge, the last of a right
// one. It steps from row to row with integers, as a line is drawn.
typedef struct edge {
    int64_t at;
    int64_t step;
    int64_t rest; // of the division by `scale`
    int64_t step_rest;
    int64_t scale;
    int side; // -1 left, 1 right, 0 level: all pixels of a row are inside, or none
} edge;

static int64_t floor_divide(int64_t a, int64_t b, int64_t *rest) {
    int64_t q = a / b;
    int64_t r = a % b;
    q -= r < 0;
    *rest = r < 0 ? r + b : r;
    return q;
}

// Starts the edge from corner a to corner b, in the row with that number. A pixel whose centre lies
// on the edge is inside if the edge is a left or an upper one.
static void start_edge(edge *e, const bspi_triangle *t, int a, int b, uint32_t row) {
    int64_t across = t->y[a] - t->y[b];
    int64_t down = t->x[b] - t->x[a];
    bool include = across > 0 || (across == 0 && down > 0);
    int64_t y = (int64_t)row * BSPI_SUBPIXEL + BSPI_SUBPIXEL / 2;
    // How far the centre of pixel 0 is inside; 0 is inside too.
    int64_t n = across * (BSPI_SUBPIXEL / 2 - t->x[a]) + down * (y - t->y[a]) - (include ? 0 : 1);
    e->side = across > 0 ? -1 : across < 0 ? 1 : 0;
    e->scale = (across < 0 ? -across : across) * BSPI_SUBPIXEL;
    if (e->side == 0) {
        e->at = n;
        e->step = down * BSPI_SUBPIXEL;
        return;
    }
    e->at = floor_divide(n, e->scale, &e->rest);
    e->step = floor_divide(down * BSPI_SUBPIXEL, e->scale, &e->step_rest);
}

// Narrows the run of pixels [first, end) to those inside.
static void cut_run(const edge *e, int64_t *first, int64_t *end) {
    if (e->side < 0) {
        *first = -e->at > *first ? -e->at : *first;
    } else if (e->side > 0) {
        *end = e->at + 1 < *end ? e->at + 1 : *end;
    } else if (e->at < 0) {
        *end = *first;
    }
}

static void step_edge(edge *e) {
    e->at += e->step;
    if (e->side != 0) {
        e->rest += e->step_rest;
        if (e->rest >= e->scale) {
            e->rest -= e->scale;
            e->at++;
        }
    }
}

#endif
