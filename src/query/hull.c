// SPDX-License-Identifier: MIT
// Traces through the hulls of Quake and GoldSrc, with the result of SV_RecursiveHullCheck (world.c)
// but with an explicit stack. Distances to sloping planes are summed in double precision, as in
// QuakeSpasm and on the x87. The engine asks for the contents on the far side of a plane before it
// goes there: both are one walk here, since both turn to the same side at each node.
#include "query/hull.h"

#include "query/collide.h"

#include "formats/quake_contents.h"

#include <string.h>

#define HULL_EPSILON 0.03125f // DIST_EPSILON: on the near side of a plane
#define BACK_UP 0.1f          // the part of the way to step back when the end is in solid
#define MOST_DEPTH 1024u
#define MOST_PATH 256u     // levels whose nodes are remembered
#define MOST_VISITS 65536u // a bound for hostile trees, which share their branches

// A point of the way, and in [3] its fraction of the whole way.
typedef struct spot {
    float at[4];
    int32_t orders[4]; // see bspi_order
} spot;

static void set_spot(spot *restrict s, const float at[restrict 4]) {
    int32_t orders[4];
    for (int i = 0; i < 4; i++) {
        orders[i] = bspi_order(at[i]);
    }
    memcpy(s->at, at, sizeof s->at);
    memcpy(s->orders, orders, sizeof s->orders);
}

static float slope_distance(const bspi_slope *slope, const float p[3]) {
    double sum = (double)slope->normal[0] * (double)p[0] + (double)slope->normal[1] * (double)p[1] +
                 (double)slope->normal[2] * (double)p[2];
    return (float)(sum - (double)slope->dist);
}

static float distance(const bspi_hull *hull, const bspi_step *step, const float p[3]) {
    return step->axis < BSPI_SLOPING ? p[step->axis] - bspi_order_float(step->order)
                                     : slope_distance(&hull->slopes[step->order], p);
}

static bool is_back(const bspi_hull *hull, const bspi_step *step, const spot *s) {
    return step->axis < BSPI_SLOPING ? s->orders[step->axis] < step->order
                                     : slope_distance(&hull->slopes[step->order], s->at) < 0;
}

static int32_t child_at(const bspi_hull *hull, int32_t node, const spot *s) {
    const bspi_step *step = &hull->steps[node];
    return is_back(hull, step, s) ? step->children[1] : step->children[0];
}

static int32_t hull_contents(const bspi_hull *hull, int32_t node, const spot *s) {
    while (node >= 0) {
        node = child_at(hull, node, s);
    }
    return node;
}

// A node that was entered and whose far side is still to be visited.
typedef struct frame {
    float start[4]; // of the piece. Its end is `at` of the frame below, or that of the trace
    float at[4];    // where the plane is crossed
    int32_t node;
    uint32_t level; // of the node
    uint32_t back;  // 1: the start is on the back side of the plane
} frame;

typedef struct course {
    const bsp_map *map;
    const bspi_hull *hull;
    int32_t root;
    bsp_trace_result *result;
    spot start, end;         // of the present piece
    float last[4];           // the end of the trace
    int32_t path[MOST_PATH]; // the node at each level of the way to the present one
    uint32_t level;          // of the present node; may be more than there is room for
    uint32_t depth;          // of the stack
    uint32_t visits;
} course;

// Returns a point in the space of a model that is turned.
static spot turn(const bspi_placed *placed, const spot *s) {
    float v[4];
    spot turned;
    memcpy(v, s->at, sizeof v);
    bspi_into_model(placed, v);
    v[0] += 0.0f, v[1] += 0.0f, v[2] += 0.0f;
    set_spot(&turned, v);
    return turned;
}

// Sets a spot to a point moved by -offset. Each number goes through a register: a vector that is
// loaded from what was stored in parts would wait for it. Adding 0 makes 0 of -0, as bspi_order
// needs it; no crossing between such points is -0.
static inline void set_moved(spot *restrict s, const float point[restrict 3],
                             const float offset[restrict 3], float fraction) {
    float x = point[0] - offset[0] + 0.0f;
    float y = point[1] - offset[1] + 0.0f;
    float z = point[2] - offset[2] + 0.0f;
    s->at[0] = x, s->at[1] = y, s->at[2] = z, s->at[3] = fraction;
    s->orders[0] = bspi_order(x), s->orders[1] = bspi_order(y), s->orders[2] = bspi_order(z);
    s->orders[3] = bspi_order(fraction);
}

// Sets the piece to the whole way, moved by -offset.
static void begin(course *c, const bsp_trace_input *input, const bspi_placed *placed,
                  const float offset[3]) {
    set_moved(&c->start, input->start, offset, 0);
    set_moved(&c->end, input->end, offset, 1);
    if (placed->turned) {
        c->start = turn(placed, &c->start);
        c->end = turn(placed, &c->end);
    }
    c->level = c->depth = c->visits = 0;
}

static void place(spot *s, const float start[restrict 4], const float end[restrict 4], float part) {
    float at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = start[i] + part * (end[i] - start[i]);
    }
    set_spot(s, at);
}

// Returns the contents at a spot that is probably below the same nodes as the frame's: then no step
// waits for the one before.
static int32_t contents_near(const course *c, const frame *f, const spot *s) {
    int32_t node = c->root;
    uint32_t level = 0;
    while (level < f->level && level + 1 < MOST_PATH && node == c->path[level]) {
        node = child_at(c->hull, c->path[level++], s);
    }
    return hull_contents(c->hull, node, s);
}

// Returns where a piece crosses the plane of a node, as a fraction of the piece. `back`: its start
// is on the back side.
static inline float crossing(const bspi_hull *hull, int32_t node, bool back, const float start[4],
                             const float end[4]) {
    static const float epsilons[2] = {HULL_EPSILON, -HULL_EPSILON};
    const bspi_step *step = &hull->steps[node];
    float t1 = distance(hull, step, start);
    float t2 = distance(hull, step, end);
    float part = (t1 - epsilons[back]) / (t1 - t2);
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

// Returns true if a spot goes the same way as the frame's near side, whose last leaf it is the end
// of: then its contents are those of that leaf. No step waits for the one before.
static bool is_at_end(const course *c, const frame *f, const spot *s) {
    int32_t node = c->root;
    uint32_t level = 0;
    while (level < f->level && level + 1 < MOST_PATH && node == c->path[level]) {
        node = child_at(c->hull, c->path[level++], s);
    }
    return node == f->node && is_back(c->hull, &c->hull->steps[node], s) == (f->back != 0);
}

// Ends the trace at a node whose far side is solid, and steps back until it is out of the solid.
// `open`: the last leaf before it is known, and not solid.
static void impact(const course *c, const frame *f, const float end[4], bool open) {
    bool back = f->back != 0;
    bsp_trace_result *r = c->result;
    r->plane = c->hull->clips ? c->map->clipnodes[f->node].plane : c->map->nodes[f->node].plane;
    if (r->plane < c->map->num_planes) {
        const bsp_plane *plane = &c->map->planes[r->plane];
        for (int i = 0; i < 3; i++) {
            r->normal[i] = back ? 0 - plane->normal[i] : plane->normal[i];
        }
        r->dist = (back ? -1.0f : 1.0f) * plane->dist;
    }
    spot s;
    set_spot(&s, f->at);
    if (!(open && is_at_end(c, f, &s)) && contents_near(c, f, &s) == BSPI_CONTENTS_SOLID) {
        float part = crossing(c->hull, f->node, back, f->start, end) - BACK_UP;
        for (; part >= 0; part -= BACK_UP) {
            place(&s, f->start, end, part);
            if (contents_near(c, f, &s) != BSPI_CONTENTS_SOLID) {
                break;
            }
        }
    }
    r->fraction = s.at[3];
    memcpy(r->end, s.at, sizeof r->end);
}

// Walks down while the whole piece is on one side. Returns the node whose plane it crosses, and
// whether it begins on the back side; or the contents of a leaf.
static int32_t go_down(course *c, int32_t node, bool *crossed_back) {
    const bspi_step *steps = c->hull->steps;
    uint32_t level = c->level;
    while (node >= 0 && ++c->visits < MOST_VISITS) {
        const bspi_step *step = &steps[node];
        bool back, end_back;
        if (step->axis < BSPI_SLOPING) {
            back = c->start.orders[step->axis] < step->order;
            end_back = c->end.orders[step->axis] < step->order;
        } else {
            const bspi_slope *slope = &c->hull->slopes[step->order];
            back = slope_distance(slope, c->start.at) < 0;
            end_back = slope_distance(slope, c->end.at) < 0;
        }
        c->path[level % MOST_PATH] = node;
        if (back != end_back) {
            *crossed_back = back;
            break;
        }
        level++;
        node = back ? step->children[1] : step->children[0];
    }
    c->level = level;
    return node;
}

// Walks from a node to the leaf that the piece begins in; nodes whose far side is to be visited go
// on the stack. Returns the leaf's contents, or a node if the tree is too deep.
static int32_t descend(course *c, int32_t node, frame *stack) {
    for (;;) {
        bool back = false;
        node = go_down(c, node, &back);
        if (node < 0 || c->visits >= MOST_VISITS || c->depth == MOST_DEPTH) {
            return node;
        }
        frame *f = &stack[c->depth++];
        float part = crossing(c->hull, node, back, c->start.at, c->end.at);
        f->node = node;
        f->back = back;
        f->level = c->level++;
        memcpy(f->start, c->start.at, sizeof f->start);
        place(&c->end, c->start.at, c->end.at, part);
        memcpy(f->at, c->end.at, sizeof f->at);
        node = c->hull->steps[node].children[back];
    }
}

static const float *piece_end(const course *c, const frame *stack) {
    return c->depth > 0 ? stack[c->depth - 1].at : c->last;
}

// Takes the part of the way after the last frame's plane. Returns its frame.
static frame pop(course *c, const frame *stack) {
    const frame *top = &stack[--c->depth];
    frame f; // member by member, since a copy of all would wait for what was stored in parts
    memcpy(f.start, top->start, sizeof f.start);
    memcpy(f.at, top->at, sizeof f.at);
    f.node = top->node;
    f.level = top->level;
    f.back = top->back;
    set_spot(&c->start, f.at);
    set_spot(&c->end, piece_end(c, stack));
    c->level = f.level + 1;
    return f;
}

static void run(course *c) {
    frame stack[MOST_DEPTH];
    bsp_trace_result *r = c->result;
    int32_t node = descend(c, c->root, stack);
    if (node < 0) {
        r->start_solid = r->all_solid = node == BSPI_CONTENTS_SOLID;
    }
    while (c->depth > 0 && c->visits < MOST_VISITS) {
        bool open = node < 0 && node != BSPI_CONTENTS_SOLID;
        frame f = pop(c, stack);
        const float *end = piece_end(c, stack);
        int32_t far = c->hull->steps[f.node].children[1 - f.back];
        if (r->all_solid && hull_contents(c->hull, far, &c->start) == BSPI_CONTENTS_SOLID) {
            return; // the trace never leaves the solid
        }
        node = descend(c, far, stack);
        if (hull_contents(c->hull, node, &c->start) == BSPI_CONTENTS_SOLID) {
            impact(c, &f, end, open);
            return;
        }
        r->all_solid = r->all_solid && node >= 0;
    }
}

// --- choice of the hull --------------------------------------------------------------------------

// The hull for a box up to this size; the last row of a game is for all others.
typedef struct choice {
    float width;
    float height;
    uint32_t hull;
} choice;

#define ANY_SIZE 1e30f

// SV_HullForEntity of Quake: hull 0 under 3 units.
static const choice quake_choices[] = {
    {2.999999f, ANY_SIZE, 0}, {32, ANY_SIZE, 1}, {ANY_SIZE, ANY_SIZE, 2}};
// SV_HullForBsp of GoldSrc: hull 0 up to 8 units, the crouching hull up to a height of 36.
static const choice goldsrc_choices[] = {
    {8, ANY_SIZE, 0}, {36, 36, 3}, {36, ANY_SIZE, 1}, {ANY_SIZE, ANY_SIZE, 2}};
// Hexen II: small, crouching, standing, large.
static const choice hexen2_choices[] = {
    {2.999999f, ANY_SIZE, 0}, {8, 8, 4},         {32, 28, 3},
    {32, ANY_SIZE, 1},        {48, ANY_SIZE, 2}, {ANY_SIZE, ANY_SIZE, 5}};

static uint32_t choose_hull(const bsp_traits *traits, const float mins[3], const float maxs[3]) {
    static const choice *const choices[] = {
        [BSP_HULL_QUAKE] = quake_choices,
        [BSP_HULL_GOLDSRC] = goldsrc_choices,
        [BSP_HULL_HEXEN2] = hexen2_choices,
    };
    const choice *c = choices[traits->hull_choice];
    while (c->width < ANY_SIZE &&
           !(maxs[0] - mins[0] <= c->width && maxs[2] - mins[2] <= c->height)) {
        c++;
    }
    return c->hull;
}

void bspi_trace_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bsp_trace_result *result) {
    const bsp_map *map = index->map;
    const bsp_traits *traits = map->traits;
    bool chosen = input->hull != 0;
    uint32_t hull = chosen ? input->hull - 1 : choose_hull(traits, input->mins, input->maxs);
    float offset[3];
    const bspi_hull *tree = index->hulls[hull == 0 ? 0 : 1];
    if (hull >= BSP_MAX_HULLS || placed->model >= map->num_models || tree->num_steps == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        float corner =
            chosen || hull >= traits->num_hulls ? 0 : traits->hulls[hull].mins[i] - input->mins[i];
        offset[i] =
            (hull == 0 && traits->hull_choice == BSP_HULL_GOLDSRC ? 0 : corner) + placed->origin[i];
    }
    result->all_solid = true;
    int32_t root = map->models[placed->model].headnodes[hull];
    course c;
    c.map = map;
    c.hull = tree;
    c.root = hull == 0 ? bspi_hull_child(map, root) : root;
    c.result = result;
    begin(&c, input, placed, offset);
    memcpy(c.last, c.end.at, sizeof c.last);
    run(&c);
    if (result->fraction != 1) {
        for (int i = 0; i < 3; i++) {
            float way = input->end[i] - input->start[i];
            result->end[i] = placed->turned ? input->start[i] + result->fraction * way
                                            : result->end[i] + offset[i];
        }
    }
    result->contents = result->fraction < 1 || result->start_solid ? BSPI_CONTENTS_SOLID : 0;
}
