// SPDX-License-Identifier: MIT
// Quake 3: the points of curved patches where q3map2 measures light: corners of their facets, then
// the middles of their longest edges, and so on; the first one in a luxel is its place. Facts:
// netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp (MapQuad_r, MapTriangle_r).
#include "bake/light/places/drawn_curve.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAST_APART 0.1f // places: nearer points change nothing
#define AXIAL 0.01f      // places: an edge along an axis of the page

typedef struct visitor {
    bspi_curve_put *put;
    void *user;
    float apart; // the square of places between two points that are near enough
    bspi_meter meter;
} visitor;

static void put(visitor *v, const bspi_drawn_corner *at) {
    v->put(v->user, at);
    (void)bspi_meter_add(&v->meter, 1);
}

static void put_corners(visitor *v, const bspi_facet *facet) {
    for (uint32_t n = 0; n < facet->count; n++) {
        put(v, &facet->corners[n]);
    }
}

static bspi_drawn_corner middle_of(const bspi_drawn_corner *a, const bspi_drawn_corner *b) {
    bspi_drawn_corner c = {.vertex = 0};
    bool flat = memcmp(a->normal, b->normal, sizeof a->normal) == 0;
    for (int i = 0; i < 3; i++) {
        c.point[i] = (a->point[i] + b->point[i]) / 2;
        c.normal[i] = flat ? a->normal[i] : a->normal[i] + b->normal[i];
    }
    for (int i = 0; i < 2; i++) {
        c.light[i] = (a->light[i] + b->light[i]) / 2;
    }
    if (!flat && !(bspi_normalize(c.normal) > 0)) {
        memcpy(c.normal, a->normal, sizeof c.normal);
    }
    return c;
}

// Returns the first of the longest edges, or BSP_NONE: all are short.
static uint32_t longest_of(const visitor *v, const bspi_drawn_corner *const *corners,
                           uint32_t count) {
    uint32_t longest = BSP_NONE;
    float most = v->apart;
    for (uint32_t n = 0; n < count; n++) {
        const float *a = corners[n]->light;
        const float *b = corners[(n + 1) % count]->light;
        float square = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
        longest = square > most ? n : longest;
        most = fmaxf(most, square);
    }
    return longest;
}

static void visit_quad(visitor *v, const bspi_drawn_corner *const q[4]) {
    uint32_t edge = longest_of(v, q, 4);
    if (edge == BSP_NONE || v->meter.failed) {
        return;
    }
    edge %= 2;
    bspi_drawn_corner low = middle_of(q[edge], q[edge + 1]);
    bspi_drawn_corner high = middle_of(q[edge + 2], q[(edge + 3) % 4]);
    put(v, &low);
    put(v, &high);
    const bspi_drawn_corner *const parts[2][2][4] = {
        {{q[0], &low, &high, q[3]}, {&low, q[1], q[2], &high}},
        {{q[0], q[1], &low, &high}, {&high, &low, q[2], q[3]}}};
    visit_quad(v, parts[edge][0]);
    visit_quad(v, parts[edge][1]);
}

static void visit_triangle(visitor *v, const bspi_drawn_corner *const t[3]) {
    uint32_t edge = longest_of(v, t, 3);
    if (edge == BSP_NONE || v->meter.failed) {
        return;
    }
    uint32_t next = (edge + 1) % 3;
    bspi_drawn_corner middle = middle_of(t[edge], t[next]);
    const bspi_drawn_corner *parts[2][3] = {{t[0], t[1], t[2]}, {t[0], t[1], t[2]}};
    parts[0][edge] = &middle;
    parts[1][next] = &middle;
    put(v, &middle);
    visit_triangle(v, parts[0]);
    visit_triangle(v, parts[1]);
}

// Edges along an axis of the page come first.
static void visit_edges(visitor *v, const bspi_drawn_corner *const t[3]) {
    for (uint32_t n = 0; n < 3; n++) {
        const bspi_drawn_corner *a = t[n];
        const bspi_drawn_corner *b = t[(n + 1) % 3];
        if (fabsf(a->light[0] - b->light[0]) < AXIAL || fabsf(a->light[1] - b->light[1]) < AXIAL) {
            const bspi_drawn_corner *const edge[3] = {a, b, b};
            visit_triangle(v, edge);
        }
    }
}

bool bspi_curve_visit(bspi_heap *heap, const bspi_facet *facet, bspi_curve_part part, float apart,
                      bspi_curve_put *to, void *user, bsp_error *error) {
    visitor v = {.put = to, .user = user, .meter = {.heap = heap, .error = error}};
    v.apart = fmaxf(apart, LEAST_APART) * fmaxf(apart, LEAST_APART);
    const bspi_drawn_corner *corners[BSPI_FACET_CORNERS];
    for (uint32_t n = 0; n < BSPI_FACET_CORNERS; n++) {
        corners[n] = &facet->corners[n];
    }
    if (part != BSPI_CURVE_INSIDE) {
        put_corners(&v, facet);
    }
    if (facet->count == BSPI_FACET_CORNERS) {
        visit_quad(&v, corners);
        return !v.meter.failed && bspi_meter_pay(&v.meter);
    }
    if (part != BSPI_CURVE_INSIDE) {
        visit_edges(&v, corners);
    }
    if (part != BSPI_CURVE_EDGES) {
        put_corners(&v, facet);
        visit_triangle(&v, corners);
    }
    return !v.meter.failed && bspi_meter_pay(&v.meter);
}
