// SPDX-License-Identifier: MIT
// Surfaces of Quake 3 that give light: whole polygons, of which a place gets by the share of its
// view that they fill, if it sees their middle. Formulas: sheet bake, 3.2; netradiant-custom,
// tools/quake3/q3map2 (light_bounce.cpp, light.cpp).
#include "bake/light/drawn/drawn.h"
#include "bake/light/faces/piece.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/polygons.h"
#include "bake/light/lamps/spread.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define FORM 0.75f      // of a surface's value, where it fills all that a place sees
#define SPLASH 7.0f     // of the share that is thrown back
#define LEAST_AREA 1.0f // square units
#define MOST_AREA 20000000.0f
#define MOST_CUTS 24u // of a triangle, one after another
#define OF_AREA 3.0f  // as a point it gives by its area, and so many times less of its value
#define FIRST 100.0f  // units, from where on it is looked for where a polygon is weak
#define STEP 10.0f    // between the places
#define STEPS 104857u
#define REACHES 64u // of work: to look for that at both of a piece's lamps

// --- what a place gets --------------------------------------------------------------------------

// Returns the share of what a place sees in a direction that a polygon fills, by the cosines;
// negative if it turns away.
static float factor_of(const bspi_lamp *lamp, const float point[3], const float normal[3]) {
    float total =
        bspi_piece_view(lamp->corners, lamp->num_corners, point, normal) / BSPI_VIEW_WHOLE;
    return fabsf(total) <= 1 ? total : 0;
}

float bspi_polygon_reach(const float (*corners)[3], uint32_t count, const float middle[3],
                         const float normal[3], float value, float least) {
    uint32_t low = 0;
    uint32_t high = STEPS;
    const float back[3] = {-normal[0], -normal[1], -normal[2]};
    while (low < high) {
        uint32_t at = (low + high) / 2;
        float away = FIRST + STEP * (float)at;
        float point[3];
        for (int i = 0; i < 3; i++) {
            point[i] = middle[i] + normal[i] * away;
        }
        float share = fabsf(bspi_piece_view(corners, count, point, back)) / BSPI_VIEW_WHOLE;
        if (share * value <= least) {
            high = at;
        } else {
            low = at + 1;
        }
    }
    return FIRST + STEP * (float)low;
}

// Returns what a place gets of a lamp that gives as a point, however both are turned, and sets the
// direction to it.
static float of_point(const bspi_lamp *lamp, const float point[3], float direction[3]) {
    for (int i = 0; i < 3; i++) {
        direction[i] = lamp->origin[i] - point[i];
    }
    float distance = bspi_normalize(direction);
    float counts = fmaxf(distance, BSPI_LAMP_CLOSEST);
    return distance < lamp->reach ? lamp->light * lamp->area / (OF_AREA * counts * counts) : 0;
}

// -faster: the same by the cosines at both.
static float faster_at(const bspi_lamp *lamp, const float point[3], const float normal[3],
                       bool two_sided) {
    float direction[3];
    float light = of_point(lamp, point, direction);
    float cosine = bspi_dot(normal, direction);
    cosine = two_sided ? fabsf(cosine) : cosine;
    cosine *= -bspi_dot(lamp->direction, direction);
    cosine = two_sided || lamp->two_sided ? fabsf(cosine) : fmaxf(cosine, 0);
    return light * cosine;
}

float bspi_polygon_in_space(const bspi_lamp *lamp, const float point[3], const float direction[3]) {
    float way[3];
    return lamp->area > 0 ? of_point(lamp, point, way)
                          : bspi_polygon_at(lamp, point, direction, false);
}

float bspi_polygon_at(const bspi_lamp *lamp, const float point[3], const float normal[3],
                      bool two_sided) {
    float before = -lamp->plane;
    float pushed[3];
    for (int i = 0; i < 3; i++) {
        before += point[i] * lamp->direction[i];
    }
    if ((before < -BSPI_POLYGON_BACK && !lamp->two_sided) ||
        (fabsf(before) < BSPI_POLYGON_BESIDE &&
         bspi_dot(normal, lamp->direction) > BSPI_POLYGON_SAME)) {
        return 0;
    }
    if (lamp->area > 0) {
        return faster_at(lamp, point, normal, two_sided);
    }
    for (int i = 0; i < 3; i++) {
        float push = fabsf(before) < BSPI_POLYGON_CLOSE ? BSPI_POLYGON_CLOSE - before : 0;
        pushed[i] = point[i] + lamp->direction[i] * push;
    }
    float factor = factor_of(lamp, pushed, normal);
    factor = two_sided || lamp->two_sided ? fabsf(factor) : fmaxf(factor, 0);
    return factor * lamp->light;
}

// --- polygons -----------------------------------------------------------------------------------

typedef struct maker {
    bspi_relight *own;
    const bspi_lamp *lamp;
    const bspi_polygon_rules *rules;
    float normal[3];
    bsp_error *error;
} maker;

// The light that walls around a lamp throw back, as a polygon before it that shines at it.
static bool add_splash(const maker *m, const bspi_piece *p, const bspi_lamp *front, float area) {
    const bspi_polygon_rules *rules = m->rules;
    bspi_lamp lamp = *front;
    float(*corners)[3] = bspi_arena_raw(&m->own->arena, p->count, sizeof *corners, m->error);
    for (uint32_t n = 0; corners != NULL && n < p->count; n++) {
        for (int i = 0; i < 3; i++) {
            corners[n][i] = p->points[p->count - 1 - n][i] + m->normal[i] * rules->splash_distance;
        }
    }
    for (int i = 0; i < 3; i++) {
        lamp.origin[i] += m->normal[i] * rules->splash_distance;
        lamp.direction[i] = -m->normal[i];
    }
    lamp.plane = bspi_dot(lamp.origin, lamp.direction);
    lamp.corners = (const float(*)[3])corners;
    lamp.light *= SPLASH * rules->splash;
    lamp.two_sided = false;
    lamp.reach = rules->as_points ? bspi_polygon_reach(lamp.corners, lamp.num_corners, lamp.origin,
                                                       lamp.direction, lamp.light, rules->least)
                                  : sqrtf(lamp.light * area / m->own->scale.gate);
    return corners != NULL &&
           (!bspi_drawn_move_free(m->own, lamp.origin) || bspi_lamp_add(m->own, &lamp, m->error));
}

// Adds a piece as a lamp; `low` and `high` are its box.
static bool add_piece(const maker *m, const bspi_piece *p, float area, const float low[3],
                      const float high[3]) {
    bspi_lamp lamp = *m->lamp;
    float(*corners)[3] = bspi_arena_raw(&m->own->arena, p->count, sizeof *corners, m->error);
    if (corners == NULL) {
        return false;
    }
    memcpy(corners, p->points, p->count * sizeof *corners);
    for (int i = 0; i < 3; i++) {
        lamp.origin[i] = (low[i] + high[i]) / 2 + m->normal[i];
        lamp.direction[i] = m->normal[i];
    }
    lamp.corners = (const float(*)[3])corners;
    lamp.num_corners = p->count;
    lamp.plane = bspi_dot(lamp.origin, lamp.direction);
    lamp.light = m->rules->value * FORM;
    lamp.reach = sqrtf(lamp.light * area / m->own->scale.gate);
    if (m->rules->as_points) {
        lamp.area = area;
        lamp.reach = bspi_polygon_reach(lamp.corners, lamp.num_corners, lamp.origin, m->normal,
                                        lamp.light, m->rules->least);
    }
    lamp.gate = m->rules->least * fmaxf(lamp.color[0], fmaxf(lamp.color[1], lamp.color[2]));
    bspi_lamp front = lamp;
    return (!bspi_drawn_move_free(m->own, front.origin) ||
            bspi_lamp_add(m->own, &front, m->error)) &&
           (!(m->rules->splash > 0) || add_splash(m, p, &lamp, area));
}

// Takes what of a piece is on one side of a place along an axis.
static void take_side(const bspi_piece *from, int axis, float at, bool low, bspi_piece *out) {
    out->count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const float *a = from->points[i];
        const float *b = from->points[(i + 1) % from->count];
        bool inside = low ? a[axis] <= at : a[axis] >= at;
        bool crosses = (a[axis] < at && b[axis] > at) || (a[axis] > at && b[axis] < at);
        if (inside && out->count < BSPI_PIECE_CORNERS) {
            memcpy(out->points[out->count++], a, sizeof out->points[0]);
        }
        if (crosses && out->count < BSPI_PIECE_CORNERS) {
            float part = (at - a[axis]) / (b[axis] - a[axis]);
            for (int c = 0; c < 3; c++) {
                out->points[out->count][c] = a[c] + part * (b[c] - a[c]);
            }
            out->points[out->count++][axis] = at;
        }
    }
}

// Halves a piece until none is longer along an axis than the rules have it. What is too small gives
// no light, nor would its halves.
static bool divide(const maker *m, const bspi_piece *p, uint32_t cuts) {
    float low[3];
    float high[3];
    float area = bspi_piece_area(p);
    if (!(area >= LEAST_AREA)) {
        return true;
    }
    if (!bspi_heap_work(&m->own->heap, m->rules->as_points ? REACHES : 1, m->error)) {
        return false;
    }
    bspi_polygon_box((const float(*)[3])p->points, p->count, low, high);
    for (int i = 0; i < 3; i++) {
        if (high[i] - low[i] > m->rules->chop && cuts != 0) {
            bspi_piece half;
            float at = (low[i] + high[i]) / 2;
            take_side(p, i, at, false, &half);
            if (!divide(m, &half, cuts - 1)) {
                return false;
            }
            take_side(p, i, at, true, &half);
            return divide(m, &half, cuts - 1);
        }
    }
    return area > MOST_AREA || add_piece(m, p, area, low, high);
}

bool bspi_polygons_add(bspi_relight *own, const bspi_triangle *triangle, const bspi_lamp *lamp,
                       const bspi_polygon_rules *rules, bsp_error *error) {
    maker m = {.own = own, .lamp = lamp, .rules = rules, .error = error};
    bspi_piece p = {.count = 3};
    float upright[3];
    memcpy(p.points, triangle->points, sizeof triangle->points);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            m.normal[i] += triangle->normals[c][i];
        }
    }
    if (!(bspi_normalize(m.normal) > 0) || !isfinite(bspi_piece_area(&p))) {
        return true;
    }
    bspi_triangle_cross(triangle->points[0], triangle->points[1], triangle->points[2], upright);
    if (bspi_dot(upright, m.normal) > 0) { // the corners go clockwise, seen from before it
        memcpy(p.points[1], triangle->points[2], sizeof p.points[1]);
        memcpy(p.points[2], triangle->points[1], sizeof p.points[2]);
    }
    return divide(&m, &p, MOST_CUTS);
}
