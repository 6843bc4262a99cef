// SPDX-License-Identifier: MIT
// Traces through the hulls of Quake and GoldSrc, with the result of SV_RecursiveHullCheck (world.c)
// but with an explicit stack. The engine asks for the contents on the far side of a plane before it
// goes there: both are one walk here, since both turn to the same side at each node.
#include "query/hull_trace.h"

#include "formats/quake_contents.h"

#include <string.h>

#define BACK_UP 0.1f // the part of the way to step back when the end is in solid
#define MOST_DEPTH 1024u

// A node that was entered and whose far side is still to be visited.
typedef struct frame {
    float start[4]; // of the piece. Its end is `at` of the frame below, or that of the trace
    float at[4];    // where the plane is crossed
    bspi_child node;
    uint32_t back; // 1: the start is on the back side of the plane
} frame;

typedef struct course {
    const bsp_map *map;
    const bspi_hull *hull;
    bspi_child root;
    bsp_trace_result *result;
    float start[4], end[4]; // of the present piece
    float last[4];          // the end of the trace
    uint32_t depth;         // of the stack
    uint32_t visits;
} course;

// Returns where a piece crosses the plane of a frame, as a fraction of the piece.
static inline float crossing(const bspi_hull *hull, const frame *f, const float end[4]) {
    return bspi_crossing(bspi_step_distance(hull, f->node, f->start),
                         bspi_step_distance(hull, f->node, end), f->back);
}

void bspi_hit_side(const bsp_map *map, const bspi_hull *hull, bspi_child side,
                   bsp_trace_result *result) {
    uint32_t back = side % 2;
    result->plane = hull->steps[bspi_node_of(side)].plane;
    if (result->plane < map->num_planes) {
        const bsp_plane *plane = &map->planes[result->plane];
        for (int i = 0; i < 3; i++) {
            float both[2] = {plane->normal[i], 0 - plane->normal[i]};
            result->normal[i] = both[back];
        }
        result->dist = (back != 0 ? -1.0f : 1.0f) * plane->dist;
    }
}

// Ends the trace at a node whose far side is solid, and steps back until it is out of the solid.
// `open`: the last leaf before it is known, and not solid. Then so is a point that the walk leads
// to the near side: that leaf is the one at the end of the piece there.
static void impact(const course *c, const frame *f, const float end[4], bool open) {
    bspi_child side = f->node | f->back;
    bsp_trace_result *r = c->result;
    float at[4];
    bspi_hit_side(c->map, c->hull, side, r);
    memcpy(at, f->at, sizeof at);
    if (bspi_is_in_solid(c->hull, c->root, open ? side : BSP_NONE, at)) {
        for (float part = crossing(c->hull, f, end) - BACK_UP; part >= 0; part -= BACK_UP) {
            bspi_way_place(at, f->start, end, part);
            if (!bspi_is_in_solid(c->hull, c->root, BSP_NONE, at)) {
                break;
            }
        }
    }
    r->fraction = at[3];
    memcpy(r->end, at, sizeof r->end);
}

// Walks down while the whole piece is on one side. Returns the node whose plane it crosses, and
// whether it begins on the back side; or a leaf.
static bspi_child go_down(course *c, bspi_child at, uint32_t *crossed_back) {
    const bspi_step *steps = c->hull->steps;
    while (at < BSPI_OPEN_LEAF && ++c->visits < BSPI_MOST_VISITS) {
        const bspi_step *step = &steps[bspi_node_of(at)];
        uint32_t axis = bspi_axis_of(at);
        bool back, end_back;
        if (axis < BSPI_SLOPING) {
            back = c->start[axis] < step->dist;
            end_back = c->end[axis] < step->dist;
        } else {
            const bspi_slope *slope = &c->hull->slopes[step->slope];
            back = bspi_slope_distance(slope, c->start) < 0;
            end_back = bspi_slope_distance(slope, c->end) < 0;
        }
        if (back != end_back) {
            *crossed_back = back;
            break;
        }
        at = back ? step->children[1] : step->children[0];
    }
    return at;
}

// Walks from a node to the leaf that the piece begins in; nodes whose far side is to be visited go
// on the stack. Returns the leaf, or a node if the tree is too deep.
static bspi_child descend(course *c, bspi_child at, frame *stack) {
    for (;;) {
        uint32_t back = 0;
        at = go_down(c, at, &back);
        if (at >= BSPI_OPEN_LEAF || c->visits >= BSPI_MOST_VISITS || c->depth == MOST_DEPTH) {
            return at;
        }
        frame *f = &stack[c->depth++];
        f->node = at;
        f->back = back;
        memcpy(f->start, c->start, sizeof f->start);
        bspi_way_place(f->at, c->start, c->end, crossing(c->hull, f, c->end));
        memcpy(c->end, f->at, sizeof c->end);
        at = c->hull->steps[bspi_node_of(at)].children[back];
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
    f.back = top->back;
    memcpy(c->start, f.at, sizeof c->start);
    memcpy(c->end, piece_end(c, stack), sizeof c->end);
    return f;
}

static void run(course *c) {
    frame stack[MOST_DEPTH];
    bsp_trace_result *r = c->result;
    bspi_child at = descend(c, c->root, stack);
    if (at >= BSPI_OPEN_LEAF) {
        r->start_solid = r->all_solid = at == BSPI_SOLID_LEAF;
    }
    while (c->depth > 0 && c->visits < BSPI_MOST_VISITS) {
        bool open = at >= BSPI_OPEN_LEAF && at != BSPI_SOLID_LEAF;
        frame f = pop(c, stack);
        const float *end = piece_end(c, stack);
        bspi_child far = c->hull->steps[bspi_node_of(f.node)].children[1 - f.back];
        if (r->all_solid && bspi_hull_leaf(c->hull, far, c->start) == BSPI_SOLID_LEAF) {
            return; // the trace never leaves the solid
        }
        at = descend(c, far, stack);
        if (bspi_hull_leaf(c->hull, at, c->start) == BSPI_SOLID_LEAF) {
            impact(c, &f, end, open);
            return;
        }
        r->all_solid = r->all_solid && at < BSPI_OPEN_LEAF;
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

bool bspi_enter_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bspi_hull_way *way) {
    const bsp_map *map = index->map;
    const bsp_traits *traits = map->traits;
    bool chosen = input->hull != 0;
    uint32_t number = chosen ? input->hull - 1 : choose_hull(traits, input->mins, input->maxs);
    const bspi_hull *hull = index->hulls[number == 0 ? 0 : 1];
    if (number >= BSP_MAX_HULLS || placed->model >= map->num_models || hull->num_steps == 0) {
        return false;
    }
    way->hull = hull;
    way->root = hull->roots[(size_t)placed->model * BSP_MAX_HULLS + number];
    for (int i = 0; i < 3; i++) {
        float corner = chosen || number >= traits->num_hulls
                           ? 0
                           : traits->hulls[number].mins[i] - input->mins[i];
        float offset = (number == 0 && traits->hull_choice == BSP_HULL_GOLDSRC ? 0 : corner) +
                       placed->origin[i];
        way->offset[i] = offset;
        way->start[i] = input->start[i] - offset + 0.0f; // -0 becomes 0
        way->end[i] = input->end[i] - offset + 0.0f;
    }
    if (placed->turned) {
        bspi_into_model(placed, way->start);
        bspi_into_model(placed, way->end);
        for (int i = 0; i < 3; i++) {
            way->start[i] += 0.0f;
            way->end[i] += 0.0f;
        }
    }
    way->start[3] = 0;
    way->end[3] = 1;
    return true;
}

void bspi_leave_hull(const bsp_trace_input *input, const bspi_placed *placed, const float offset[3],
                     bsp_trace_result *result) {
    for (int i = 0; i < 3 && result->fraction != 1; i++) {
        float part = input->end[i] - input->start[i];
        result->end[i] =
            placed->turned ? input->start[i] + result->fraction * part : result->end[i] + offset[i];
    }
    result->contents = result->fraction < 1 || result->start_solid ? BSPI_CONTENTS_SOLID : 0;
}

void bspi_trace_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bsp_trace_result *result) {
    bspi_hull_way way;
    if (!bspi_enter_hull(index, input, placed, &way)) {
        return;
    }
    course c;
    c.map = index->map;
    c.hull = way.hull;
    c.root = way.root;
    c.result = result;
    memcpy(c.start, way.start, sizeof c.start);
    memcpy(c.end, way.end, sizeof c.end);
    memcpy(c.last, way.end, sizeof c.last);
    c.depth = c.visits = 0;
    result->all_solid = true;
    run(&c);
    bspi_leave_hull(input, placed, way.offset, result);
}
