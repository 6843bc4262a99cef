// SPDX-License-Identifier: MIT
// The fast walk down the wide tree, eight boxes and eight planes at a time. A file for each
// instruction set includes it and defines BSPI_TRACER, the name of the implementation.
//
// Every convex that could be hit is tested with the same arithmetic as in clip.c. The walk only
// leaves out what the boxes, enlarged by the rules' pad, prove to be farther away.
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

// Returns true if a hit at `fraction` comes before the result so far.
BSPI_INLINE bool is_nearer(const bsp_trace_index *index, const bspi_hit *hit, float fraction,
                           uint32_t n) {
    return index->rules->by_tree
               ? fraction <= hit->limit
               : fraction < hit->fraction || (fraction == hit->fraction && n < hit->convex);
}

// Records a brush that contains the start. `all`: it contains the whole trace; `deep`: the start is
// BSPI_DEPTH deep in it.
BSPI_APART void get_stuck(const bsp_trace_index *index, const bspi_convex *convex,
                          const bspi_ray *ray, bool all, bool deep, bspi_hit *hit) {
    const bspi_rules *rules = index->rules;
    uint32_t n = convex->number;
    hit->stuck = n < hit->stuck ? n : hit->stuck;
    hit->solid = all && n < hit->solid ? n : hit->solid;
    if (rules->leaves_solid || (rules->by_tree && rules->solid_stops && all)) {
        // bspi_exit_solid finds all but the other solids that contain the start; or the tree
        // decides.
        hit->fraction = hit->limit = 0;
    }
    if (rules->by_tree) {
        bspi_note_stuck(convex, ray, all, deep, hit);
    }
}

// Of the lanes `bits` of a block, chooses the one whose plane comes first in the file, if that is
// before *order.
BSPI_INLINE void choose_lane(const bspi_convex *convex, uint32_t block, unsigned bits,
                             uint32_t *order, uint32_t *lane) {
    for (; bits != 0; bits &= bits - 1) {
        uint32_t at = block * BSPI_LANES + (uint32_t)__builtin_ctz(bits);
        uint32_t here = bspi_origin_of(convex, at).order;
        if (here < *order) {
            *order = here;
            *lane = convex->first_block * BSPI_LANES + at;
        }
    }
}

// Returns the plane by which the clipped segment enters at `enter`, of several the first in the
// file, or BSP_NONE where that was not stored.
BSPI_INLINE uint32_t find_kept(const bspi_convex *convex, uint32_t blocks, const inner *in,
                               float enter) {
    unsigned bits[MOST_KEPT];
    uint32_t lane = BSP_NONE;
    uint32_t count = 0;
    for (uint32_t i = 0; i < blocks && blocks <= MOST_KEPT; i++) {
        bits[i] = m8_bits(f8_eq(in->crossings[i], f8_all(enter))) & in->out[i];
        if (bits[i] != 0) {
            lane = (convex->first_block + i) * BSPI_LANES + (uint32_t)__builtin_ctz(bits[i]);
            count += (bits[i] & (bits[i] - 1)) == 0 ? 1 : 2;
        }
    }
    if (count > 1) {
        uint32_t least = BSPI_ORDER_NONE;
        for (uint32_t i = 0; i < blocks; i++) {
            choose_lane(convex, i, bits[i], &least, &lane);
        }
    }
    return lane;
}

// Records a brush where the tree decides about hits, with the same data as enters_deep of clip.c.
BSPI_INLINE void note_brush(const bsp_trace_index *index, const bspi_convex *convex,
                            const bspi_ray *ray, const lanes *l, bspi_hit *hit) {
    bspi_clipped c;
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    inner in;
    in.enter = f8_all(0);
    in.leave = f8_all(1);
    in.start_out = in.apart = 0;
    if (!clip(index, convex, blocks, 1, l, &c, &in)) {
        return;
    }
    if (!c.start_out) {
        get_stuck(index, convex, ray, !c.end_out, in.start_out == 0, hit);
    } else if (c.enter < c.leave && c.enter > -1) {
        bspi_near near = {convex, convex->number, c.enter > 0 ? c.enter : 0, 1, BSP_NONE, false};
        if (near.fraction > hit->limit) {
            return;
        }
        if (c.enter > 0) { // its plane is computed at the end
            near.lane = find_kept(convex, blocks, &in, c.enter);
        }
        if (in.apart == 0) {
            near.contact = f8_most(in.enter);
            near.entered = near.contact < f8_least(in.leave);
        }
        bspi_note(hit, ray, &near);
    }
}

BSPI_INLINE void meet_brush(const bsp_trace_index *index, const bspi_convex *convex,
                            const bspi_ray *ray, const lanes *l, bspi_hit *hit) {
    bspi_clipped c;
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    if (!clip(index, convex, blocks, 1, l, &c, NULL)) {
        return;
    }
    if (!c.start_out) {
        get_stuck(index, convex, ray, !c.end_out, false, hit);
    } else if (c.enter < c.leave && c.enter > -1) {
        float fraction = c.enter > 0 ? c.enter : 0;
        if (is_nearer(index, hit, fraction, convex->number)) {
            hit->fraction = hit->limit = fraction;
            hit->convex = convex->number;
            hit->at = convex;
            hit->lane = BSP_NONE; // found at the end, for the final hit
        }
    }
}

BSPI_INLINE f8 crossings(f8 d1, f8 d2) {
    const f8 never = f8_all(99999.0f);
    f8 f = f8_div(d1, f8_sub(d1, d2));
    m8 behind = f8_ge(f8_all(0), f);
    return f8_pick(m8_or(behind, f8_eq(d1, d2)), never, f);
}

// Tests a point against a facet as bspi_clip_point does.
BSPI_INLINE void meet_facet(const bsp_trace_index *index, const bspi_convex *convex,
                            const bspi_ray *ray, const lanes *l, bspi_hit *hit) {
    float epsilon = convex->kind == BSPI_PATCH ? index->rules->epsilon : 0;
    bspi_touch touch = {0, 0};
    f8 meets = f8_all(0);
    for (uint32_t i = 0; i < convex->point_blocks; i++) {
        f8 d1, d2;
        distances(l, convex, i, 0, &d1, &d2);
        f8 f = crossings(d1, d2);
        if (i == 0) {
            float v1[8], v2[8], all[8];
            f8_store(v1, d1);
            f8_store(v2, d2);
            f8_store(all, f);
            if (!(v1[0] > 0) || !(all[0] <= 1)) {
                return;
            }
            touch.fraction = (v1[0] - epsilon) / (v1[0] - v2[0]);
            touch.fraction = touch.fraction > 0 ? touch.fraction : 0;
            touch.contact = all[0];
            if (!is_nearer(index, hit, touch.fraction, convex->number)) {
                return;
            }
            meets = f8_all(all[0]);
        }
        unsigned inward = index->inward[convex->first_block + i];
        unsigned outside = m8_bits(f8_gt(d1, f8_all(0))) | (m8_bits(f8_eq(d1, f8_all(0))) & inward);
        unsigned leaves = convex->kind != BSPI_DISP
                              ? 0
                              : m8_bits(m8_and(f8_eq(d1, f8_all(0)), f8_gt(d2, f8_all(0))));
        if ((leaves | (outside & m8_bits(f8_gt(f, meets))) |
             (~outside & m8_bits(f8_gt(meets, f)) & 0xFFu)) != 0) {
            return;
        }
    }
    if (index->rules->by_tree) {
        uint32_t lane = convex->first_block * BSPI_LANES;
        bspi_note(hit, ray,
                  &(bspi_near){convex, convex->number, touch.fraction, touch.contact, lane, true});
    } else {
        hit->fraction = hit->limit = touch.fraction;
        hit->convex = convex->number;
        hit->at = convex;
        hit->lane = convex->first_block * BSPI_LANES;
    }
}

// Records a box that enters a patch's facet at a fraction above 0, unless it enters by the back,
// which is the last plane. A facet's planes are in order, and its contact is that of its surface
// (enters_deep in clip.c).
BSPI_INLINE void note_slab(const bsp_trace_index *index, const bspi_convex *convex,
                           const bspi_ray *ray, const lanes *l, float fraction, bspi_hit *hit) {
    static const float places[BSPI_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    const f8 zero = f8_all(0);
    const f8 place = f8_load(places);
    uint32_t back = convex->num_planes - 1;
    uint32_t by = BSP_NONE;
    unsigned apart = 0;
    f8 enter = zero;
    f8 leave = f8_all(1);
    for (uint32_t i = 0; i < convex->num_blocks; i++) {
        f8 d1, d2;
        distances(l, convex, i, 0, &d1, &d2);
        m8 out1 = f8_gt(d1, zero);
        f8 way = f8_sub(d1, d2);
        f8 f = f8_div(f8_sub(d1, f8_all(index->rules->epsilon)), way);
        unsigned same = m8_bits(m8_and(f8_eq(f, f8_all(fraction)), out1));
        if (same != 0 && by == BSP_NONE) {
            by = i * BSPI_LANES + (uint32_t)__builtin_ctz(same);
        }
        m8 is_back = f8_eq(place, f8_all((float)back - (float)(i * BSPI_LANES)));
        m8 in1 = m8_andnot(out1, is_back);
        m8 in2 = m8_andnot(f8_gt(d2, zero), is_back);
        f = f8_div(d1, way);
        apart |= m8_bits(m8_and(in1, in2));
        enter = f8_pick(in1, f8_max(f, enter), enter);
        leave = f8_pick(in2, f8_min(f, leave), leave);
    }
    if (by == back) {
        return;
    }
    bspi_near near = {convex, convex->number, fraction, 1, BSP_NONE, false};
    near.lane = by == BSP_NONE ? BSP_NONE : convex->first_block * BSPI_LANES + by;
    if (apart == 0) {
        near.contact = f8_most(enter);
        near.entered = near.contact < f8_least(leave);
    }
    bspi_note(hit, ray, &near);
}

// Tests a box against a facet. Where it may matter, the plain test decides, except for patches,
// which matter often.
BSPI_INLINE void meet_slab(const bsp_trace_index *index, const bspi_convex *convex,
                           const bspi_ray *ray, const lanes *l, bspi_hit *hit) {
    bspi_clipped c;
    if (!clip(index, convex, convex->num_blocks, 0, l, &c, NULL)) {
        return;
    }
    bool near = c.start_out && c.enter < c.leave && c.enter >= 0 &&
                is_nearer(index, hit, c.enter, convex->number);
    if (near && !ray->still && c.enter > 0 && convex->kind == BSPI_PATCH && index->rules->by_tree) {
        note_slab(index, convex, ray, l, c.enter, hit);
    } else if (near || ray->still) {
        bspi_test_convex(index, convex->number, ray, hit);
    }
}

BSPI_APART void meet(const bsp_trace_index *index, const bspi_convex *convex, const bspi_ray *ray,
                     const lanes *l, bspi_hit *hit) {
    if (!bspi_meets_mask(index, convex, ray)) {
        return;
    }
    if (convex->kind == BSPI_BRUSH && index->rules->by_tree) {
        // What is reported of a hit is after the planes, and most brushes that are met are hit.
        const bspi_origins *origins = bspi_origins_of(convex);
        BSPI_FETCH(origins);
        BSPI_FETCH(origins + 1);
        note_brush(index, convex, ray, l, hit);
    } else if (convex->kind == BSPI_BRUSH) {
        meet_brush(index, convex, ray, l, hit);
    } else if (ray->point && !ray->still) {
        meet_facet(index, convex, ray, l, hit);
    } else {
        meet_slab(index, convex, ray, l, hit);
    }
}

// Finds where the segment enters the boxes of a node: those entered no later than `limit`, with
// contents below that stop it.
BSPI_INLINE m8 meet_boxes(const lanes *l, const bspi_wide *node, float limit, f8 *enter) {
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
// each that meet_boxes finds.
BSPI_INLINE queue8 enter(const lanes *l, const bspi_wide *node, float limit, unsigned *left) {
    f8 enter;
    m8 in = meet_boxes(l, node, limit, &enter);
    *left = m8_bits(in);
    return queue8_of(enter, in);
}

// Returns the plane by which the segment enters a brush at `enter`: of several the first in the
// file.
BSPI_INLINE uint32_t find_lane(const bsp_trace_index *index, const bspi_convex *convex,
                               const bspi_ray *ray, const lanes *l, float enter) {
    const bspi_rules *rules = index->rules;
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    uint32_t best = BSP_NONE;
    uint32_t least = BSPI_ORDER_NONE;
    if (!(enter > 0)) { // the true entry may be before the start
        bspi_clipped c;
        return bspi_clip_convex(index, convex, blocks, ray, &c) ? c.lane : BSP_NONE;
    }
    for (uint32_t i = 0; i < blocks; i++) {
        f8 d1, d2;
        any_distances(l, convex, i, bspi_num_axial(convex), &d1, &d2);
        f8 f = f8_div(f8_sub(d1, f8_all(rules->epsilon)), f8_sub(d1, d2));
        m8 same = f8_eq(f, f8_all(enter));
        unsigned bits = m8_bits(m8_and(same, f8_gt(d1, f8_all(0))));
        choose_lane(convex, i, bits, &least, &best);
    }
    return best;
}

// A node whose other children are still to be visited.
typedef struct waiting {
    queue8 queue;
    const bspi_wide *node;
    unsigned left;
} waiting;

// Tests the open convexes, if the trace leaves the grid.
BSPI_APART void meet_open(const bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
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
        meet(index, bspi_convex_at(index, n), ray, l, hit);
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
        meet_open(index, body, ray, &l, hit);
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
            meet(index, (const bspi_convex *)(const void *)at, ray, &l, hit);
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
    unsigned bits = m8_bits(meet_boxes(l, group, 1, &enter));
    fetch_children(index->pool, group, bits);
    for (unsigned left = bits; left != 0; left &= left - 1) {
        uint32_t child = group->child[__builtin_ctz(left)];
        const bspi_convex *convex = bspi_convex_of(index, child & (BSPI_CHILDREN - 1));
        uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
        if (bspi_meets_mask(index, convex, ray) &&
            clip(index, convex, blocks, 1, l, &out[count].clipped, NULL)) {
            out[count++].convex = convex;
        }
    }
    return count;
}

BSPI_TARGET static uint32_t cut(const bsp_trace_index *index, const bspi_body *body,
                                const bspi_wide *groups, uint32_t count, const bspi_ray *ray,
                                bspi_cut *out) {
    lanes l;
    uint32_t found = 0;
    spread(&l, index, body, ray);
    for (uint32_t i = 0; i < count; i++) {
        found += cut_group(index, &groups[i], ray, &l, out + found);
    }
    return found;
}

const bspi_tracer BSPI_TRACER = {.walk = walk, .clip = clip_one, .find_lane = find_one, .cut = cut};
