// SPDX-License-Identifier: MIT
// The way out of solid, as Source has it (fractionleftsolid): a trace that starts in a brush leaves
// it, and those that it has entered by then, one after the other, and only what it meets after that
// stops it. The engine does so in the order in which it comes across the brushes; here the order
// does not matter. Displacements are not asked by a trace that starts in a brush.
#include "query/leave.h"

#include "query/clip.h"

#include <math.h>

// Each pass that changes anything has found at least one more brush on the way. Overlapping brushes
// of real maps need two or three.
#define MOST_PASSES 64u

typedef struct course {
    const bsp_trace_index *index;
    const bspi_ray *ray;
    bspi_hit *hit;
    float box[2][3]; ///< that the whole way is in
    float left;
} course;

typedef void (*visit)(course *c, uint32_t n, const bspi_clipped *clipped);

// A brush that the trace is in before it is out of the others.
static void visit_inside(course *c, uint32_t n, const bspi_clipped *clipped) {
    if (clipped->start_out && !(clipped->enter < c->left)) {
        return;
    }
    if (!clipped->end_out) {
        c->hit->solid = n < c->hit->solid ? n : c->hit->solid;
    } else if (clipped->leave != 1 && clipped->leave > c->left) {
        c->left = clipped->leave;
    }
}

static void visit_after(course *c, uint32_t n, const bspi_clipped *clipped) {
    bspi_hit *hit = c->hit;
    float f = clipped->enter;
    if (clipped->start_out && f >= c->left && f < clipped->leave &&
        (f < hit->fraction || (f == hit->fraction && n < hit->convex))) {
        hit->fraction = f;
        hit->convex = n;
        hit->lane = clipped->lane;
    }
}

static bool overlaps(const course *c, const bspi_wide *node, uint32_t lane) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(node->bounds[axis][lane] <= c->box[1][axis] &&
              node->bounds[axis + 3][lane] >= c->box[0][axis])) {
            return false;
        }
    }
    return true;
}

static void visit_convex(course *c, uint32_t n, visit what) {
    const bspi_convex *convex = &c->index->convexes[n];
    uint32_t blocks = c->ray->point ? convex->point_blocks : convex->num_blocks;
    bspi_clipped clipped;
    if (convex->kind == BSPI_BRUSH && bspi_meets_mask(c->index, convex, c->ray) &&
        bspi_clip_convex(c->index, convex, blocks, c->ray, &clipped)) {
        what(c, n, &clipped);
    }
}

// Every brush whose box the way touches.
static void visit_all(course *c, const bspi_body *body, visit what) {
    uint32_t stack[BSPI_STACK];
    uint32_t count = 0;
    if (body->root != BSP_NONE) {
        stack[count++] = body->root;
    }
    while (count > 0) {
        uint32_t child = stack[--count];
        if ((child & BSPI_LEAF) != 0) {
            visit_convex(c, child & ~BSPI_LEAF, what);
            continue;
        }
        const bspi_wide *node = &c->index->wide[child];
        for (uint32_t lane = 0; lane < BSPI_LANES && count < BSPI_STACK; lane++) {
            if (overlaps(c, node, lane)) {
                stack[count++] = node->child[lane];
            }
        }
    }
}

float bspi_leave_solid(const bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
                       bspi_hit *hit) {
    course c = {.index = index, .ray = ray, .hit = hit};
    for (int axis = 0; axis < 3; axis++) {
        float pad = index->rules->pad + (fabsf(ray->start[axis]) + fabsf(ray->end[axis])) * 1e-6f;
        c.box[0][axis] = fminf(ray->start[axis], ray->end[axis]) + ray->mins[axis] - pad;
        c.box[1][axis] = fmaxf(ray->start[axis], ray->end[axis]) + ray->maxs[axis] + pad;
    }
    float before = -1;
    for (uint32_t pass = 0; pass < MOST_PASSES && c.left != before; pass++) {
        before = c.left;
        visit_all(&c, body, visit_inside);
    }
    if (hit->solid != BSP_NONE) {
        return 1;
    }
    hit->fraction = 1;
    hit->convex = hit->lane = BSP_NONE;
    visit_all(&c, body, visit_after);
    return c.left;
}
