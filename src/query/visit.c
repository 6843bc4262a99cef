// SPDX-License-Identifier: MIT
// The engine's own trace of Quake 2 and 3 (CM_RecursiveHullCheck, CM_TraceThroughTree and what they
// call), with the same precision and order of operations: down the tree along the way, the side of
// the start first, and in each leaf the brushes and then the patches in the order of its lists. It
// is slower than the walk of the index, which uses it where its own result is not certain.
#include "query/settle.h"

#include "query/clip.h"
#include "query/visits.h"

#include <math.h>
#include <string.h>

#define MOST_DEPTH 512u
#define MET_ROOM 64u // solids tested recently, which are not tested again

// A piece of the way, with the node at which it continues.
typedef struct piece {
    int32_t node;
    float first, last; // fractions of the whole way
    float start[3], end[3];
} piece;

typedef struct visit {
    const bsp_trace_index *index;
    const bspi_tracer *tracer;
    const bspi_body *body;
    const bspi_ray *ray;
    bspi_hit *hit;
    const bspi_near *near; // NULL: everything is tested
    uint32_t num_near;
    float fraction; // so far
    float extents[3];
    bool grouped;       // the brushes of leaves are asked by groups
    bspi_spread spread; // for these
    bool settled;       // no candidate can change the result any more
    uint32_t asked;
    uint32_t met[MET_ROOM];
} visit;

static void get_hit(visit *v, uint32_t n, uint32_t lane, float fraction) {
    v->fraction = fraction > 0 ? fraction : 0;
    v->hit->convex = n;
    v->hit->fraction = v->fraction;
    v->hit->lane = lane;
}

// Returns true if a solid was tested recently: another test would change nothing.
static bool is_met(visit *v, uint32_t n) {
    bool met = v->met[n % MET_ROOM] == n;
    v->met[n % MET_ROOM] = n;
    return met;
}

// --- contents of a leaf --------------------------------------------------------------------------

// Does what the engine does when it meets a brush for the first time.
static void meet_brush(visit *v, uint32_t n, const bspi_clipped *c) {
    if (!c->start_out) {
        v->hit->stuck = v->hit->stuck == BSP_NONE ? n : v->hit->stuck;
        if (!c->end_out) {
            v->hit->solid = v->hit->solid == BSP_NONE ? n : v->hit->solid;
            v->fraction = v->index->rules->solid_stops ? 0 : v->fraction;
        }
    } else if (c->enter < c->leave && c->enter > -1 && c->enter < v->fraction) {
        get_hit(v, n, BSP_NONE, c->enter);
    }
}

static void ask_brush(visit *v, uint32_t n) {
    const bspi_convex *convex = bspi_convex_at(v->index, n);
    bspi_clipped c;
    if ((convex->contents & v->ray->mask) != 0 && !is_met(v, n) &&
        v->tracer->clip(v->index, convex, v->ray->point ? convex->point_blocks : convex->num_blocks,
                        v->ray, &c)) {
        meet_brush(v, n, &c);
    }
}

// Asks the brushes of a leaf whose boxes the way meets: no other would change anything.
static void ask_groups(visit *v, uint32_t number) {
    bspi_cut cuts[BSPI_MOST_GROUPS * BSPI_LANES];
    const uint32_t *run = &v->index->owners.runs[number];
    for (uint32_t next = run[0]; next < run[1] && v->fraction > 0 && v->asked < BSPI_MOST_ASKED;) {
        uint32_t first = next;
        uint32_t found = bspi_cut_next(v->index, v->tracer, &v->spread, number, &next, cuts);
        for (uint32_t i = 0; i < found && v->fraction > 0; i++) {
            uint32_t n = cuts[i].convex->number;
            if (n - v->body->first_convex < v->body->num_convexes && !is_met(v, n)) {
                meet_brush(v, n, &cuts[i].clipped);
            }
        }
        v->asked += (next - first) * BSPI_LANES;
    }
}

// Facets are tested only where the whole trace is near the patch's bounds.
static bool is_near_patch(const visit *v, const bspi_patch_run *patch) {
    const bspi_ray *ray = v->ray;
    double epsilon = (double)v->index->rules->epsilon;
    for (int i = 0; i < 3; i++) {
        bool up = ray->start[i] < ray->end[i];
        float low = (up ? ray->start[i] : ray->end[i]) + ray->mins[i];
        float high = (up ? ray->end[i] : ray->start[i]) + ray->maxs[i];
        if ((double)high < (double)patch->bounds[0][i] - epsilon ||
            (double)low > (double)patch->bounds[1][i] + epsilon) {
            return false;
        }
    }
    return true;
}

static void ask_facet(visit *v, uint32_t n) {
    const bspi_convex *convex = bspi_convex_at(v->index, n);
    bspi_touch touch;
    bspi_clipped c;
    if (v->ray->point) {
        if (bspi_clip_point(v->index, convex, v->index->rules->epsilon, v->ray, &touch) &&
            !(touch.contact > v->fraction)) {
            get_hit(v, n, BSP_NONE, touch.fraction);
        }
    } else if (bspi_clip_convex(v->index, convex, convex->num_blocks, v->ray, &c) &&
               c.enter < c.leave && c.enter >= 0 && c.order != convex->num_planes - 1 &&
               c.enter < v->fraction) {
        get_hit(v, n, BSP_NONE, c.enter);
    }
}

static void ask_patch(visit *v, const bspi_patch_run *patch) {
    if (patch == NULL || !is_near_patch(v, patch) ||
        (bspi_convex_at(v->index, patch->first_convex)->contents & v->ray->mask) == 0) {
        return;
    }
    for (uint32_t i = 0; i < patch->num_convexes; i++) {
        ask_facet(v, patch->first_convex + i);
    }
}

// Returns true if the engine's test of a candidate would end the trace now.
static bool ends_at(const visit *v, const bspi_near *near) {
    bool point = near->at->kind == BSPI_PATCH && v->ray->point;
    return point ? !(near->contact > v->fraction) : near->fraction < v->fraction;
}

// Tests the candidates that belong to an owner, for which the results are known.
static void recall(visit *v, uint8_t kind, uint32_t owner) {
    const bspi_patch_run *patch =
        kind == BSPI_PATCH ? bspi_find_patch(v->index, v->body, owner) : NULL;
    if (kind == BSPI_PATCH && (patch == NULL || !is_near_patch(v, patch))) {
        return;
    }
    for (uint32_t i = 0; i < v->num_near; i++) {
        const bspi_near *near = &v->near[i];
        const bspi_convex *convex = near->at;
        if (convex->kind == kind && convex->owner == owner && ends_at(v, near)) {
            get_hit(v, near->convex, near->lane, near->fraction);
        }
    }
    v->settled = v->hit->convex != BSP_NONE;
    for (uint32_t i = 0; i < v->num_near && v->settled; i++) {
        v->settled = v->near[i].convex == v->hit->convex || !ends_at(v, &v->near[i]);
    }
}

static bool is_among_near(const visit *v, uint8_t kind, uint32_t owner) {
    for (uint32_t i = 0; i < v->num_near; i++) {
        const bspi_convex *convex = v->near[i].at;
        if (convex->kind == kind && convex->owner == owner) {
            return true;
        }
    }
    return false;
}

static void ask_brushes(visit *v, const bsp_leaf *leaf) {
    const bsp_map *map = v->index->map;
    uint32_t brushes = map->num_brushes == 0 ? 0 : leaf->num_brushes;
    for (uint32_t i = 0; i < brushes && v->fraction > 0 && v->asked < BSPI_MOST_ASKED; i++) {
        uint32_t brush = map->leaf_brushes[leaf->first_brush + i];
        v->asked++;
        if (v->near != NULL) {
            if (is_among_near(v, BSPI_BRUSH, brush)) {
                recall(v, BSPI_BRUSH, brush);
            }
            continue;
        }
        uint32_t n = bspi_find_convex(v->index, v->body, brush);
        if (n != BSP_NONE) {
            ask_brush(v, n);
        }
    }
}

static void ask_faces(visit *v, const bsp_leaf *leaf) {
    uint32_t faces = v->body->num_patches == 0 ? 0 : leaf->num_faces;
    for (uint32_t i = 0; i < faces && v->fraction > 0 && v->asked < BSPI_MOST_ASKED; i++) {
        uint32_t face = v->index->map->leaf_faces[leaf->first_face + i];
        v->asked++;
        if (v->near == NULL) {
            ask_patch(v, bspi_find_patch(v->index, v->body, face));
        } else if (is_among_near(v, BSPI_PATCH, face)) {
            recall(v, BSPI_PATCH, face);
        }
    }
}

static void ask_leaf(visit *v, uint32_t number) {
    const bsp_leaf *leaf = bspi_asked_leaf(v->index, v->ray, number);
    if (leaf != NULL && v->grouped && v->near == NULL) {
        ask_groups(v, number);
    } else if (leaf != NULL) {
        ask_brushes(v, leaf);
    }
    if (leaf != NULL) {
        ask_faces(v, leaf);
    }
}

// Tests a model without a tree as one leaf: its brushes, then its patches, by number.
static void ask_run(visit *v) {
    const bspi_body *body = v->body;
    for (uint32_t i = 0; i < body->num_convexes && v->fraction > 0; i++) {
        uint32_t n = body->first_convex + i;
        if (bspi_convex_at(v->index, n)->kind == BSPI_BRUSH) {
            ask_brush(v, n);
        }
    }
    for (uint32_t i = 0; i < body->num_patches && v->fraction > 0; i++) {
        ask_patch(v, &v->index->patches[body->first_patch + i]);
    }
}

// --- down the tree ------------------------------------------------------------------------------

// Returns the first of `count` ascending numbers, from `low` on, that is not below `least`.
static uint32_t find_from(const uint32_t *numbers, uint32_t low, uint32_t count, uint32_t least) {
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        bool before = numbers[middle] < least;
        low = before ? middle + 1 : low;
        count = before ? count : middle;
    }
    return low;
}

// Finds which children of a node lead to a candidate; both, where everything is tested.
static void find_wanted(const visit *v, const bspi_turn *turn, bool wanted[2]) {
    const bspi_visits *visits = &v->index->visits;
    wanted[0] = wanted[1] = v->near == NULL;
    for (uint32_t i = 0; i < v->num_near && !(wanted[0] && wanted[1]); i++) {
        const bspi_convex *convex = v->near[i].at;
        int kind = convex->kind == BSPI_BRUSH ? 0 : 1;
        const uint32_t *ranks = visits->ranks[kind];
        uint32_t end = visits->first[kind][convex->owner + 1];
        uint32_t at = find_from(ranks, visits->first[kind][convex->owner], end, turn->ranks[0]);
        if (at < end && ranks[at] < turn->ranks[1]) {
            wanted[0] = true;
            at = wanted[1] ? end : find_from(ranks, at, end, turn->ranks[1]);
        }
        wanted[1] = wanted[1] || (at < end && ranks[at] < turn->ranks[2]);
    }
}

// Returns the extent of the box across a node's plane.
static float reach_of(const visit *v, const bspi_turn *turn) {
    float reach = 0;
    if (turn->type >= 0 && turn->type < 3) {
        return v->extents[turn->type];
    }
    if (v->index->rules->slope_reach != 0 && !v->ray->point) {
        return v->index->rules->slope_reach;
    }
    for (int i = 0; i < 3; i++) {
        reach += fabsf(v->extents[i] * turn->normal[i]);
    }
    return reach;
}

static float distance(const bspi_turn *turn, const float p[3]) {
    return turn->type >= 0 && turn->type < 3 ? p[turn->type] - turn->dist
                                             : bspi_dot(turn->normal, p) - turn->dist;
}

// Returns where a node is crossed, 0 to 1: `inverse` times (at + the epsilon), in the engine's
// precision.
static float crossing(const bspi_rules *rules, float at, float inverse, bool before) {
    float epsilon = before ? -rules->epsilon : rules->epsilon;
    float f = rules->double_crossings ? (float)(((double)at + (double)epsilon) * (double)inverse)
                                      : (at + epsilon) * inverse;
    f = f < 0 ? 0 : f;
    return f > 1 ? 1 : f;
}

static void move(float *fraction, float point[3], const piece *p, float part) {
    *fraction = p->first + (p->last - p->first) * part;
    for (int i = 0; i < 3; i++) {
        point[i] = p->start[i] + part * (p->end[i] - p->start[i]);
    }
}

// Splits a piece at its node: it becomes the near part, *far the other. Returns true if both
// matter. If one does, the piece becomes that part; if none does, its node becomes BSP_NONE as a
// child.
static bool split(const visit *v, piece *p, piece *far, bool *any) {
    const bspi_rules *rules = v->index->rules;
    const bspi_turn *turn = &v->index->visits.nodes[p->node];
    float t1 = distance(turn, p->start);
    float t2 = distance(turn, p->end);
    float reach = reach_of(v, turn);
    bool front = t1 >= reach + rules->tree_slack && t2 >= reach + rules->tree_slack;
    bool back = t1 < -reach - rules->tree_slack && t2 < -reach - rules->tree_slack;
    if (front ||
        back) { // whether it leads to a candidate is tested where it splits, or in its leaf
        p->node = turn->children[back];
        return false;
    }
    unsigned near = t1 < t2; // 1: the back
    float to_near = 1;
    float to_far = 0;
    if (t1 != t2) {
        float inverse = 1 / (t1 - t2);
        to_far = crossing(rules, near ? t1 + reach : t1 - reach, inverse, !near);
        to_near = crossing(rules, near ? t1 - reach : t1 + reach, inverse, false);
    }
    bool wanted[2];
    find_wanted(v, turn, wanted);
    bool has_near = wanted[near];
    bool has_far = wanted[1 - near];
    piece whole = *p;
    *any = has_near || has_far;
    if (has_far) {
        far = has_near ? far : p;
        *far = whole;
        far->node = turn->children[1 - near];
        move(&far->first, far->start, &whole, to_far);
    }
    if (has_near) {
        p->node = turn->children[near];
        move(&p->last, p->end, &whole, to_near);
    }
    return has_near && has_far;
}

static void follow(visit *v, int32_t root) {
    piece stack[MOST_DEPTH];
    uint32_t depth = 0;
    piece p = {.node = root, .last = 1};
    memcpy(p.start, v->ray->start, sizeof p.start);
    memcpy(p.end, v->ray->end, sizeof p.end);
    bool wanted = true;
    for (uint32_t visits = 0; visits < BSPI_MOST_VISITS; visits++) {
        bool reached = wanted && v->fraction > p.first;
        if (reached && p.node >= 0 && depth < MOST_DEPTH) {
            depth += split(v, &p, &stack[depth], &wanted) ? 1 : 0;
            continue;
        }
        if (reached && p.node < 0) {
            ask_leaf(v, (uint32_t)(-1 - p.node));
        }
        if (depth == 0 || v->settled || !(v->fraction > 0)) {
            break;
        }
        p = stack[--depth];
        wanted = true;
    }
}

static void begin(visit *v, const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                  const bspi_ray *ray, bspi_hit *hit) {
    v->index = index;
    v->tracer = tracer;
    v->body = &index->bodies[model];
    v->ray = ray;
    v->hit = hit;
    v->near = NULL;
    v->num_near = 0;
    v->fraction = 1;
    v->grouped = bspi_is_grouped(index, tracer, v->body);
    v->settled = false;
    v->asked = 0;
    for (int i = 0; i < 3; i++) {
        v->extents[i] = -ray->mins[i] > ray->maxs[i] ? -ray->mins[i] : ray->maxs[i];
    }
}

void bspi_visit(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                const bspi_ray *ray, bool only_near, bspi_hit *hit) {
    visit v;
    bool tree = bspi_has_tree(index->map, model);
    begin(&v, index, tracer, model, ray, hit);
    hit->fraction = 1;
    hit->convex = hit->lane = BSP_NONE;
    if (only_near && tree) { // where the trace ends at the latest if the engine hits a candidate:
        v.fraction = hit->limit;
        v.near = hit->near;
        v.num_near = hit->num_near;
    } else {
        memset(v.met, 0xFF, sizeof v.met);
        hit->stuck = only_near ? hit->stuck : BSP_NONE;
        hit->solid = only_near ? hit->solid : BSP_NONE;
        if (v.grouped) {
            tracer->spread(index, v.body, ray, &v.spread);
        }
    }
    if (tree) {
        follow(&v, index->map->models[model].headnodes[0]);
    } else {
        ask_run(&v);
    }
    // The plane may be reported even if the trace ends in solid.
    if (hit->convex != BSP_NONE && hit->lane == BSP_NONE) {
        hit->lane =
            bspi_lane_of(index, tracer, ray, bspi_convex_at(index, hit->convex), hit->fraction);
    }
}

bool bspi_asks(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
               const bspi_ray *ray, uint32_t n, float fraction) {
    const bspi_near near = {
        .at = bspi_convex_at(index, n), .convex = n, .fraction = -1, .lane = BSP_NONE};
    bspi_hit hit;
    visit v;
    if (!index->visits.ranked || !bspi_has_tree(index->map, model)) {
        return false;
    }
    begin(&v, index, tracer, model, ray, &hit);
    hit.convex = hit.lane = BSP_NONE;
    v.near = &near;
    v.num_near = 1;
    v.fraction = fraction;
    follow(&v, index->map->models[model].headnodes[0]);
    return hit.convex != BSP_NONE;
}
