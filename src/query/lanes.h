// SPDX-License-Identifier: MIT
// A ray spread over eight lanes, and how the planes of a convex clip it, eight at a time: with the
// same arithmetic as in clip.c. A file for each instruction set includes it, by walk.h.
#ifndef BSPI_QUERY_LANES_H
#define BSPI_QUERY_LANES_H

#include "query/clip.h"
#include "query/simd.h"

#include <math.h>

// A prepared ray. What all lanes share is spread over them where it is used: a processor loads it
// once either way.
typedef struct lanes {
    const bspi_ray *ray;
    // Start, end, and how far the box moves planes, along each axis; then, for the opposite
    // direction, the same with the other sign. Two lanes are 0.
    f8 start, end, out;
    // The fraction of the way at which a bound is crossed is its number of steps times `scale`,
    // plus `first` or `last` for the side of a box that is crossed first or last. In these it is
    // enlarged by the moving box.
    f8 scale[3], first[3], last[3];
    unsigned near[3]; // rows of bspi_wide.bounds that are crossed first
    uint32_t classes; // of the mask, where a child has them
} lanes;

#define LEAST_STEP 1e-30f // a smaller movement along an axis is set to this

// Prepares the parts that a single convex needs.
BSPI_INLINE void spread_ends(lanes *l, const bspi_ray *ray) {
    float back[4][3];
    for (unsigned axis = 0; axis < 3; axis++) {
        float low = ray->mins[axis];
        float high = ray->maxs[axis];
        back[0][axis] = -ray->start[axis];
        back[1][axis] = -ray->end[axis];
        back[2][axis] = low < high ? low : high;
        back[3][axis] = -(low < high ? high : low);
    }
    l->ray = ray;
    l->start = f8_six(ray->start, back[0]);
    l->end = f8_six(ray->end, back[1]);
    l->out = f8_six(back[2], back[3]);
}

// Prepares what the boxes of nodes need: for the low end of the moving box along each axis, and for
// the high end of its mirror image. Without branches, since one in two would be mispredicted.
BSPI_INLINE void spread(lanes *l, const bsp_trace_index *index, const bspi_body *body,
                        const bspi_ray *ray) {
    static const float least[BSPI_LANES] = {LEAST_STEP,  LEAST_STEP,  LEAST_STEP, -LEAST_STEP,
                                            -LEAST_STEP, -LEAST_STEP, LEAST_STEP, LEAST_STEP};
    const f8 zero = f8_all(0);
    spread_ends(l, ray);
    f8 step = f8_sub(l->end, l->start);
    step = f8_pick(f8_eq(step, zero), f8_load(least), step);
    m8 down = f8_gt(zero, step);
    f8 size = f8_max(f8_max(step, f8_sub(zero, step)), f8_all(LEAST_STEP));
    f8 inverse = f8_div(f8_pick(down, f8_all(-1), f8_all(1)), size);
    f8 far = f8_add(f8_max(l->start, f8_sub(zero, l->start)), f8_max(l->end, f8_sub(zero, l->end)));
    f8 slack = f8_add(f8_all(index->rules->pad), f8_mul(far, f8_all(1e-6f)));
    f8 edge = f8_sub(f8_add(l->start, l->out), slack);
    f8 scale = f8_mul(f8_load(body->steps), inverse);
    f8 shift = f8_mul(f8_sub(f8_load(body->origin), edge), inverse);
    unsigned back = m8_bits(down);
    for (int axis = 0; axis < 3; axis++) {
        f8 low = f8_lane(shift, axis);
        f8 high = f8_lane(shift, axis + 3);
        l->near[axis] = (unsigned)axis + 3 * (back >> axis & 1);
        l->scale[axis] = f8_lane(scale, axis);
        l->first[axis] = f8_min(low, high);
        l->last[axis] = f8_max(low, high);
    }
    l->classes = bspi_classes_of(index, ray->mask) << BSPI_CLASSES_SHIFT;
}

// In place of the half of a block that is not stored.
static const bspi_half no_half = {.dist = {BSPI_FAR, BSPI_FAR, BSPI_FAR, BSPI_FAR}};

// Computes the distances of start and end in front of the planes of a brush's first block, with the
// bits that the products with the normals' ones and zeros would give.
BSPI_INLINE void axial_distances(const lanes *l, const bspi_convex *convex, f8 *d1, f8 *d2) {
    f8 dist = f8_sub(f8_load(bspi_axial_of(convex)), l->out);
    *d1 = f8_sub(l->start, dist);
    *d2 = f8_sub(l->end, dist);
}

BSPI_INLINE f8 dot(const f8 n[3], const float p[3]) {
    f8 sum = f8_add(f8_mul(f8_all(p[0]), n[0]), f8_mul(f8_all(p[1]), n[1]));
    return f8_add(sum, f8_mul(f8_all(p[2]), n[2]));
}

// Computes them for another block. `first`: the number of blocks that are not stored as halves.
BSPI_INLINE void distances(const lanes *l, const bspi_convex *convex, uint32_t number,
                           uint32_t first, f8 *d1, f8 *d2) {
    const bspi_half *low = bspi_halves_of(convex) + (size_t)2 * (number - first);
    bool halved = number + 1 == convex->num_blocks && convex->halved != 0;
    const bspi_half *high = halved ? &no_half : low + 1;
    f8 n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = f8_pair(low->normal[axis], high->normal[axis]);
    }
    f8 dist = f8_pair(low->dist, high->dist);
    const bspi_ray *ray = l->ray;
    if (!ray->point) {
        f8 out[3];
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = f8_min(f8_mul(n[axis], f8_all(ray->mins[axis])),
                               f8_mul(n[axis], f8_all(ray->maxs[axis])));
        }
        dist = f8_sub(dist, f8_add(f8_add(out[0], out[1]), out[2]));
    }
    *d1 = f8_sub(dot(n, ray->start), dist);
    *d2 = f8_sub(dot(n, ray->end), dist);
}

#define MOST_KEPT 4u // blocks whose crossings are kept

// The result of clipping a segment by the planes of a convex moved BSPI_DEPTH inwards, and where it
// crosses them.
typedef struct inner {
    f8 enter, leave;
    unsigned start_out;      // lanes that have the start in front
    unsigned apart;          // lanes that have the whole segment in front
    f8 crossings[MOST_KEPT]; // of lanes that have the start in front
    unsigned out[MOST_KEPT]; // those lanes
} inner;

BSPI_INLINE void clip_inner(f8 d1, f8 d2, f8 way, inner *in) {
    const f8 depth = f8_all(BSPI_DEPTH);
    const f8 zero = f8_all(0);
    f8 deeper = f8_add(d1, depth);
    m8 out1 = f8_gt(deeper, zero);
    m8 out2 = f8_gt(f8_add(d2, depth), zero);
    f8 f = f8_div(deeper, way);
    in->start_out |= m8_bits(out1);
    in->apart |= m8_bits(m8_and(out1, out2));
    in->enter = f8_pick(out1, f8_max(f, in->enter), in->enter);
    in->leave = f8_pick(out2, f8_min(f, in->leave), in->leave);
}

// Computes the distances of a block of a brush or, with `first` 0, a facet.
BSPI_INLINE void any_distances(const lanes *l, const bspi_convex *convex, uint32_t number,
                               uint32_t first, f8 *d1, f8 *d2) {
    if (number < first) {
        axial_distances(l, convex, d1, d2);
    } else {
        distances(l, convex, number, first, d1, d2);
    }
}

// Clips as bspi_clip_convex, without the order. `in` may be NULL.
BSPI_INLINE bool clip(const bsp_trace_index *index, const bspi_convex *convex, uint32_t blocks,
                      uint32_t first, const lanes *l, bspi_clipped *out, inner *in) {
    const bspi_rules *rules = index->rules;
    const f8 zero = f8_all(0);
    const f8 epsilon = f8_all(rules->epsilon);
    const f8 reject_at = f8_all(rules->reject_at);
    f8 enter = f8_all(-1);
    f8 leave = f8_all(1);
    unsigned start_out = 0;
    unsigned end_out = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        f8 d1, d2;
        any_distances(l, convex, i, first, &d1, &d2);
        m8 out1 = f8_gt(d1, zero);
        m8 out2 = f8_gt(d2, zero);
        if (m8_bits(m8_and(out1, m8_or(f8_ge(d2, reject_at), f8_ge(d2, d1)))) != 0) {
            return false;
        }
        start_out |= m8_bits(out1);
        end_out |= m8_bits(out2);
        m8 leaves = m8_andnot(out2, out1);
        f8 way = f8_sub(d1, d2);
        if (in != NULL) {
            clip_inner(d1, d2, way, in);
        }
        f8 shifted = f8_add(d1, f8_pick(out1, f8_sub(zero, epsilon), epsilon));
        f8 f = f8_div(shifted, way);
        if (in != NULL && i < MOST_KEPT) {
            in->crossings[i] = f;
            in->out[i] = m8_bits(out1);
        }
        enter = f8_pick(out1, f8_max(f, enter), enter);
        leave = f8_pick(leaves, f8_min(f, leave), leave);
    }
    out->start_out = start_out != 0;
    out->end_out = end_out != 0;
    out->enter = f8_most(enter);
    out->leave = f8_least(leave);
    if (start_out != 0 && out->enter < rules->least_enter) {
        out->enter = rules->least_enter > -1 ? rules->least_enter : -1;
    }
    return true;
}

#endif
