// SPDX-License-Identifier: MIT
// Points, convex polygons and convex solids in double precision.
#ifndef COMPILE_GEOMETRY_H
#define COMPILE_GEOMETRY_H

#include "memory.h"

/// A point nearer than this to a plane is on it. Units; the drawing is on whole ones.
#define ON_EPSILON 0.01
/// What is smaller is no face or no solid: square units, cubic units.
#define MIN_AREA 0.05
#define MIN_VOLUME 0.5

// --- points -------------------------------------------------------------------------------------

typedef struct vec3 {
    double v[3];
} vec3;

vec3 vec(double x, double y, double z);
/// The first three of some numbers.
vec3 axis_of(const double numbers[3]);
vec3 add(vec3 a, vec3 b);
vec3 sub(vec3 a, vec3 b);
vec3 scaled(vec3 a, double k);
double dot(vec3 a, vec3 b);
vec3 cross(vec3 a, vec3 b);
double length(vec3 a);
vec3 unit(vec3 a);
vec3 mix(vec3 a, vec3 b, double t);

typedef struct box3 {
    vec3 mins;
    vec3 maxs;
} box3;

box3 box_empty(void);
void box_add(box3 *box, vec3 point);

// --- planes -------------------------------------------------------------------------------------

/// The points p with normal . p = dist.
typedef struct plane3 {
    vec3 normal;
    double dist;
} plane3;

double plane_side(const plane3 *plane, vec3 point);

// --- polygons -----------------------------------------------------------------------------------

/// A convex polygon, clockwise as seen from in front of its plane. Never changed once made.
typedef struct winding {
    uint32_t count;
    vec3 p[];
} winding;

winding *winding_new(const vec3 *points, uint32_t count);
/// A square of the plane, larger than any map.
winding *winding_of_plane(const plane3 *plane);
/// The parts in front of and behind a plane; NULL where there is none. A polygon on the plane goes
/// to neither. `front` and `back` may be NULL.
void winding_split(const winding *w, const plane3 *plane, const winding **front,
                   const winding **back);
double winding_area(const winding *w);
vec3 winding_centre(const winding *w);
/// One convex polygon of two that share an edge, or NULL. `normal` is that of both.
const winding *winding_merge(const winding *a, const winding *b, vec3 normal);
/// The part that two polygons on the same plane have in common, or NULL.
const winding *winding_overlap(const winding *a, const winding *b, vec3 normal);
/// The same polygon, seen from the other side.
winding *winding_flip(const winding *w);
/// The plane through edge `i` of a polygon on a plane of this normal, facing out of the polygon.
plane3 winding_edge(const winding *w, uint32_t i, vec3 normal);

// --- solids -------------------------------------------------------------------------------------

typedef struct hull_face {
    uint32_t plane; ///< number of the plane, which faces out of the solid
    const winding *w;
} hull_face;

/// A convex solid. Never changed once made.
typedef struct hull {
    uint32_t count;
    hull_face faces[];
} hull;

/// All planes so far; number n ^ 1 is the reverse of n, the even one faces along a positive axis.
typedef struct plane_set {
    plane3 *list;
    uint32_t count;
} plane_set;

uint32_t plane_find(plane_set *set, vec3 normal, double dist);
/// The solid behind all of the planes, or NULL if there is none.
const hull *hull_of_planes(const plane_set *set, const uint32_t *planes, uint32_t count);
/// The parts in front of and behind a plane; NULL where there is nothing of any size.
void hull_split(const plane_set *set, const hull *h, uint32_t plane, const hull **front,
                const hull **back);
bool hull_crosses(const hull *h, const plane3 *plane);
double hull_volume(const hull *h);
vec3 hull_centre(const hull *h);
box3 hull_box(const hull *h);
/// True if two solids share some space.
bool hull_meets(const plane_set *set, const hull *a, const hull *b);

#endif
