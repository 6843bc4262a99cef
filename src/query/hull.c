// SPDX-License-Identifier: MIT
// Traces through the hulls of Quake and GoldSrc, with the result of SV_RecursiveHullCheck (world.c)
// but with an explicit stack. Distances to sloping planes are summed in double precision, as in
// QuakeSpasm and on the x87.
#include "query/collide.h"

#include <string.h>

#define HULL_EPSILON 0.03125f // DIST_EPSILON: on the near side of a plane
#define SOLID (-2)            // CONTENTS_SOLID
#define EMPTY (-1)
#define BACK_UP 0.1f // the part of the way to step back when the end is in solid
#define MOST_DEPTH 1024u
#define MOST_VISITS 65536u // a bound for hostile trees, which share their branches

static float distance(const bspi_step *step, const float p[3]) {
    if (step->type >= 0 && step->type < 3) {
        return p[step->type] - step->dist;
    }
    double sum = (double)step->normal[0] * (double)p[0] + (double)step->normal[1] * (double)p[1] +
                 (double)step->normal[2] * (double)p[2];
    return (float)(sum - (double)step->dist);
}

static int32_t hull_contents(const bspi_step *steps, int32_t node, const float p[3]) {
    while (node >= 0) {
        node = steps[node].children[distance(&steps[node], p) < 0];
    }
    return node;
}

// A node that was entered and whose far side is still to be visited.
typedef struct frame {
    int32_t node;
    bool back; // the start is on the back side of the plane
    float first, last;
    float part, middle; // where the plane is crossed: as a fraction of this piece, and of the whole
    float start[3], end[3], at[3];
} frame;

typedef struct course {
    const bspi_step *steps;
    int32_t root;
    bsp_trace_result *result;
} course;

static void place(frame *f) {
    f->middle = f->first + (f->last - f->first) * f->part;
    for (int i = 0; i < 3; i++) {
        f->at[i] = f->start[i] + f->part * (f->end[i] - f->start[i]);
    }
}

// Ends the trace at a node whose far side is solid, and steps back until it is out of the solid.
static void impact(const course *c, frame *f) {
    bsp_trace_result *r = c->result;
    const bspi_step *step = &c->steps[f->node];
    float sign = f->back ? -1.0f : 1.0f;
    for (int i = 0; i < 3; i++) {
        r->normal[i] = f->back ? 0 - step->normal[i] : step->normal[i];
    }
    r->dist = sign * step->dist;
    r->plane = step->plane;
    while (hull_contents(c->steps, c->root, f->at) == SOLID) {
        f->part -= BACK_UP;
        if (!(f->part >= 0)) { // also for NaN
            break;
        }
        place(f);
    }
    r->fraction = f->middle;
    memcpy(r->end, f->at, sizeof r->end);
}

// Splits a piece at a node's plane. Returns false if all of it is on one side, and sets *node to
// that side.
static bool split(const course *c, int32_t *node, frame *f) {
    const bspi_step *step = &c->steps[*node];
    float t1 = distance(step, f->start);
    float t2 = distance(step, f->end);
    if (t1 >= 0 && t2 >= 0) {
        *node = step->children[0];
        return false;
    }
    if (t1 < 0 && t2 < 0) {
        *node = step->children[1];
        return false;
    }
    f->part = (t1 < 0 ? t1 + HULL_EPSILON : t1 - HULL_EPSILON) / (t1 - t2);
    f->part = f->part < 0 ? 0 : f->part > 1 ? 1 : f->part;
    f->node = *node;
    f->back = t1 < 0;
    place(f);
    return true;
}

static void enter_leaf(bsp_trace_result *r, int32_t contents) {
    if (contents == SOLID) {
        r->start_solid = true;
    } else {
        r->all_solid = false;
    }
}

// Walks from `node` with the piece in `f` to a leaf; nodes whose far side is to be visited go on
// the stack.
static uint32_t descend(const course *c, int32_t node, frame f, frame *stack, uint32_t depth,
                        uint32_t *visits) {
    while (node >= 0 && ++*visits < MOST_VISITS) {
        if (!split(c, &node, &f)) {
            continue;
        }
        if (depth == MOST_DEPTH) {
            break;
        }
        stack[depth++] = f;
        node = c->steps[f.node].children[f.back];
        f.last = f.middle;
        memcpy(f.end, f.at, sizeof f.end);
    }
    if (node < 0) {
        enter_leaf(c->result, node);
    }
    return depth;
}

static void run(const course *c, const float start[3], const float end[3]) {
    frame stack[MOST_DEPTH];
    uint32_t visits = 0;
    frame whole = {.first = 0, .last = 1};
    memcpy(whole.start, start, sizeof whole.start);
    memcpy(whole.end, end, sizeof whole.end);
    uint32_t depth = descend(c, c->root, whole, stack, 0, &visits);
    while (depth > 0 && visits < MOST_VISITS) {
        frame f = stack[--depth];
        int32_t far = c->steps[f.node].children[!f.back];
        if (hull_contents(c->steps, far, f.at) == SOLID) {
            if (!c->result->all_solid) {
                impact(c, &f);
            }
            return; // the trace never leaves the solid
        }
        f.first = f.middle;
        memcpy(f.start, f.at, sizeof f.start);
        depth = descend(c, far, f, stack, depth, &visits);
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

// Returns a child of the drawing tree as a hull has it: a leaf becomes its contents.
static int32_t as_hull(const bsp_map *map, int32_t child) {
    if (child >= 0) {
        return child;
    }
    uint32_t leaf = (uint32_t)(-1 - child);
    int32_t contents = leaf < map->num_leaves ? map->leaves[leaf].contents : SOLID;
    return contents < 0 ? contents : EMPTY;
}

void bspi_trace_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bsp_trace_result *result) {
    const bsp_map *map = index->map;
    const bsp_traits *traits = map->traits;
    bool chosen = input->hull != 0;
    uint32_t hull = chosen ? input->hull - 1 : choose_hull(traits, input->mins, input->maxs);
    float offset[3], start[3], end[3];
    if (hull >= BSP_MAX_HULLS || placed->model >= map->num_models ||
        index->num_steps[hull == 0 ? 0 : 1] == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        float corner =
            chosen || hull >= traits->num_hulls ? 0 : traits->hulls[hull].mins[i] - input->mins[i];
        offset[i] =
            (hull == 0 && traits->hull_choice == BSP_HULL_GOLDSRC ? 0 : corner) + placed->origin[i];
        start[i] = input->start[i] - offset[i];
        end[i] = input->end[i] - offset[i];
    }
    bspi_into_model(placed, start);
    bspi_into_model(placed, end);
    result->all_solid = true;
    int32_t root = map->models[placed->model].headnodes[hull];
    root = hull == 0 ? as_hull(map, root) : root;
    course c = {index->hulls[hull == 0 ? 0 : 1], root, result};
    run(&c, start, end);
    if (result->fraction != 1) {
        for (int i = 0; i < 3; i++) {
            float way = input->end[i] - input->start[i];
            result->end[i] = placed->turned ? input->start[i] + result->fraction * way
                                            : result->end[i] + offset[i];
        }
    }
    result->contents = result->fraction < 1 || result->start_solid ? SOLID : 0;
}

// --- building -----------------------------------------------------------------------------------

static bspi_step *new_steps(bsp_trace_index *index, uint32_t count, bsp_error *error) {
    return bspi_arena_zero(&index->arena, count, sizeof(bspi_step), error);
}

static void set_step(bspi_step *step, const bsp_map *map, uint32_t number, int32_t front,
                     int32_t back) {
    step->plane = number;
    step->children[0] = front;
    step->children[1] = back;
    if (number < map->num_planes) {
        const bsp_plane *plane = &map->planes[number];
        memcpy(step->normal, plane->normal, sizeof step->normal);
        step->dist = plane->dist;
        step->type = plane->type;
    }
}

bool bspi_build_hulls(bsp_trace_index *index, bsp_error *error) {
    const bsp_map *map = index->map;
    bool hulls = map->traits->contents_numbers;
    bspi_step *nodes = new_steps(index, hulls ? map->num_nodes : 0, error);
    bspi_step *clips = new_steps(index, hulls ? map->num_clipnodes : 0, error);
    if (nodes == NULL || clips == NULL) {
        return false;
    }
    for (uint32_t i = 0; hulls && i < map->num_nodes; i++) {
        const bsp_node *node = &map->nodes[i];
        set_step(&nodes[i], map, node->plane, as_hull(map, node->children[0]),
                 as_hull(map, node->children[1]));
    }
    for (uint32_t i = 0; hulls && i < map->num_clipnodes; i++) {
        const bsp_clipnode *clip = &map->clipnodes[i];
        set_step(&clips[i], map, clip->plane, clip->children[0], clip->children[1]);
    }
    index->hulls[0] = nodes;
    index->hulls[1] = clips;
    index->num_steps[0] = hulls ? map->num_nodes : 0;
    index->num_steps[1] = hulls ? map->num_clipnodes : 0;
    return true;
}
