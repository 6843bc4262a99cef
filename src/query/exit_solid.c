// SPDX-License-Identifier: MIT
// The way out of solid, as in Source (fractionleftsolid): a trace that starts in a brush leaves it,
// and then those that it has entered by then, one after the other; nothing stops it on that way.
// The order of two brushes that touch decides whether the second stops the trace, so brushes are
// tested in the engine's order: down the tree along the way, the brushes of each leaf in turn. A
// trace that starts in a brush does not test displacements.
#include "query/exit_solid.h"

#include "query/clip.h"

#include <math.h>
#include <string.h>

#define CLIP_EPSILON 0.03125f // DIST_EPSILON: pieces of the way overlap by this
#define MOST_DEPTH 512u
#define MOST_VISITS 65536u // a bound for hostile trees, which share their branches
#define MOST_ASKED 262144u // a bound for hostile leaves, which share their brushes
#define MOST_MARKED 65536u // brushes of a model, eight times Source's own limit

// A piece of the way, with the node at which it continues.
typedef struct piece {
    float start[4], end[4]; // the last of each is 0, for four lanes
    float first, last;      // fractions of the whole way
    int32_t node;
} piece;

typedef struct course {
    const bsp_trace_index *index;
    const bspi_tracer *tracer;
    const bspi_body *body;
    const bspi_ray *ray;
    bspi_hit *hit;
    bool grouped; // the brushes of leaves are asked by groups
    float left;
    uint32_t asked;
    uint64_t met[MOST_MARKED / 64]; ///< a bit for each brush of the body that was tested
} course;

// Forgets which brushes were tested. The brushes of a body come before its other convexes.
static void forget_met(course *c) {
    uint32_t brushes = c->body->num_convexes;
    brushes = brushes < c->index->map->num_brushes ? brushes : c->index->map->num_brushes;
    brushes = brushes < MOST_MARKED ? brushes : MOST_MARKED;
    memset(c->met, 0, (brushes + 63) / 64 * sizeof *c->met);
}

// Records a brush. Returns true the first time: then the engine tests it, and never again, however
// far the trace is out by then.
static bool is_new(course *c, uint32_t n) {
    uint32_t at = n - c->body->first_convex;
    if (at >= MOST_MARKED) {
        return true;
    }
    uint64_t bit = (uint64_t)1 << at % 64;
    bool met = (c->met[at / 64] & bit) != 0;
    c->met[at / 64] |= bit;
    return !met;
}

// Moves the exit to the end of this brush if the trace starts in it, or entered it before the exit.
static void leave_brush(course *c, uint32_t n, const bspi_clipped *clipped) {
    bspi_hit *hit = c->hit;
    if (!clipped->end_out) {
        hit->solid = n < hit->solid ? n : hit->solid;
        hit->fraction = 0;
    } else if (clipped->leave != 1 && clipped->leave > c->left) {
        c->left = clipped->leave;
        if (hit->fraction <= c->left) {
            hit->fraction = 1;
            hit->convex = BSP_NONE;
        }
    }
}

// Does what the engine does with a brush that it finds for the first time.
static void apply_brush(course *c, uint32_t n, const bspi_clipped *clipped) {
    if (!clipped->start_out || clipped->enter < c->left) {
        leave_brush(c, n, clipped);
    } else if (clipped->enter < clipped->leave && clipped->enter < c->hit->fraction) {
        c->hit->fraction = clipped->enter;
        c->hit->convex = n;
    }
}

static void ask_brush(course *c, uint32_t brush) {
    uint32_t n = bspi_find_convex(c->index, c->body, brush);
    const bspi_convex *convex = n == BSP_NONE ? NULL : bspi_convex_at(c->index, n);
    bspi_clipped clipped;
    if (convex != NULL && is_new(c, n) && bspi_is_masked(c->index, convex, c->ray) &&
        c->tracer->clip(c->index, convex, c->ray->point ? convex->point_blocks : convex->num_blocks,
                        c->ray, &clipped)) {
        apply_brush(c, n, &clipped);
    }
}

// Asks the brushes of a leaf whose boxes the way meets. No other would change anything: only what
// the way enters and leaves, or begins or ends in, does.
static void ask_groups(course *c, uint32_t number) {
    bspi_cut cuts[BSPI_MOST_GROUPS * BSPI_LANES];
    uint32_t next = c->index->owners.runs[number];
    uint32_t end = c->index->owners.runs[number + 1];
    while (next < end && c->hit->fraction > 0) {
        uint32_t found = bspi_cut_next(c->index, c->tracer, c->body, number, c->ray, &next, cuts);
        for (uint32_t i = 0; i < found && c->hit->fraction > 0; i++) {
            uint32_t n = cuts[i].convex->number;
            if (n - c->body->first_convex < c->body->num_convexes && is_new(c, n)) {
                apply_brush(c, n, &cuts[i].clipped);
            }
        }
    }
}

static void ask_leaf(course *c, uint32_t number) {
    const bsp_map *map = c->index->map;
    if (number >= map->num_leaves || c->asked >= MOST_ASKED) {
        return;
    }
    const bsp_leaf *leaf = &map->leaves[number];
    c->asked += leaf->num_brushes;
    if (c->grouped) {
        ask_groups(c, number);
        return;
    }
    for (uint32_t i = 0; i < leaf->num_brushes && c->hit->fraction > 0; i++) {
        ask_brush(c, map->leaf_brushes[leaf->first_brush + i]);
    }
}

static float within(float part) {
    part = part > 0 ? part : 0;
    return part < 1 ? part : 1;
}

// Cuts a piece at a part of its length: sets one end, a point and its fraction of the whole way.
static inline void cut(const piece *p, float part, float point[4], float *fraction) {
    float at[4];
    *fraction = p->first + (p->last - p->first) * part;
    for (int i = 0; i < 4; i++) {
        at[i] = p->start[i] + (p->end[i] - p->start[i]) * part;
    }
    memcpy(point, at, sizeof at);
}

// Copies member by member, since a copy of all would wait for what was stored in parts.
static inline void copy_piece(piece *restrict to, const piece *restrict from) {
    memcpy(to->start, from->start, sizeof to->start);
    memcpy(to->end, from->end, sizeof to->end);
    to->first = from->first;
    to->last = from->last;
    to->node = from->node;
}

// Moves a piece to the child on whose side all of it is, or splits it into itself, the near part,
// and *far; if only one part matters, the piece becomes that one. Returns the number of parts that
// matter.
static inline uint32_t split(const course *c, piece *p, piece *far) {
    const bspi_brush_node *node = &c->index->owners.nodes[p->node];
    uint32_t mask = c->ray->mask;
    float d1 = bspi_dot(node->plane, p->start) - node->plane[3];
    float d2 = bspi_dot(node->plane, p->end) - node->plane[3];
    float reach = 0; // extent of the box across the plane
    for (int i = 0; i < 3; i++) {
        reach += fabsf(c->ray->maxs[i] * node->plane[i]);
    }
    // One branch, since each of several would be mispredicted.
    unsigned side = (d1 < -reach) & (d2 < -reach); // 1: the back
    if ((((d1 > reach) & (d2 > reach)) | side) != 0) {
        p->node = node->children[side];
        return (node->contents[side] & mask) != 0;
    }
    unsigned near = d1 < d2; // 1: the back
    bool has_near = (node->contents[near] & mask) != 0;
    bool has_far = (node->contents[1 - near] & mask) != 0;
    float shift = near != 0 ? -reach - CLIP_EPSILON : reach + CLIP_EPSILON;
    float after = d1 == d2 ? 0 : within((d1 - shift) / (d1 - d2));
    float before = d1 == d2 ? 1 : within((d1 + shift) / (d1 - d2));
    if (!has_near) {
        p->node = node->children[1 - near];
        cut(p, after, p->start, &p->first);
        return has_far;
    }
    if (has_far) {
        memcpy(far->end, p->end, sizeof far->end);
        far->last = p->last;
        far->node = node->children[1 - near];
        cut(p, after, far->start, &far->first);
    }
    p->node = node->children[near];
    cut(p, before, p->end, &p->last);
    return 1 + has_far;
}

static void follow(course *c, const piece *whole) {
    piece stack[MOST_DEPTH];
    piece p;
    uint32_t depth = 0;
    bool wanted = true; // there are brushes to test below the node
    copy_piece(&p, whole);
    for (uint32_t visits = 0; visits < MOST_VISITS; visits++) {
        bool reached = wanted && c->hit->fraction > p.first;
        if (reached && p.node >= 0 && depth < MOST_DEPTH) {
            uint32_t parts = split(c, &p, &stack[depth]);
            wanted = parts != 0;
            depth += parts > 1;
            continue;
        }
        if (reached && p.node < 0) {
            ask_leaf(c, (uint32_t)(-1 - p.node));
        }
        if (depth == 0 || !(c->hit->fraction > 0)) {
            break;
        }
        copy_piece(&p, &stack[--depth]);
        wanted = true;
    }
}

// Returns true if the order of brushes decides nothing: the trace is deep in all brushes that
// contain the start, leaves them before it enters another, and is deep in that before it enters a
// third; and all leaves that these brushes touch list them. By then the search has reached such a
// leaf, and nothing ends the search before.
static bool is_plain(const bsp_trace_index *index, const bspi_ray *ray, const bspi_hit *hit) {
    float contact;
    if (hit->left < 0 || hit->unlisted) {
        return false;
    }
    if (hit->convex == BSP_NONE) {
        return true;
    }
    const bspi_convex *convex = bspi_hit_convex(index, hit);
    return convex->kind == BSPI_BRUSH && bspi_is_surely_listed(convex, ray) &&
           hit->fraction > hit->left && bspi_enters_deep(index, convex, ray, &contact) &&
           contact < hit->second && contact < hit->fraction + ray->slack;
}

// Searches in the order of the engine. Returns the fraction of the way at which the trace is out.
static float search(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                    const bspi_ray *ray, bspi_hit *hit) {
    const bsp_map *map = index->map;
    course c;
    c.index = index;
    c.tracer = tracer;
    c.body = &index->bodies[model];
    c.grouped = bspi_is_grouped(index, tracer, c.body);
    c.ray = ray;
    c.hit = hit;
    c.left = 0;
    c.asked = 0;
    forget_met(&c);
    piece whole = {.node = model < map->num_models ? map->models[model].headnodes[0] : 0,
                   .last = 1};
    memcpy(whole.start, ray->start, sizeof ray->start);
    memcpy(whole.end, ray->end, sizeof ray->end);
    hit->fraction = 1;
    hit->convex = BSP_NONE;
    follow(&c, &whole);
    return c.left;
}

float bspi_exit_solid(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                      const bspi_ray *ray, bspi_hit *hit) {
    float left = is_plain(index, ray, hit) ? hit->left : search(index, tracer, model, ray, hit);
    hit->lane = BSP_NONE;
    if (hit->convex != BSP_NONE) {
        hit->lane =
            tracer->find_lane(index, bspi_convex_at(index, hit->convex), ray, hit->fraction);
    }
    return hit->solid != BSP_NONE ? 1 : left;
}
