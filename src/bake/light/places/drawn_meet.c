// SPDX-License-Identifier: MIT
// Quake 3: where luxels lie on surfaces. The compiler halves triangles, and facets of patches whose
// luxels lie along themselves: a luxel is where it is first met, and its normal is the mean of
// those of all points in it. On a plane those beside one that was met are measured too. Facts:
// netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp (MapSingleLuxel, MapRawLightmap).
#include "bake/light/places/drawn_curve.h"
#include "bake/light/places/drawn_raster.h"

#include <math.h>
#include <string.h>

// --- points -------------------------------------------------------------------------------------

static uint32_t side_of(const bspi_raster *r, int axis) {
    return (axis == 0 ? r->places->width : r->places->height) * r->places->extra;
}

// A point of a facet is in a luxel, whose triangle is that of the first one.
static void meet(void *user, const bspi_drawn_corner *at) {
    const bspi_raster *r = user;
    uint32_t place[2];
    for (int i = 0; i < 2; i++) {
        float past = at->light[i] - (float)(r->first[i] * r->places->extra);
        place[i] = past > 0 ? (uint32_t)fminf(past, (float)(side_of(r, i) - 1)) : 0;
    }
    uint32_t n = place[1] * side_of(r, 0) + place[0];
    if (r->of[n] == BSP_NONE) {
        r->of[n] = r->number;
        r->away[n] = 0;
        memcpy(r->places->points[n], at->point, sizeof at->point);
    }
    for (int i = 0; i < 3; i++) {
        r->places->normals[n][i] += at->normal[i];
    }
}

// Counts places on the page, not luxels, and makes normals one unit long.
static void count_places(const bspi_raster *r, bspi_facet *facet) {
    for (uint32_t n = 0; n < facet->count; n++) {
        (void)bspi_raster_unit(facet->corners[n].normal);
        facet->corners[n].light[0] *= (float)r->places->extra;
        facet->corners[n].light[1] *= (float)r->places->extra;
    }
}

// Returns places between two points that are near enough.
static float apart_of(const bspi_raster *r) {
    float said = r->own->drawn->told.thresh;
    return said > 0 ? said : 1;
}

static void finish_normals(const bspi_raster *r) {
    for (uint32_t n = 0; n < r->places->count; n++) {
        (void)bspi_raster_unit(r->places->normals[n]);
    }
}

// --- curved patches -----------------------------------------------------------------------------

// Is a facet where the triangles of the surface are, and among them? With numbers that are too
// large for some of these there may be more facets.
static bool is_among(const bspi_raster *r, const bspi_facet *facet) {
    bool among = r->number + facet->count - 2 <= r->triangles.count;
    for (uint32_t n = 0; n < facet->count; n++) {
        for (int i = 0; i < 2; i++) {
            float past = facet->corners[n].light[i] - (float)r->first[i];
            float size = (float)(i == 0 ? r->places->width : r->places->height);
            among = among && past >= -1 && past <= size + 1;
        }
    }
    return among;
}

static bool meet_facets(bspi_raster *r, bsp_error *error) {
    bspi_facets facets;
    bool done = bspi_facets_of(r->own, r->face, BSPI_FACET_MEASURED, &facets, error);
    for (uint32_t f = 0; done && f < facets.count; f++) {
        bspi_facet *facet = &facets.list[f];
        bool among = is_among(r, facet);
        count_places(r, facet);
        done = !among ||
               bspi_curve_visit(&r->own->heap, facet, BSPI_CURVE_ALL, apart_of(r), meet, r, error);
        r->number += facet->count - 2; // triangles
    }
    finish_normals(r);
    bspi_facets_free(r->own, &facets);
    return done;
}

// --- triangles ----------------------------------------------------------------------------------

// Meets the points along the edges of all triangles, or those in them.
static bool visit(bspi_raster *r, bspi_curve_part part, bsp_error *error) {
    bool done = true;
    for (r->number = 0; done && r->number < r->triangles.count; r->number++) {
        const bspi_triangle *t = &r->triangles.list[r->number];
        bspi_facet facet = {.count = 3};
        bspi_spread s;
        for (uint32_t n = 0; n < 3; n++) {
            memcpy(facet.corners[n].point, t->points[n], sizeof t->points[n]);
            memcpy(facet.corners[n].normal, t->normals[n], sizeof t->normals[n]);
            memcpy(facet.corners[n].light, t->light[n], sizeof t->light[n]);
        }
        count_places(r, &facet);
        done = !bspi_raster_lay(t, &s) ||
               bspi_curve_visit(&r->own->heap, &facet, part, apart_of(r), meet, r, error);
    }
    return done;
}

// Gives a luxel that was not met the mean of the normals of those around it that were met before
// this round.
static void look_beside(const bspi_raster *r, uint32_t n, float round) {
    uint32_t size[2] = {side_of(r, 0), side_of(r, 1)};
    uint32_t x = n % size[0];
    uint32_t y = n / size[0];
    float sum[3] = {0, 0, 0};
    uint32_t of = BSP_NONE;
    for (uint32_t v = y == 0 ? 0 : y - 1; v <= y + 1 && v < size[1]; v++) {
        for (uint32_t u = x == 0 ? 0 : x - 1; u <= x + 1 && u < size[0]; u++) {
            uint32_t other = v * size[0] + u;
            if (other != n && r->away[other] < round) {
                of = r->of[other];
                for (int i = 0; i < 3; i++) {
                    sum[i] += r->places->normals[other][i];
                }
            }
        }
    }
    if (bspi_raster_unit(sum) > 0) {
        r->of[n] = of;
        r->away[n] = round;
        memcpy(r->places->normals[n], sum, sizeof sum);
    }
}

static bool meet_triangles(bspi_raster *r, bsp_error *error) {
    bspi_places *places = r->places;
    uint32_t rounds = places->extra / 2 > 1 ? places->extra / 2 : 1;
    bool done = visit(r, BSPI_CURVE_EDGES, error) && visit(r, BSPI_CURVE_INSIDE, error);
    finish_normals(r);
    for (uint32_t round = 1; done && r->planar && round <= rounds; round++) {
        for (uint32_t n = 0; n < places->count; n++) {
            if (r->of[n] == BSP_NONE) {
                look_beside(r, n, (float)round);
            }
        }
        done = bspi_heap_work(&r->own->heap, places->count, error);
    }
    bspi_spread s;
    uint32_t last = BSP_NONE;
    for (uint32_t n = 0; done && n < places->count; n++) {
        if (r->of[n] != BSP_NONE && r->of[n] != last) {
            last = r->of[n];
            (void)bspi_raster_lay(&r->triangles.list[last], &s);
        }
        if (r->of[n] != BSP_NONE) {
            bspi_raster_put(r, &s, n);
        }
    }
    return done;
}

bool bspi_raster_meet(bspi_raster *r, bsp_error *error) {
    return r->curved ? meet_facets(r, error) : meet_triangles(r, error);
}
