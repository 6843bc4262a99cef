// SPDX-License-Identifier: MIT
// Quake 3: how luxels lie in the world, and where light is measured off their surface. Facts:
// netradiant-custom, tools/quake3/q3map2 (light_ydnar.cpp, MapSingleLuxel; lightmaps_ydnar.cpp).
#include "bake/light/places/drawn_raster.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define NUDGE 0.5f   // places: steps out of solid
#define PLANAR 0.99f // cosine
#define ASIDE 0.01f  // share of a step that it may go along another axis

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

// Returns the square of the distance from an edge of the triangle.
static float beside(const float a[2], const float b[2], const float at[2]) {
    const float way[2] = {b[0] - a[0], b[1] - a[1]};
    float square = way[0] * way[0] + way[1] * way[1];
    float along = (at[0] - a[0]) * way[0] + (at[1] - a[1]) * way[1];
    float part = square > 0 ? fminf(1, fmaxf(0, along / square)) : 0;
    float x = at[0] - a[0] - way[0] * part;
    float y = at[1] - a[1] - way[1] * part;
    return x * x + y * y;
}

float bspi_raster_weigh(const bspi_spread *s, const float at[2], float weights[3]) {
    const float edge = 1e-3f;
    const float(*light)[2] = s->from->light;
    float x = at[0] - light[0][0];
    float y = at[1] - light[0][1];
    weights[1] = (x * s->edges[1][1] - y * s->edges[1][0]) / s->area;
    weights[2] = (y * s->edges[0][0] - x * s->edges[0][1]) / s->area;
    weights[0] = 1 - weights[1] - weights[2];
    if (weights[0] >= -edge && weights[1] >= -edge && weights[2] >= -edge) {
        return 0;
    }
    float nearest = fminf(beside(light[0], light[1], at), beside(light[1], light[2], at));
    return sqrtf(fminf(nearest, beside(light[2], light[0], at)));
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

// Has the map a normal for the surface, which is that of its triangles?
static bool is_planar(const bspi_raster *r) {
    const float *normal = r->own->map->face_lights[r->face].vecs[2];
    float sum[3] = {0, 0, 0};
    for (uint32_t n = 0; n < r->triangles.count; n++) {
        const bspi_triangle *t = &r->triangles.list[n];
        float cross[3];
        bspi_triangle_cross(t->points[0], t->points[1], t->points[2], cross);
        for (int i = 0; i < 3; i++) {
            sum[i] += cross[i];
        }
    }
    float square = bspi_dot(normal, normal) * bspi_dot(sum, sum);
    return square > 0 && fabsf(bspi_dot(normal, sum)) > PLANAR * sqrtf(square);
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
    r->planar = is_planar(r);
    r->curved = r->axis == BSPI_RASTER_ANY && r->own->map->faces[r->face].type == BSP_FACE_PATCH;
}

// Returns where in a luxel its first place is; the others follow evenly. On planes those of three
// and more along an axis are not around the middle, as there (FinishRawLightmap).
static float first_of(const bspi_raster *r) {
    float extra = (float)r->places->extra;
    return r->curved ? 0.5f / extra : 1 / (extra * extra);
}

float bspi_raster_past(const bspi_raster *r) {
    return r->places->extra > 1 ? first_of(r) - 0.5f / (float)r->places->extra : 0;
}

void bspi_raster_put(const bspi_raster *r, const bspi_spread *s, uint32_t place) {
    uint32_t extra = r->places->extra;
    uint32_t across = r->places->width * extra;
    float past = bspi_raster_past(r);
    const float at[2] = {
        (float)r->first[0] + ((float)(place % across) + 0.5f) / (float)extra + past,
        (float)r->first[1] + ((float)(place / across) + 0.5f) / (float)extra + past};
    float *point = r->places->points[place];
    float weights[3];
    (void)bspi_raster_weigh(s, at, weights);
    for (int i = 0; i < 3; i++) {
        point[i] = 0;
        for (int c = 0; c < 3; c++) {
            point[i] += s->from->points[c][i] * weights[c];
        }
    }
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
    float said = bspi_drawn_of(r->own, s->from->face)->lift;
    float off = said != 0 ? said : BSPI_RASTER_LIFT;
    axis = fabsf(n[2]) > fabsf(n[axis]) ? 2 : axis;
    steps_of(s, steps);
    axis = r->axis != BSPI_RASTER_ANY ? r->axis : axis;
    if (r->curved || !r->planar) { // as there
        axis = r->curved ? 0 : axis;
        part = NUDGE;
        make_axes(n, steps);
    }
    for (int i = 0; i < 3; i++) {
        point[i] += i == axis ? off * (n[i] < 0 ? -1.0f : 1.0f) : 0;
    }
    for (int m = 0; m < (r->own->drawn->told.dark ? 1 : 9); m++) {
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
        float along = fmaxf(fabsf(steps[0][i]), fabsf(steps[1][i]));
        most = i != r->axis ? fmaxf(most, along) : most;
    }
    return isfinite(most) ? most : 0;
}
