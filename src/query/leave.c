// SPDX-License-Identifier: MIT
// The way out of solid, as Source has it (fractionleftsolid): a trace that starts in a brush leaves
// it, and those that it has entered by then, one after the other; what it meets on the way does not
// stop it. Which of two brushes that touch comes first decides whether the second stops it, so the
// brushes are asked in the engine's order: down the tree along the way, a leaf's brushes in turn.
// Displacements are not asked by a trace that starts in a brush.
#include "query/leave.h"

#include "query/clip.h"

#include <math.h>
#include <string.h>

#define CLIP_EPSILON 0.03125f // DIST_EPSILON: pieces of the way overlap by so much
#define MOST_DEPTH 512u
#define MOST_VISITS 65536u // hostile trees share their branches: enough is enough
#define MOST_ASKED 262144u // and hostile leaves their brushes
#define MOST_MET 512u      // brushes on one way; those beyond may be asked twice

// A piece of the way, to follow down from a node.
typedef struct piece {
    int32_t node;
    float first, last; // fractions of the whole way
    float start[3], end[3];
} piece;

typedef struct course {
    const bsp_trace_index *index;
    const bspi_body *body;
    const bspi_ray *ray;
    bspi_hit *hit;
    float left;
    uint32_t asked;
    uint32_t num_met;
    uint32_t met[MOST_MET]; ///< convexes that had a say
} course;

// The convex of a brush; those of a body are in order, brushes first. BSP_NONE if it has none.
static uint32_t find_convex(const course *c, uint32_t brush) {
    const bspi_convex *all = c->index->convexes + c->body->first_convex;
    uint32_t low = 0;
    uint32_t high = c->body->num_convexes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = all[middle].kind == BSPI_BRUSH && all[middle].owner < brush;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    bool found =
        low < c->body->num_convexes && all[low].kind == BSPI_BRUSH && all[low].owner == brush;
    return found ? c->body->first_convex + low : BSP_NONE;
}

// True the first time.
static bool meet(course *c, uint32_t n) {
    for (uint32_t i = 0; i < c->num_met; i++) {
        if (c->met[i] == n) {
            return false;
        }
    }
    if (c->num_met < MOST_MET) {
        c->met[c->num_met++] = n;
    }
    return true;
}

// The trace starts in this brush, or has entered it before it was out of the others.
static void leave_brush(course *c, uint32_t n, const bspi_clipped *clipped) {
    bspi_hit *hit = c->hit;
    if (!clipped->end_out) {
        hit->solid = n < hit->solid ? n : hit->solid;
        hit->fraction = 0;
    } else if (clipped->leave != 1 && clipped->leave > c->left) {
        c->left = clipped->leave;
        if (hit->fraction <= c->left) {
            hit->fraction = 1;
            hit->convex = hit->lane = BSP_NONE;
        }
    }
}

static void ask_brush(course *c, uint32_t brush) {
    uint32_t n = find_convex(c, brush);
    const bspi_convex *convex = n == BSP_NONE ? NULL : &c->index->convexes[n];
    bspi_clipped clipped;
    if (convex == NULL || !bspi_meets_mask(c->index, convex, c->ray) ||
        !bspi_clip_convex(c->index, convex,
                          c->ray->point ? convex->point_blocks : convex->num_blocks, c->ray,
                          &clipped) ||
        !meet(c, n)) {
        return;
    }
    if (!clipped.start_out || clipped.enter < c->left) {
        leave_brush(c, n, &clipped);
    } else if (clipped.enter < clipped.leave && clipped.enter < c->hit->fraction) {
        c->hit->fraction = clipped.enter;
        c->hit->convex = n;
        c->hit->lane = clipped.lane;
    }
}

static void ask_leaf(course *c, uint32_t number) {
    const bsp_map *map = c->index->map;
    if (number >= map->num_leaves) {
        return;
    }
    const bsp_leaf *leaf = &map->leaves[number];
    for (uint32_t i = 0; i < leaf->num_brushes && c->hit->fraction > 0 && c->asked < MOST_ASKED;
         i++) {
        c->asked++;
        ask_brush(c, map->leaf_brushes[leaf->first_brush + i]);
    }
}

static float distance(const float plane[4], const float p[3]) {
    return bspi_dot(plane, p) - plane[3];
}

static void move(float *fraction, float point[3], const piece *p, float part) {
    *fraction = p->first + (p->last - p->first) * part;
    for (int i = 0; i < 3; i++) {
        point[i] = p->start[i] + (p->end[i] - p->start[i]) * part;
    }
}

static float within(float part) {
    return part > 0 ? (part < 1 ? part : 1) : 0;
}

// Splits a piece at its node: it becomes the near one, *far the other. False if all of it is on one
// side, where it then goes on.
static bool split(const course *c, piece *p, piece *far) {
    const float *plane = c->index->forks[p->node].planes[0];
    const int32_t *children = c->index->map->nodes[p->node].children;
    float d1 = distance(plane, p->start);
    float d2 = distance(plane, p->end);
    float reach = 0; // of the box across the plane
    for (int i = 0; i < 3; i++) {
        reach += fabsf(c->ray->maxs[i] * plane[i]);
    }
    if ((d1 > reach && d2 > reach) || (d1 < -reach && d2 < -reach)) {
        p->node = children[d1 < 0];
        return false;
    }
    bool back = d1 < d2;
    float near_end = 1;
    float far_start = 0;
    if (d1 != d2) {
        float sign = back ? -1.0f : 1.0f;
        near_end = within((d1 + sign * (reach + CLIP_EPSILON)) / (d1 - d2));
        far_start = within((d1 - sign * (reach + CLIP_EPSILON)) / (d1 - d2));
    }
    *far = *p;
    far->node = children[!back];
    move(&far->first, far->start, p, far_start);
    piece whole = *p;
    move(&p->last, p->end, &whole, near_end);
    p->node = children[back];
    return true;
}

static void follow(course *c, piece p) {
    piece stack[MOST_DEPTH];
    uint32_t depth = 0;
    uint32_t visits = 0;
    for (bool more = true; more && visits < MOST_VISITS; visits++) {
        bool reached = c->hit->fraction > p.first;
        if (reached && p.node >= 0 && depth < MOST_DEPTH) {
            depth += split(c, &p, &stack[depth]) ? 1 : 0;
            continue;
        }
        if (reached && p.node < 0) {
            ask_leaf(c, (uint32_t)(-1 - p.node));
        }
        more = depth > 0 && c->hit->fraction > 0;
        p = more ? stack[--depth] : p;
    }
}

float bspi_leave_solid(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                       bspi_hit *hit) {
    const bsp_map *map = index->map;
    course c = {.index = index, .body = &index->bodies[model], .ray = ray, .hit = hit};
    piece whole = {.node = model < map->num_models ? map->models[model].headnodes[0] : 0,
                   .first = 0,
                   .last = 1};
    memcpy(whole.start, ray->start, sizeof whole.start);
    memcpy(whole.end, ray->end, sizeof whole.end);
    hit->fraction = 1;
    hit->convex = hit->lane = BSP_NONE;
    follow(&c, whole);
    return hit->solid != BSP_NONE ? 1 : c.left;
}
