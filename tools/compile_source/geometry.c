// SPDX-License-Identifier: MIT
// Points and convex polygons.
#include "geometry.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MAX_POINTS 64u
#define WORLD_SIZE 32768.0

// --- points -------------------------------------------------------------------------------------

vec3 vec(double x, double y, double z) {
    return (vec3){{x, y, z}};
}

vec3 axis_of(const double numbers[3]) {
    return vec(numbers[0], numbers[1], numbers[2]);
}

vec3 add(vec3 a, vec3 b) {
    return vec(a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]);
}

vec3 sub(vec3 a, vec3 b) {
    return vec(a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]);
}

vec3 scaled(vec3 a, double k) {
    return vec(a.v[0] * k, a.v[1] * k, a.v[2] * k);
}

double dot(vec3 a, vec3 b) {
    return bspi_vec_dot(a.v, b.v);
}

vec3 cross(vec3 a, vec3 b) {
    vec3 out;
    bspi_vec_cross(a.v, b.v, out.v);
    return out;
}

double length(vec3 a) {
    return bspi_vec_length(a.v);
}

vec3 unit(vec3 a) {
    double size = length(a);
    return size == 0 ? a : scaled(a, 1 / size);
}

vec3 mix(vec3 a, vec3 b, double t) {
    return add(a, scaled(sub(b, a), t));
}

box3 box_empty(void) {
    return (box3){vec(WORLD_SIZE, WORLD_SIZE, WORLD_SIZE),
                  vec(-WORLD_SIZE, -WORLD_SIZE, -WORLD_SIZE)};
}

void box_add(box3 *box, vec3 point) {
    for (int i = 0; i < 3; i++) {
        box->mins.v[i] = point.v[i] < box->mins.v[i] ? point.v[i] : box->mins.v[i];
        box->maxs.v[i] = point.v[i] > box->maxs.v[i] ? point.v[i] : box->maxs.v[i];
    }
}

double plane_side(const plane3 *plane, vec3 point) {
    return dot(plane->normal, point) - plane->dist;
}

// --- polygons -----------------------------------------------------------------------------------

winding *winding_new(const vec3 *points, uint32_t count) {
    winding *w = zeroed(sizeof *w + count * sizeof *points);
    w->count = count;
    memcpy(w->p, points, count * sizeof *points);
    return w;
}

winding *winding_of_plane(const plane3 *plane) {
    vec3 n = plane->normal;
    vec3 up = fabs(n.v[2]) > 0.7 ? vec(1, 0, 0) : vec(0, 0, 1);
    up = unit(sub(up, scaled(n, dot(up, n))));
    vec3 right = scaled(cross(up, n), WORLD_SIZE);
    vec3 middle = scaled(n, plane->dist);
    up = scaled(up, WORLD_SIZE);
    vec3 points[4] = {add(sub(middle, right), up), add(add(middle, right), up),
                      sub(add(middle, right), up), sub(sub(middle, right), up)};
    return winding_new(points, 4);
}

// A drawing on whole units stays on them: intersections lose the last digits.
static vec3 tidy(vec3 p) {
    for (int i = 0; i < 3; i++) {
        double whole = floor(p.v[i] + 0.5);
        p.v[i] = fabs(p.v[i] - whole) < 1e-6 ? whole : p.v[i];
    }
    return p;
}

// Where the edge from a to b meets the plane; the same point whichever end comes first.
static vec3 meet(vec3 a, double at_a, vec3 b, double at_b) {
    return tidy(at_a > 0 ? mix(a, b, at_a / (at_a - at_b)) : mix(b, a, at_b / (at_b - at_a)));
}

// The part of a polygon where sign * side > 0.
static const winding *part(const winding *w, const double *sides, double sign) {
    vec3 points[MAX_POINTS];
    uint32_t count = 0;
    bool any = false;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t next = (i + 1) % w->count;
        double here = sides[i] * sign;
        double there = sides[next] * sign;
        if (count + 2 > MAX_POINTS) {
            fail("a polygon of more than %u points", MAX_POINTS);
        }
        if (here > -ON_EPSILON) {
            points[count++] = w->p[i];
            any = any || here > ON_EPSILON;
        }
        if ((here > ON_EPSILON && there < -ON_EPSILON) ||
            (here < -ON_EPSILON && there > ON_EPSILON)) {
            points[count++] = meet(w->p[i], here, w->p[next], there);
        }
    }
    if (!any || count < 3) {
        return NULL;
    }
    const winding *out = winding_new(points, count);
    return winding_area(out) < MIN_AREA ? NULL : out;
}

void winding_split(const winding *w, const plane3 *plane, const winding **front,
                   const winding **back) {
    double sides[MAX_POINTS];
    bool before = false;
    bool behind = false;
    for (uint32_t i = 0; i < w->count; i++) {
        sides[i] = plane_side(plane, w->p[i]);
        before = before || sides[i] > ON_EPSILON;
        behind = behind || sides[i] < -ON_EPSILON;
    }
    if (front != NULL) {
        *front = !before ? NULL : !behind ? w : part(w, sides, 1);
    }
    if (back != NULL) {
        *back = !behind ? NULL : !before ? w : part(w, sides, -1);
    }
}

double winding_area(const winding *w) {
    vec3 sum = vec(0, 0, 0);
    for (uint32_t i = 2; i < w->count; i++) {
        sum = add(sum, cross(sub(w->p[i - 1], w->p[0]), sub(w->p[i], w->p[0])));
    }
    return length(sum) / 2;
}

vec3 winding_centre(const winding *w) {
    vec3 sum = vec(0, 0, 0);
    for (uint32_t i = 0; i < w->count; i++) {
        sum = add(sum, w->p[i]);
    }
    return scaled(sum, 1.0 / w->count);
}

winding *winding_flip(const winding *w) {
    winding *out = winding_new(w->p, w->count);
    for (uint32_t i = 0; i < w->count; i++) {
        out->p[i] = w->p[w->count - 1 - i];
    }
    return out;
}

plane3 winding_edge(const winding *w, uint32_t i, vec3 normal) {
    vec3 along = sub(w->p[(i + 1) % w->count], w->p[i]);
    plane3 out = {unit(cross(normal, along)), 0};
    out.dist = dot(out.normal, w->p[i]);
    return out;
}

const winding *winding_overlap(const winding *a, const winding *b, vec3 normal) {
    for (uint32_t i = 0; a != NULL && i < b->count; i++) {
        plane3 edge = winding_edge(b, i, normal);
        const winding *inside;
        winding_split(a, &edge, NULL, &inside);
        a = inside;
    }
    return a;
}

// --- merging ------------------------------------------------------------------------------------

static bool same_point(vec3 a, vec3 b) {
    return length(sub(a, b)) < ON_EPSILON;
}

// Drops points on straight lines. False if a corner turns the wrong way.
static bool clean_corners(const vec3 *points, uint32_t count, vec3 normal, vec3 *out,
                          uint32_t *kept) {
    *kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        vec3 in = sub(points[i], points[(i + count - 1) % count]);
        vec3 on = sub(points[(i + 1) % count], points[i]);
        double turn = dot(cross(unit(on), unit(in)), normal);
        if (turn < -1e-6) {
            return false;
        }
        if (turn > 1e-6) {
            out[(*kept)++] = points[i];
        }
    }
    return *kept >= 3;
}

// `a` without its edge ea, with the points of `b` behind its edge eb instead.
static const winding *join(const winding *a, uint32_t ea, const winding *b, uint32_t eb,
                           vec3 normal) {
    vec3 points[2 * MAX_POINTS];
    vec3 clean[2 * MAX_POINTS];
    uint32_t count = 0;
    uint32_t kept;
    for (uint32_t i = 0; i < a->count; i++) {
        points[count++] = a->p[(ea + 1 + i) % a->count];
    }
    for (uint32_t i = 2; i < b->count; i++) {
        points[count++] = b->p[(eb + i) % b->count];
    }
    if (!clean_corners(points, count, normal, clean, &kept) || kept > MAX_POINTS) {
        return NULL;
    }
    return winding_new(clean, kept);
}

const winding *winding_merge(const winding *a, const winding *b, vec3 normal) {
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (same_point(a->p[i], b->p[(j + 1) % b->count]) &&
                same_point(a->p[(i + 1) % a->count], b->p[j])) {
                return join(a, i, b, j, normal);
            }
        }
    }
    return NULL;
}
