// SPDX-License-Identifier: MIT
// The fast walk down the wide tree, eight boxes and eight planes at a time. A file for each
// instruction set includes it and defines BSPI_TRACER, the name of the implementation.
//
// Every convex that could be hit is tested with the same arithmetic as in clip.c. The walk only
// leaves out what the boxes, enlarged by the rules' pad, prove to be farther away.
#include "query/solid_test.h"

// Finds where the segment enters the boxes of a node: those entered no later than `limit`, with
// contents below that stop it.
BSPI_INLINE m8 test_boxes(const lanes *l, const bspi_wide *node, float limit, f8 *enter) {
    f8 leave = f8_all(limit);
    *enter = f8_all(0);
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned near = l->near[axis];
        unsigned far = near < 3 ? near + 3 : near - 3;
        f8 first = f8_about(f8_from_u16(node->bounds[near]), l->scale[axis], l->first[axis]);
        f8 last = f8_about(f8_from_u16(node->bounds[far]), l->scale[axis], l->last[axis]);
        *enter = f8_max(first, *enter);
        leave = f8_min(last, leave);
    }
    return m8_andnot(f8_ge(leave, *enter), m8_lacks(node->child, l->classes));
}

// Sorts the lanes of a node by where the segment enters their boxes. `left` receives a bit for
// each that test_boxes finds.
BSPI_INLINE queue8 enter(const lanes *l, const bspi_wide *node, float limit, unsigned *left) {
    f8 enter;
    m8 in = test_boxes(l, node, limit, &enter);
    *left = m8_bits(in);
    return queue8_of(enter, in);
}

// A node whose other children are still to be visited.
typedef struct waiting {
    queue8 queue;
    const bspi_wide *node;
    unsigned left;
} waiting;

// Tests the open convexes, if the trace leaves the grid.
BSPI_APART void test_open(const bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
                          const lanes *l, bspi_hit *hit) {
    bool leaves = false;
    for (int axis = 0; axis < 3; axis++) {
        const float *ends[2] = {ray->start, ray->end};
        float slack = index->rules->pad + BSPI_FACET_PAD;
        for (int i = 0; i < 2; i++) {
            leaves = leaves || ends[i][axis] + ray->mins[axis] - slack < body->grid[0][axis] ||
                     ends[i][axis] + ray->maxs[axis] + slack > body->grid[1][axis];
        }
    }
    for (uint32_t i = 0; leaves && i < body->num_open; i++) {
        uint32_t n = index->open[body->first_open + i];
        test_convex(index, bspi_convex_at(index, n), ray, l, hit);
    }
}

#define UNIT_SHIFT 6u   // of the size of a unit
#define MOST_FETCHED 4u // children of a node
static_assert(BSPI_UNIT == 1u << UNIT_SHIFT && BSPI_LEAF == 1u << 31 && BSPI_CLASSES_SHIFT == 24,
              "a shift takes away what is not the unit");

// Returns the address of a child of a node.
BSPI_INLINE const uint8_t *place_of(const uint8_t *pool, uint32_t child) {
    return pool + (child << (32 - BSPI_CLASSES_SHIFT) >> (32 - BSPI_CLASSES_SHIFT - UNIT_SHIFT));
}

// Loads the cache lines of the children of a node that are met: without a branch, since how many
// there are cannot be predicted.
BSPI_INLINE void fetch_children(const uint8_t *pool, const bspi_wide *node, unsigned left) {
    const unsigned none = 1u << (BSPI_LANES - 1); // any child will do
    for (unsigned i = 0; i < MOST_FETCHED; i++, left &= left - 1) {
        const uint8_t *at = place_of(pool, node->child[__builtin_ctz(left | none)]);
        BSPI_FETCH(at);
        BSPI_FETCH(at + BSPI_UNIT);
    }
}

BSPI_TARGET static void walk(const bsp_trace_index *index, const bspi_body *body,
                             const bspi_ray *ray, bspi_hit *hit) {
    waiting stack[BSPI_LEVELS + 1];
    waiting *top = stack;
    waiting here;
    lanes l;
    if (body->root == BSP_NONE) {
        return;
    }
    spread(&l, index, body, ray);
    if (body->num_open != 0) {
        test_open(index, body, ray, &l, hit);
    }
    const uint8_t *pool = index->pool;
    here.node = bspi_node_at(index, body->root);
    here.queue = enter(&l, here.node, hit->limit, &here.left);
    fetch_children(pool, here.node, here.left);
    for (;;) {
        unsigned lane;
        if (here.left == 0) {
            if (top == stack) {
                break;
            }
            top--;
            here.queue = top->queue;
            here.node = top->node;
            here.left = top->left;
        }
        if (!queue8_take(&here.queue, hit->limit, &lane)) {
            here.left = 0; // the others are farther
            continue;
        }
        here.left &= ~(1u << lane);
        uint32_t child = here.node->child[lane];
        const uint8_t *at = place_of(pool, child);
        if ((child & BSPI_LEAF) != 0) {
            test_convex(index, (const bspi_convex *)(const void *)at, ray, &l, hit);
            continue;
        }
        top->queue = here.queue;
        top->node = here.node;
        top->left = here.left;
        top += here.left != 0;
        here.node = (const bspi_wide *)(const void *)at;
        here.queue = enter(&l, here.node, hit->limit, &here.left);
        fetch_children(pool, here.node, here.left);
    }
    bool counts = index->rules->by_tree ? hit->fraction > 0 && hit->fraction < 1
                                        : hit->stuck == BSP_NONE || !index->rules->leaves_solid;
    if (hit->convex != BSP_NONE && hit->lane == BSP_NONE && counts) {
        const bspi_convex *convex = bspi_hit_convex(index, hit);
        hit->lane = convex->kind == BSPI_BRUSH ? find_lane(index, convex, ray, &l, hit->fraction)
                                               : BSP_NONE;
    }
}

BSPI_TARGET static bool clip_one(const bsp_trace_index *index, const bspi_convex *convex,
                                 uint32_t blocks, const bspi_ray *ray, bspi_clipped *out) {
    lanes l;
    spread_ends(&l, ray);
    return clip(index, convex, blocks, bspi_num_axial(convex), &l, out, NULL);
}

BSPI_TARGET static uint32_t find_one(const bsp_trace_index *index, const bspi_convex *convex,
                                     const bspi_ray *ray, float enter) {
    lanes l;
    spread_ends(&l, ray);
    return find_lane(index, convex, ray, &l, enter);
}

// Appends the brushes of a group that the segment may touch.
BSPI_INLINE uint32_t cut_group(const bsp_trace_index *index, const bspi_wide *group,
                               const bspi_ray *ray, const lanes *l, bspi_cut *out) {
    f8 enter;
    uint32_t count = 0;
    unsigned bits = m8_bits(test_boxes(l, group, 1, &enter));
    fetch_children(index->pool, group, bits);
    for (unsigned left = bits; left != 0; left &= left - 1) {
        uint32_t child = group->child[__builtin_ctz(left)];
        const bspi_convex *convex = bspi_convex_of(index, child & (BSPI_CHILDREN - 1));
        uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
        if (bspi_is_masked(index, convex, ray) &&
            clip(index, convex, blocks, 1, l, &out[count].clipped, NULL)) {
            out[count++].convex = convex;
        }
    }
    return count;
}

static_assert(sizeof(lanes) <= sizeof(bspi_spread) && alignof(lanes) <= alignof(bspi_spread),
              "a ray has room");

BSPI_TARGET static void spread_ray(const bsp_trace_index *index, const bspi_body *body,
                                   const bspi_ray *ray, bspi_spread *out) {
    spread((lanes *)(void *)out, index, body, ray);
}

BSPI_TARGET static uint32_t cut(const bsp_trace_index *index, const bspi_spread *rays,
                                const bspi_wide *groups, uint32_t count, bspi_cut *out) {
    const lanes *l = (const lanes *)(const void *)rays;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += cut_group(index, &groups[i], l->ray, l, out + found);
    }
    return found;
}

const bspi_tracer BSPI_TRACER = {
    .walk = walk, .clip = clip_one, .find_lane = find_one, .spread = spread_ray, .cut = cut};
