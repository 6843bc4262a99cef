// SPDX-License-Identifier: MIT
// Traces against world and props. A box that moves meets a convex where its middle meets the sum of
// both shapes (Minkowski). The planes of that sum are those of the convex, those of the box, and
// one for each edge of the convex and axis of the box that lie on a common plane; all are moved
// outwards by what the other shape reaches, and the clip is that of the game's engine.
#include "scene/solid.h"

#include "core/vector.h"
#include "formats/quake_contents.h"
#include "query/collide.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A prepared trace, and the best hit so far.
typedef struct sweep {
    const bsp_solids *solids;
    bspi_box_ray ray; // of the box's middle; `reach` is that of the box, with the rules' pad
    double end[3];
    double half[3]; // of the box
    bool point, still;
    uint32_t mask;
    const bspi_solid_prop *at; // the prop that is tested

    float fraction; // of the nearest hit, first that of the world
    const bspi_solid_prop *prop;
    uint32_t hull;
    double normal[3]; // of its plane, in the world
    double dist;
    const bspi_solid_prop *stuck; // the start is in it; NULL: in none
    uint32_t stuck_hull;
    bool all_solid; // and the whole way is
    double left;    // where the way leaves those that the start is in
} sweep;

// The part of a segment inside of a convex, in its space.
typedef struct clip {
    double start[3], end[3];
    double epsilon, reject_at, least_enter; // the rules by which it is clipped, in that space
    double back;                            // a hit counts that far before the plane of the entry
    double enter, leave;
    bool start_out, end_out;
    double normal[3]; // of the plane of the entry, not moved
    double dist;
    double fall; // how much nearer to that plane the end is than the start
} clip;

// Clips by a plane; `reach` is how far it is moved. Returns false if the segment misses the convex.
static bool clip_plane(clip *c, const double normal[3], double dist, double reach) {
    double d1 = bspi_vec_dot(normal, c->start) - dist - reach;
    double d2 = bspi_vec_dot(normal, c->end) - dist - reach;
    c->start_out |= d1 > 0;
    c->end_out |= d2 > 0;
    if (d1 > 0) {
        if (d2 >= c->reject_at || d2 >= d1) {
            return false;
        }
        double f = (d1 - c->epsilon) / (d1 - d2);
        f = f > c->least_enter ? f : c->least_enter;
        if (f > c->enter) {
            c->enter = f;
            c->dist = dist;
            c->fall = d1 - d2;
            memcpy(c->normal, normal, sizeof c->normal);
        }
    } else if (d2 > 0) {
        double f = (d1 + c->epsilon) / (d1 - d2);
        c->leave = f < c->leave ? f : c->leave;
    }
    return true;
}

static void record_stuck(sweep *s, const clip *c, uint32_t hull) {
    bool lower = s->stuck == NULL || s->at->prop < s->stuck->prop ||
                 (s->at->prop == s->stuck->prop && hull < s->stuck_hull);
    if (lower) {
        s->stuck = s->at;
        s->stuck_hull = hull;
    }
    s->all_solid = s->all_solid || !c->end_out;
    double left = !c->end_out ? 1 : c->leave;
    s->left = left > s->left ? left : s->left;
}

// Records what a clip found. The segment did not miss the convex.
static void record(sweep *s, const clip *c, uint32_t hull) {
    if (!c->start_out) {
        record_stuck(s, c, hull);
        return;
    }
    bool touched = c->back > 0 && c->enter == c->leave; // a hull without thickness
    if (!((c->enter < c->leave || touched) && c->enter > -1)) {
        return;
    }
    double enter = c->enter - c->back / c->fall;
    float f = (float)(enter > 0 ? enter : 0);
    bool first = f == s->fraction && s->prop != NULL &&
                 (s->at->prop < s->prop->prop || (s->at == s->prop && hull < s->hull));
    if (f < s->fraction || first) {
        s->fraction = f;
        s->prop = s->at;
        s->hull = hull;
        memcpy(s->normal, c->normal, sizeof s->normal);
        s->dist = c->dist;
    }
}

// --- boxes --------------------------------------------------------------------------------------

// Clips by the planes of a box along the axes of the world.
static bool clip_axes(clip *c, const sweep *s, const double low[3], const double high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        double up[3] = {0, 0, 0}, down[3] = {0, 0, 0};
        up[axis] = 1;
        down[axis] = -1;
        if (!clip_plane(c, up, high[axis], s->half[axis]) ||
            !clip_plane(c, down, -low[axis], s->half[axis])) {
            return false;
        }
    }
    return true;
}

// In the space of the world, by the rules by which the engine clips brushes.
static clip begin_box(const sweep *s) {
    const bspi_rules *rules = s->solids->rules;
    clip c = {.epsilon = (double)rules->epsilon,
              .reject_at = (double)rules->reject_at,
              .least_enter = (double)rules->least_enter,
              .enter = -1,
              .leave = 1};
    memcpy(c.start, s->ray.start, sizeof c.start);
    memcpy(c.end, s->end, sizeof c.end);
    return c;
}

static void test_box(sweep *s) {
    double low[3], high[3];
    clip c = begin_box(s);
    for (int i = 0; i < 3; i++) {
        low[i] = s->at->box[0][i];
        high[i] = s->at->box[1][i];
    }
    if (clip_axes(&c, s, low, high)) {
        record(s, &c, BSP_NONE);
    }
}

// --- hulls --------------------------------------------------------------------------------------

// A prop's space, and the moving box in it: `axes` are the axes of the world.
typedef struct inside {
    bspi_box_ray ray;
    double end[3];
    double axes[3][3];
    double unit;
} inside;

static void enter_space(const sweep *s, inside *in) {
    const bspi_solid_prop *p = s->at;
    double end[3], start[3];
    bspi_vec_subtract(s->ray.start, p->origin, start);
    bspi_vec_subtract(s->end, p->origin, end);
    in->unit = 1 / p->scale;
    for (int i = 0; i < 3; i++) {
        in->ray.start[i] = bspi_vec_dot(p->into[i], start);
        in->end[i] = bspi_vec_dot(p->into[i], end);
        in->ray.step[i] = in->end[i] - in->ray.start[i];
        in->ray.inverse[i] = 1 / in->ray.step[i];
        in->ray.reach[i] = 0;
        for (int k = 0; k < 3; k++) {
            in->ray.reach[i] += fabs(p->into[i][k]) * s->ray.reach[k];
            in->axes[k][i] = p->into[i][k];
        }
    }
}

// How far the moving box reaches along a vector of the prop's space.
static double reach_of(const sweep *s, const inside *in, const double v[3]) {
    return fabs(bspi_vec_dot(v, in->axes[0])) * s->half[0] +
           fabs(bspi_vec_dot(v, in->axes[1])) * s->half[1] +
           fabs(bspi_vec_dot(v, in->axes[2])) * s->half[2];
}

// The extent of a convex along the axes of the world, of which the third coordinate is its own.
static void extent_of(const sweep *s, const bspi_solid_shape *shape,
                      const bspi_solid_convex *convex, double low[3], double high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (uint32_t i = 0; i < convex->num_points; i++) {
            double at = bspi_vec_dot(s->at->turn[axis], shape->points[convex->first_point + i]);
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
        low[axis] += s->at->origin[axis];
        high[axis] += s->at->origin[axis];
    }
}

// The plane through an edge and along an axis of the box, if it stands between the two planes of
// the edge.
static bool edge_plane(const bspi_solid_shape *shape, const bspi_solid_edge *edge,
                       const double axis[3], double normal[3]) {
    const double *one = shape->planes[edge->planes[0]].normal;
    const double *other = shape->planes[edge->planes[1]].normal;
    bspi_vec_cross(edge->along, axis, normal);
    double a = bspi_vec_dot(normal, one), b = bspi_vec_dot(normal, other);
    double from_one = a - edge->cosine * b, from_other = b - edge->cosine * a;
    bool ahead = from_one > 0 && from_other > 0;
    bool back = from_one < 0 && from_other < 0;
    if (!ahead && !back) {
        return false;
    }
    double length = bspi_vec_length(normal);
    for (int i = 0; i < 3; i++) {
        normal[i] /= back ? -length : length;
    }
    return length > 1e-9 * bspi_vec_length(axis); // else the edge is along the axis
}

static bool clip_edges(clip *c, const sweep *s, const inside *in, const bspi_solid_shape *shape,
                       const bspi_solid_convex *convex) {
    for (uint32_t e = 0; e < convex->num_edges; e++) {
        const bspi_solid_edge *edge = &shape->edges[convex->first_edge + e];
        for (int axis = 0; axis < 3; axis++) {
            double normal[3];
            if (edge_plane(shape, edge, in->axes[axis], normal) &&
                !clip_plane(c, normal, bspi_vec_dot(normal, shape->points[edge->point]),
                            reach_of(s, in, normal))) {
                return false;
            }
        }
    }
    return true;
}

static bool clip_faces(clip *c, const sweep *s, const inside *in, const bspi_solid_shape *shape,
                       const bspi_solid_convex *convex) {
    for (uint32_t i = 0; i < convex->num_planes; i++) {
        const bspi_solid_plane *plane = &shape->planes[convex->first_plane + i];
        double reach = s->point ? 0 : reach_of(s, in, plane->normal);
        if (!clip_plane(c, plane->normal, plane->dist, reach)) {
            return false;
        }
    }
    return true;
}

// Takes the plane of the entry from the prop's space into the world.
static void leave_space(const sweep *s, clip *c) {
    double normal[3], length;
    for (int k = 0; k < 3; k++) {
        normal[k] = c->normal[0] * s->at->into[0][k] + c->normal[1] * s->at->into[1][k] +
                    c->normal[2] * s->at->into[2][k];
    }
    length = bspi_vec_length(normal);
    for (int k = 0; k < 3; k++) {
        c->normal[k] = length > 0 ? normal[k] / length : 0;
    }
    c->dist = (length > 0 ? c->dist / length : 0) + bspi_vec_dot(c->normal, s->at->origin);
}

// A hull is hit where the segment is in it, and not where it only passes within the epsilon; it
// stops that far before.
static clip begin_hull(const sweep *s, const double start[3], const double end[3], double unit) {
    clip c = {.back = (double)s->solids->rules->epsilon * unit,
              .reject_at = DBL_MIN, // any distance in front
              .enter = -1,
              .leave = 1};
    memcpy(c.start, start, sizeof c.start);
    memcpy(c.end, end, sizeof c.end);
    return c;
}

// Clips by the other planes of the sum: those of the moving box, which stand along the axes of the
// world, and those of edges. The plane of the entry is then of the world.
static bool clip_around(clip *c, const sweep *s, const inside *in, const bspi_solid_shape *shape,
                        const bspi_solid_convex *convex) {
    double low[3], high[3], before = c->enter;
    clip world = begin_hull(s, s->ray.start, s->end, 1);
    world.enter = c->enter;
    world.leave = c->leave;
    extent_of(s, shape, convex, low, high);
    if (!clip_axes(&world, s, low, high) || world.enter > world.leave) {
        return false;
    }
    bool of_box = world.enter > before;
    c->enter = before = world.enter;
    c->leave = world.leave;
    c->start_out |= world.start_out;
    c->end_out |= world.end_out;
    if (!clip_edges(c, s, in, shape, convex)) {
        return false;
    }
    if (of_box && c->enter == before) {
        memcpy(c->normal, world.normal, sizeof c->normal);
        c->dist = world.dist;
        c->fall = world.fall;
        c->back = world.back;
    } else {
        leave_space(s, c);
    }
    return true;
}

static void test_hull(sweep *s, const inside *in, const bspi_solid_shape *shape, uint32_t number) {
    const bspi_solid_convex *convex = &shape->convexes[number];
    clip c = begin_hull(s, in->ray.start, in->end, in->unit);
    if (!clip_faces(&c, s, in, shape, convex) || c.enter > c.leave) {
        return;
    }
    if (s->point) {
        leave_space(s, &c);
    } else if (!clip_around(&c, s, in, shape, convex)) {
        return;
    }
    record(s, &c, convex->hull);
}

static void test_hulls(sweep *s) {
    const bspi_solid_shape *shape = &s->solids->shapes[s->at->shape];
    bspi_box_visit stack[BSPI_BOX_LEVELS];
    uint32_t depth = 0;
    inside in;
    enter_space(s, &in);
    stack[depth++] = (bspi_box_visit){0, 0};
    while (depth != 0) {
        bspi_box_visit visit = stack[--depth];
        const bspi_box_node *node = &shape->tree.nodes[visit.node];
        for (uint32_t i = 0; i < node->count; i++) {
            double from;
            uint32_t number = shape->tree.items[node->first + i];
            const float(*box)[3] = shape->convexes[number].box;
            if (bspi_box_touched(box, &in.ray, (double)s->fraction, &from)) {
                test_hull(s, &in, shape, number);
            }
        }
        if (node->count == 0 && visit.from <= (double)s->fraction + BSPI_BOX_SLACK) {
            bspi_box_enter(shape->tree.nodes, node->first, &in.ray, (double)s->fraction, stack,
                           &depth);
        }
    }
}

// --- props --------------------------------------------------------------------------------------

static bool is_met(const sweep *s, const bspi_solid_prop *p) {
    bool met = s->solids->contents_numbers || (p->contents & s->mask) != 0;
    return met && (p->needs & ~s->mask) == 0;
}

static void test_prop(sweep *s, const bspi_solid_prop *p) {
    double from;
    if (!is_met(s, p) || !bspi_box_touched(p->box, &s->ray, (double)s->fraction, &from)) {
        return;
    }
    s->at = p;
    if (p->shape == BSP_NONE) {
        test_box(s);
    } else {
        test_hulls(s);
    }
}

static void walk(sweep *s) {
    const bspi_box_tree *tree = &s->solids->tree;
    bspi_box_visit stack[BSPI_BOX_LEVELS];
    uint32_t depth = 0;
    if (tree->num_nodes != 0) {
        stack[depth++] = (bspi_box_visit){0, 0};
    }
    while (depth != 0) {
        bspi_box_visit visit = stack[--depth];
        const bspi_box_node *node = &tree->nodes[visit.node];
        for (uint32_t i = 0; i < node->count; i++) {
            test_prop(s, &s->solids->props[tree->items[node->first + i]]);
        }
        if (node->count == 0 && visit.from <= (double)s->fraction + BSPI_BOX_SLACK) {
            bspi_box_enter(tree->nodes, node->first, &s->ray, (double)s->fraction, stack, &depth);
        }
    }
}

// Prepares the trace. Returns false if a number is not finite.
static bool prepare(sweep *s, const bsp_trace_input *input) {
    double odd = 0; // each difference is 0 for a finite number, else NaN
    s->mask = input->mask == 0 ? BSPI_SOLID_MASK : input->mask;
    s->point = s->still = true;
    for (int i = 0; i < 3; i++) {
        double low = input->mins[i], high = input->maxs[i];
        double start = input->start[i], end = input->end[i];
        s->half[i] = fabs(high - low) * 0.5;
        s->ray.start[i] = start + (low + high) * 0.5;
        s->end[i] = end + (low + high) * 0.5;
        s->ray.step[i] = s->end[i] - s->ray.start[i];
        s->ray.inverse[i] = 1 / s->ray.step[i];
        s->ray.reach[i] = s->half[i] + (double)s->solids->rules->pad;
        s->point = s->point && s->half[i] == 0;
        s->still = s->still && start == end;
        odd += (start - start) + (end - end) + (low - low) + (high - high);
    }
    return odd == 0;
}

// The contents of a prop as a result gives them.
static int32_t contents_of(const bsp_solids *solids, const bspi_solid_prop *p) {
    return solids->contents_numbers ? BSPI_CONTENTS_SOLID : (int32_t)p->contents;
}

static void describe(const sweep *s, const bspi_solid_prop *p, uint32_t hull,
                     bsp_solids_result *out) {
    out->prop = p->prop;
    out->hull = hull;
    out->trace.entity = p->entity;
    out->trace.contents = contents_of(s->solids, p);
    out->trace.surface_flags = 0;
    out->trace.plane = out->trace.brush = out->trace.side = out->trace.face = BSP_NONE;
}

static void set_end(const bsp_trace_input *input, float fraction, bsp_trace_result *t) {
    t->fraction = fraction;
    for (int i = 0; i < 3; i++) {
        t->end[i] = input->start[i] + fraction * (input->end[i] - input->start[i]);
    }
}

static void finish(const sweep *s, const bsp_trace_input *input, bsp_solids_result *out) {
    bsp_trace_result *t = &out->trace;
    const bspi_rules *rules = s->solids->rules;
    bool ended = s->all_solid && !t->all_solid && (rules->solid_stops || s->still);
    if (s->prop != NULL && !ended) {
        describe(s, s->prop, s->hull, out);
        set_end(input, s->fraction, t);
        for (int i = 0; i < 3; i++) {
            t->normal[i] = (float)(s->normal[i] + 0.0); // no negative zeros
        }
        t->dist = (float)s->dist;
    }
    if (s->stuck == NULL) {
        return;
    }
    if (ended) {
        set_end(input, 0, t);
        memset(t->normal, 0, sizeof t->normal);
        t->dist = 0;
    }
    if (ended || (t->fraction == 1 && !t->start_solid)) {
        describe(s, s->stuck, s->stuck_hull, out);
    }
    t->start_solid = true;
    t->all_solid = t->all_solid || s->all_solid;
    if (rules->leaves_solid && s->left > (double)t->left_solid) {
        t->left_solid = (float)s->left;
    }
}

static void clear(const bsp_trace_input *input, bsp_trace_result *out) {
    *out = (bsp_trace_result){.fraction = 1,
                              .plane = BSP_NONE,
                              .brush = BSP_NONE,
                              .side = BSP_NONE,
                              .face = BSP_NONE,
                              .entity = BSP_NONE};
    memcpy(out->end, input->end, sizeof out->end);
}

void bsp_solids_trace(const bsp_solids *solids, const bsp_trace_input *input,
                      bsp_solids_result *result) {
    assert(solids != NULL && input != NULL && result != NULL);
    result->prop = result->hull = BSP_NONE;
    if (solids->index != NULL) {
        bsp_trace(solids->index, input, &result->trace);
    } else {
        clear(input, &result->trace);
    }
    bool props = input->model == 0 || input->model == BSP_TRACE_ALL;
    sweep s = {.solids = solids, .fraction = result->trace.fraction};
    if (props && !(solids->contents_numbers && input->sight) && prepare(&s, input)) {
        walk(&s);
        finish(&s, input, result);
    }
}
