// SPDX-License-Identifier: MIT
// Convex shapes out of the hulls of a model. Every plane stands at the outermost point of its hull,
// so that a shape has all of the hull in it whatever its triangles are like; a hull that they do
// not close is bounded by the box around its points.
#include "scene/solid.h"

#include "core/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_NORMAL 1e-12 // 1 - cosine, of planes that are one
#define TIGHT 1e-3        // units between a triangle and the plane through it that holds its hull
#define FLAT 1e-9         // 1 - cosine, between planes whose edge needs no plane of its own
#define THIN 0.05         // part of its box that a hull fills at least, or the box bounds it too

// A side of a triangle, from the lower to the higher number of its points.
typedef struct side {
    uint32_t a, b;
    uint32_t plane; // of the triangle; BSP_NONE: it lies deeper than the hull's outermost point
} side;

typedef struct maker {
    bspi_arena *arena;
    bspi_meter *meter;
    const bsp_model_mesh *mesh;
    bspi_solid_convex *convexes;
    bspi_solid_plane *planes;
    bspi_solid_edge *edges;
    double (*points)[3];
    uint32_t *names; // for each point of the mesh: number in `points`
    side *sides;
    uint32_t num_convexes, num_planes, num_edges, num_points, num_sides;
    double volume; // six times that of the hull
} maker;

static bool is_sound(const bsp_model_mesh *mesh, const bsp_model_hull *hull) {
    if (hull->solid != 0 || hull->num_points < 4 || hull->num_indices < 12 ||
        hull->first_point > mesh->num_hull_points ||
        hull->num_points > mesh->num_hull_points - hull->first_point ||
        hull->first_index > mesh->num_hull_indices ||
        hull->num_indices > mesh->num_hull_indices - hull->first_index) {
        return false;
    }
    for (uint32_t i = 0; i < hull->num_points; i++) {
        const float *p = mesh->hull_points[hull->first_point + i];
        if (!(fabsf(p[0]) < 1e9F && fabsf(p[1]) < 1e9F && fabsf(p[2]) < 1e9F)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < hull->num_indices; i++) {
        uint32_t at = mesh->hull_indices[hull->first_index + i];
        if (at < hull->first_point || at - hull->first_point >= hull->num_points) {
            return false;
        }
    }
    return true;
}

// Takes the points of a hull, each place once.
static bool take_points(maker *m, const bsp_model_hull *hull, bspi_solid_convex *c) {
    c->first_point = m->num_points;
    for (int axis = 0; axis < 3; axis++) {
        c->box[0][axis] = INFINITY;
        c->box[1][axis] = -INFINITY;
    }
    for (uint32_t i = hull->first_point; i < hull->first_point + hull->num_points; i++) {
        const float *from = m->mesh->hull_points[i];
        double p[3] = {from[0], from[1], from[2]};
        uint32_t at = c->first_point;
        while (at < m->num_points && memcmp(m->points[at], p, sizeof p) != 0) {
            at++;
        }
        if (!bspi_meter_add(m->meter, at - c->first_point + 1)) {
            return false;
        }
        m->names[i] = at;
        if (at == m->num_points) {
            memcpy(m->points[m->num_points++], p, sizeof p);
        }
        for (int axis = 0; axis < 3; axis++) {
            c->box[0][axis] = fminf(c->box[0][axis], from[axis]);
            c->box[1][axis] = fmaxf(c->box[1][axis], from[axis]);
        }
    }
    c->num_points = m->num_points - c->first_point;
    return true;
}

// The distance of the plane with that normal that holds the convex.
static double support(const maker *m, const bspi_solid_convex *c, const double normal[3]) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < c->num_points; i++) {
        double d = bspi_vec_dot(normal, m->points[c->first_point + i]);
        most = d > most ? d : most;
    }
    return most;
}

// Finds or adds the plane with that normal.
static bool add_plane(maker *m, bspi_solid_convex *c, const double normal[3], uint32_t *number) {
    if (!bspi_meter_add(m->meter, (uint64_t)c->num_planes + c->num_points)) {
        return false;
    }
    for (uint32_t i = c->first_plane; i < m->num_planes; i++) {
        if (bspi_vec_dot(normal, m->planes[i].normal) > 1 - SAME_NORMAL) {
            *number = i;
            return true;
        }
    }
    *number = m->num_planes;
    bspi_solid_plane *plane = &m->planes[m->num_planes++];
    memcpy(plane->normal, normal, sizeof plane->normal);
    plane->dist = support(m, c, normal);
    c->num_planes++;
    return true;
}

static void add_side(maker *m, uint32_t a, uint32_t b, uint32_t plane) {
    m->sides[m->num_sides++] = (side){a < b ? a : b, a < b ? b : a, plane};
}

static bool take_triangle(maker *m, bspi_solid_convex *c, const uint32_t *at) {
    uint32_t a = m->names[at[0]], b = m->names[at[1]], p = m->names[at[2]];
    double ab[3], ap[3], normal[3];
    bspi_vec_subtract(m->points[b], m->points[a], ab);
    bspi_vec_subtract(m->points[p], m->points[a], ap);
    bspi_vec_cross(ab, ap, normal);
    double length = bspi_vec_length(normal);
    if (!(length > 0)) {
        return true; // a line or a point
    }
    m->volume += bspi_vec_dot(normal, m->points[a]);
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
    uint32_t plane;
    if (!add_plane(m, c, normal, &plane)) {
        return false;
    }
    bool tight = m->planes[plane].dist - bspi_vec_dot(normal, m->points[a]) < TIGHT;
    add_side(m, a, b, tight ? plane : BSP_NONE);
    add_side(m, b, p, tight ? plane : BSP_NONE);
    add_side(m, p, a, tight ? plane : BSP_NONE);
    return true;
}

static int by_points(const void *x, const void *y) {
    const side *a = x;
    const side *b = y;
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    if (a->b != b->b) {
        return a->b < b->b ? -1 : 1;
    }
    return a->plane < b->plane ? -1 : a->plane > b->plane;
}

static void add_edge(maker *m, bspi_solid_convex *c, const side *one, const side *other) {
    const double *n = m->planes[one->plane].normal;
    double along[3];
    double cosine = bspi_vec_dot(n, m->planes[other->plane].normal);
    if (cosine > 1 - FLAT) {
        return;
    }
    bspi_vec_subtract(m->points[one->b], m->points[one->a], along);
    double length = bspi_vec_length(along);
    bspi_solid_edge *edge = &m->edges[m->num_edges++];
    *edge =
        (bspi_solid_edge){.point = one->a, .planes = {one->plane, other->plane}, .cosine = cosine};
    for (int i = 0; i < 3; i++) {
        edge->along[i] = along[i] / length;
    }
    c->num_edges++;
}

// Pairs the sides of triangles. Returns whether they close the hull, all at its outside.
static bool pair_sides(maker *m, bspi_solid_convex *c) {
    bool closed = true;
    qsort(m->sides, m->num_sides, sizeof *m->sides, by_points);
    for (uint32_t i = 0; i < m->num_sides;) {
        const side *one = &m->sides[i];
        uint32_t count = 1;
        while (i + count < m->num_sides && one[count].a == one->a && one[count].b == one->b) {
            count++;
        }
        bool good =
            count == 2 && one->a != one->b && one[0].plane != BSP_NONE && one[1].plane != BSP_NONE;
        closed = closed && good;
        if (good) {
            add_edge(m, c, &one[0], &one[1]);
        }
        i += count;
    }
    return closed;
}

// A hull that is flat has no planes at its sides.
static bool is_thin(const maker *m, const bspi_solid_convex *c) {
    double box = 6;
    for (int axis = 0; axis < 3; axis++) {
        box *= (double)c->box[1][axis] - c->box[0][axis];
    }
    return !(m->volume > THIN * box);
}

static bool add_box_planes(maker *m, bspi_solid_convex *c) {
    for (int i = 0; i < 6; i++) {
        double normal[3] = {0, 0, 0};
        uint32_t number;
        normal[i / 2] = i % 2 == 0 ? 1 : -1;
        if (!add_plane(m, c, normal, &number)) {
            return false;
        }
    }
    return true;
}

static bool take_hull(maker *m, uint32_t number) {
    const bsp_model_hull *hull = &m->mesh->hulls[number];
    if (!bspi_meter_add(m->meter, 1 + (uint64_t)hull->num_points + hull->num_indices)) {
        return false;
    }
    if (!is_sound(m->mesh, hull)) {
        return true;
    }
    bspi_solid_convex *c = &m->convexes[m->num_convexes++];
    *c = (bspi_solid_convex){
        .hull = number, .first_plane = m->num_planes, .first_edge = m->num_edges};
    m->num_sides = 0;
    m->volume = 0;
    bool done = take_points(m, hull, c);
    for (uint32_t i = 0; done && i + 3 <= hull->num_indices; i += 3) {
        done = take_triangle(m, c, &m->mesh->hull_indices[hull->first_index + i]);
    }
    bool bounded = done && pair_sides(m, c) && !is_thin(m, c);
    return done && (bounded || add_box_planes(m, c));
}

// Room for all hulls that are sound: runs of hostile hulls may share points and indices.
static bool make_room(maker *m, bspi_heap *heap, size_t *most) {
    const bsp_model_mesh *mesh = m->mesh;
    size_t points = 0, triangles = 0;
    *most = 0;
    for (uint32_t i = 0; i < mesh->num_hulls; i++) {
        if (is_sound(mesh, &mesh->hulls[i])) {
            points += mesh->hulls[i].num_points;
            triangles += mesh->hulls[i].num_indices / 3;
            *most = mesh->hulls[i].num_indices > *most ? mesh->hulls[i].num_indices : *most;
        }
        uint64_t steps = (uint64_t)mesh->hulls[i].num_points + mesh->hulls[i].num_indices;
        if (!bspi_meter_add(m->meter, 1 + steps)) {
            return false;
        }
    }
    size_t planes = triangles + (size_t)mesh->num_hulls * 6;
    bsp_error *error = m->meter->error;
    m->convexes = bspi_arena_raw(m->arena, mesh->num_hulls, sizeof *m->convexes, error);
    m->points = bspi_arena_raw(m->arena, points, sizeof *m->points, error);
    m->planes = bspi_arena_raw(m->arena, planes, sizeof *m->planes, error);
    m->edges = bspi_arena_raw(m->arena, triangles * 3 / 2, sizeof *m->edges, error);
    m->names = bspi_heap_alloc(heap, (size_t)mesh->num_hull_points * sizeof *m->names, error);
    m->sides = bspi_heap_alloc(heap, *most * sizeof *m->sides, error);
    return m->convexes != NULL && m->points != NULL && m->planes != NULL && m->edges != NULL &&
           m->names != NULL && m->sides != NULL;
}

static bool build_tree(maker *m, bspi_solid_shape *shape, bspi_heap *heap) {
    size_t size = (size_t)m->num_convexes * sizeof(float[2][3]);
    float(*boxes)[2][3] = bspi_heap_alloc(heap, size, m->meter->error);
    if (boxes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < m->num_convexes; i++) {
        memcpy(boxes[i], m->convexes[i].box, sizeof boxes[i]);
    }
    bool done = bspi_box_tree_build(&shape->tree, (const float(*)[2][3])boxes, m->num_convexes,
                                    m->arena, m->meter);
    bspi_heap_free(heap, boxes, size);
    if (done && m->num_convexes != 0) {
        memcpy(shape->box, shape->tree.nodes[0].box, sizeof shape->box);
    }
    return done;
}

bool bspi_solid_shape_make(bspi_solid_shape *shape, const bsp_model_mesh *mesh, bspi_arena *arena,
                           bspi_meter *meter) {
    maker m = {.arena = arena, .meter = meter, .mesh = mesh};
    bspi_heap *heap = arena->heap;
    size_t most = 0;
    *shape = (bspi_solid_shape){0};
    bool done = make_room(&m, heap, &most);
    for (uint32_t i = 0; done && i < mesh->num_hulls; i++) {
        done = take_hull(&m, i);
    }
    *shape = (bspi_solid_shape){.convexes = m.convexes,
                                .num_convexes = m.num_convexes,
                                .planes = m.planes,
                                .edges = m.edges,
                                .points = (const double(*)[3])m.points};
    done = done && build_tree(&m, shape, heap);
    bspi_heap_free(heap, m.names, (size_t)mesh->num_hull_points * sizeof *m.names);
    bspi_heap_free(heap, m.sides, most * sizeof *m.sides);
    return done;
}
