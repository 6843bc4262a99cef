// SPDX-License-Identifier: MIT
// The way out of solid, as in Source (fractionleftsolid): a trace that starts in a brush leaves it,
// and then those that it has entered by then, one after the other; nothing stops it on that way.
// The order of two brushes that touch decides whether the second stops the trace, so brushes are
// tested in the engine's order: down the tree along the way, the brushes of each leaf in turn. That
// ends once the trace is as far out as the walk (solid_test.h) says, for an order along the way. A
// trace that starts in a brush does not test displacements.
#include "query/exit_solid.h"

#include "query/clip.h"
#include "query/piece.h"
#include "query/visits.h"

#include <math.h>
#include <string.h>

#define MOST_DEPTH 512u
#define MOST_MARKED 65536u // brushes of a model, eight times Source's own limit

typedef struct course {
    const bsp_trace_index *index;
    const bspi_tracer *tracer;
    const bspi_body *body;
    const bspi_ray *ray;
    bspi_hit *hit;
    bool grouped;       // the brushes of leaves are asked by groups
    bspi_spread spread; // for these
    float left;
    float last;    // where the walk says that the trace is out
    float nearest; // and what it hits next
    uint32_t next;
    bool sure;     // the search finds that, too
    bool straight; // the walk may be right: nothing else has been hit
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
            c->straight = c->straight && hit->convex == BSP_NONE;
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
        c->straight = c->straight && n == c->next;
    }
}

// Returns true if the rest is known: the trace is out, has met nothing before its time, and what
// the walk found next stops it.
static bool is_settled(const course *c) {
    return c->straight && c->left == c->last && (c->sure || c->hit->convex == c->next);
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
        uint32_t found = bspi_cut_next(c->index, c->tracer, &c->spread, number, &next, cuts);
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
    if (number >= map->num_leaves || c->asked >= BSPI_MOST_ASKED) {
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

static void follow(course *c, bspi_piece p) {
    bspi_piece stack[MOST_DEPTH];
    const float *maxs = c->ray->maxs;
    const bspi_four sizes = {maxs[0], maxs[1], maxs[2], 0};
    const bspi_brush_node *nodes = c->index->owners.nodes;
    uint32_t mask = c->ray->mask;
    uint32_t visits = 0;
    uint32_t depth = 0;
    for (;;) {
        float limit = c->hit->fraction;
        if (limit > bspi_piece_first(&p)) {
            while (p.node >= 0 && depth < MOST_DEPTH && visits < BSPI_MOST_VISITS) {
                depth += bspi_split_piece(&nodes[p.node], sizes, mask, limit, &p, &stack[depth]);
                visits++;
            }
            if (p.node < 0 && p.node != BSPI_NO_NODE) {
                ask_leaf(c, (uint32_t)(-1 - p.node));
                if (is_settled(c)) {
                    c->hit->fraction = c->nearest;
                    c->hit->convex = c->next;
                    break;
                }
            }
        }
        if (depth == 0 || visits >= BSPI_MOST_VISITS || !(c->hit->fraction > 0)) {
            break;
        }
        p = stack[--depth];
        visits++;
    }
}

// Returns true if the walk has found where the trace is out and what it hits next, should the
// engine find the brushes on the way out in their order along it: the trace is deep in that next
// brush before it enters a third, and all leaves that it touches list it.
static bool is_known(const bsp_trace_index *index, const bspi_ray *ray, const bspi_hit *hit) {
    float contact;
    if (hit->left < 0 || hit->lost) {
        return false;
    }
    if (hit->convex == BSP_NONE) {
        return true;
    }
    const bspi_convex *convex = bspi_hit_convex(index, hit);
    return convex->kind == BSPI_BRUSH && bspi_is_surely_listed(convex, ray) &&
           bspi_enters_deep(index, convex, ray, &contact) && contact < hit->second &&
           contact < hit->fraction + ray->slack;
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
    if (c.grouped) {
        tracer->spread(index, c.body, ray, &c.spread);
    }
    c.ray = ray;
    c.hit = hit;
    c.left = 0;
    c.asked = 0;
    c.nearest = hit->fraction;
    c.next = hit->convex;
    c.last = hit->left;
    c.sure = is_known(index, ray, hit);
    c.straight = c.grouped && hit->left >= 0 && !hit->lost;
    forget_met(&c);
    bspi_piece whole = {.xy = {ray->start[0], ray->end[0], ray->start[1], ray->end[1]},
                        .zf = {ray->start[2], ray->end[2], 0, 1},
                        .node = model < map->num_models ? map->models[model].headnodes[0] : 0};
    hit->fraction = 1;
    hit->convex = BSP_NONE;
    follow(&c, whole);
    return c.left;
}

float bspi_exit_solid(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                      const bspi_ray *ray, bspi_hit *hit) {
    bool plain = !hit->ordered && (hit->convex == BSP_NONE || hit->fraction > hit->left) &&
                 is_known(index, ray, hit);
    float left = plain ? hit->left : search(index, tracer, model, ray, hit);
    hit->lane = BSP_NONE;
    if (hit->convex != BSP_NONE) {
        hit->lane =
            tracer->find_lane(index, bspi_convex_at(index, hit->convex), ray, hit->fraction);
    }
    return hit->solid != BSP_NONE ? 1 : left;
}
