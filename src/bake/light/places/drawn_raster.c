// SPDX-License-Identifier: MIT
// Quake 3: how luxels lie in the world, and where light is measured off their surface. Facts:
// netradiant-custom, tools/quake3/q3map2 (light_ydnar.cpp, MapSingleLuxel; lightmaps_ydnar.cpp).
#include "bake/light/places/drawn_raster.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define NUDGE 0.5f  // places: steps out of solid
#define ASIDE 0.01f // share of a step that it may go along another axis

float bspi_raster_unit(float v[3]) {
    float length = bspi_normalize(v);
    if (!(length > 0 && isfinite(length))) {
        v[0] = v[1] = v[2] = 0;
    }
    return length;
}

// --- on the page -------------------------------------------------------------------------------

bool bspi_raster_lay(const bspi_triangle *from, bspi_spread *out) {
    float sum[3] = {0, 0, 0};
    out->from = from;
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 2; i++) {
            out->edges[e][i] = from->light[e + 1][i] - from->light[0][i];
        }
    }
    out->area = out->edges[0][0] * out->edges[1][1] - out->edges[0][1] * out->edges[1][0];
    bspi_triangle_cross(from->points[0], from->points[1], from->points[2], out->normal);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            sum[i] += from->normals[c][i];
        }
    }
    bool turned = bspi_dot(sum, out->normal) < 0;
    out->flat = true;
    float length = bspi_raster_unit(out->normal);
    for (int i = 0; i < 3; i++) {
        out->normal[i] = turned ? -out->normal[i] : out->normal[i];
    }
    for (int c = 0; c < 3; c++) {
        out->flat = out->flat && bspi_dot(from->normals[c], out->normal) >= BSPI_RASTER_FLAT;
    }
    return length > 0 && isfinite(length) && isfinite(out->area) && fabsf(out->area) > 1e-5f;
}

// Sets the steps in the world to the next luxels.
static void steps_of(const bspi_spread *s, float steps[2][3]) {
    for (int i = 0; i < 3; i++) {
        float a = s->from->points[1][i] - s->from->points[0][i];
        float b = s->from->points[2][i] - s->from->points[0][i];
        steps[0][i] = (a * s->edges[1][1] - b * s->edges[0][1]) / s->area;
        steps[1][i] = (b * s->edges[0][0] - a * s->edges[1][0]) / s->area;
    }
}

// Returns the axis of the world along which luxels lie on a triangle, whose steps are as long as
// those of others, `unit`, 0: not known; or BSPI_RASTER_ANY.
static int axis_of(const bspi_spread *s, float *unit) {
    float steps[2][3];
    steps_of(s, steps);
    for (int n = 2; n < 5; n++) { // z, x, y: as compilers choose it
        int axis = n % 3;
        int across = axis == 0 ? 1 : 0;
        int down = axis == 2 ? 1 : 2;
        float size = steps[0][across];
        float most = fabsf(size) * ASIDE;
        if (most > 0 && fabsf(steps[0][down]) < most && fabsf(steps[1][across]) < most &&
            fabsf(steps[1][down] - size) < most && (*unit <= 0 || fabsf(*unit - size) < most)) {
            *unit = size;
            return axis;
        }
    }
    return BSPI_RASTER_ANY;
}

void bspi_raster_find_axis(bspi_raster *r) {
    bool first = true;
    float size = 0;
    r->axis = BSPI_RASTER_ANY;
    for (uint32_t t = 0; t < r->triangles.count && (first || r->axis != BSPI_RASTER_ANY); t++) {
        bspi_spread s;
        if (bspi_raster_lay(&r->triangles.list[t], &s)) {
            int axis = axis_of(&s, &size);
            r->axis = first || axis == r->axis ? axis : BSPI_RASTER_ANY;
            first = false;
        }
    }
    r->curved = r->axis == BSPI_RASTER_ANY && r->own->map->faces[r->face].type == BSP_FACE_PATCH;
}

// --- off the surface ----------------------------------------------------------------------------

// Sets two axes at right angles to a normal, as the compiler does it.
static void make_axes(const float n[3], float axes[2][3]) {
    const float turned[3] = {n[2], -n[0], n[1]};
    float part = bspi_dot(turned, n);
    for (int i = 0; i < 3; i++) {
        axes[0][i] = turned[i] - part * n[i];
    }
    (void)bspi_normalize(axes[0]);
    bspi_cross(axes[0], n, axes[1]);
}

// Lifts a place off its surface, along an axis as the compiler does it for flat ones, and moves it
// out of solid. False if there is no place for it.
static bool lift(const bspi_raster *r, const bspi_spread *s, float point[3]) {
    static const float moves[9][2] = {{0, 0},  {-1, 0}, {1, 0}, {0, 1},  {0, -1},
                                      {-1, 1}, {1, -1}, {1, 1}, {-1, -1}};
    const float *n = s->normal;
    int axis = fabsf(n[1]) > fabsf(n[0]) ? 1 : 0;
    float steps[2][3];
    float part = NUDGE / (float)r->places->extra;
    float said = bspi_drawn_of(r->own, r->face)->lift;
    float off = said != 0 ? said : BSPI_RASTER_LIFT;
    axis = fabsf(n[2]) > fabsf(n[axis]) ? 2 : axis;
    steps_of(s, steps);
    axis = r->axis != BSPI_RASTER_ANY ? r->axis : axis;
    if (r->curved) { // as there
        axis = 0;
        part = NUDGE;
        make_axes(n, steps);
    }
    for (int i = 0; i < 3; i++) {
        point[i] += i == axis ? off * (n[i] < 0 ? -1.0f : 1.0f) : 0;
    }
    for (int m = 0; m < 9; m++) {
        float moved[3];
        for (int i = 0; i < 3; i++) {
            moved[i] = point[i] + part * (moves[m][0] * steps[0][i] + moves[m][1] * steps[1][i]);
        }
        if (isfinite(moved[0] + moved[1] + moved[2]) && !bspi_drawn_solid(r->own, moved)) {
            memcpy(point, moved, sizeof moved);
            return true;
        }
    }
    return false;
}

void bspi_raster_lift(bspi_raster *r) {
    bspi_places *places = r->places;
    uint32_t last = BSP_NONE;
    bspi_spread s;
    for (uint32_t n = 0; n < places->count; n++) {
        places->lit[n] = r->of[n] != BSP_NONE && bspi_place_counts(places, n);
        if (places->lit[n] && r->of[n] != last) {
            last = r->of[n];
            (void)bspi_raster_lay(&r->triangles.list[last], &s);
        }
        places->lit[n] = places->lit[n] && lift(r, &s, places->points[n]);
    }
}

float bspi_raster_step(const bspi_raster *r) {
    float steps[2][3];
    float most = 0;
    bspi_spread s;
    uint32_t t = 0;
    while (t < r->triangles.count && !bspi_raster_lay(&r->triangles.list[t], &s)) {
        t++;
    }
    if (t == r->triangles.count) {
        return 0;
    }
    steps_of(&s, steps);
    for (int i = 0; i < 3; i++) {
        most = fmaxf(most, fmaxf(fabsf(steps[0][i]), fabsf(steps[1][i])));
    }
    return isfinite(most) ? most : 0;
}
