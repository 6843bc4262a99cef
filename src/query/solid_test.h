// SPDX-License-Identifier: MIT
// What a trace does with a solid that its way may meet. A file for each instruction set includes
// it, by walk.h.
#ifndef BSPI_SOLID_TEST_H
#define BSPI_SOLID_TEST_H

#include "query/lanes.h"

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
    if (all && (rules->leaves_solid || (rules->by_tree && rules->solid_stops))) {
        hit->fraction = hit->limit = 0; // no hit counts; or the tree decides
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

// Does what bspi_is_deep does.
BSPI_INLINE bool is_deep(const bspi_convex *convex, uint32_t blocks, const lanes *l) {
    unsigned out = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        f8 d1, d2;
        any_distances(l, convex, i, bspi_num_axial(convex), &d1, &d2);
        out |= m8_bits(f8_gt(f8_add(d1, f8_all(BSPI_DEPTH)), f8_all(0)));
    }
    return out == 0;
}

// Records that a ray leaves a brush that contains its start, or that it enters before it has left
// these, for rules with leaves_solid.
BSPI_INLINE void note_left(const bspi_clipped *clipped, bspi_hit *hit) {
    float leave = clipped->end_out && clipped->leave != 1 ? clipped->leave : 0;
    hit->left = leave > hit->left ? leave : hit->left;
    if (!clipped->end_out || hit->fraction < hit->left) {
        hit->lost = true;
        hit->limit = 0; // bspi_exit_solid finds all else
    }
}

BSPI_INLINE void test_brush(const bsp_trace_index *index, const bspi_convex *convex,
                            const bspi_ray *ray, const lanes *l, bspi_hit *hit) {
    bspi_clipped c;
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    if (!clip(index, convex, blocks, 1, l, &c, NULL)) {
        return;
    }
    if (!c.start_out) {
        get_stuck(index, convex, ray, !c.end_out, false, hit);
        if (index->rules->leaves_solid) {
            hit->left = hit->left > 0 ? hit->left : 0;
            hit->ordered =
                hit->ordered || !bspi_is_surely_listed(convex, ray) || !is_deep(convex, blocks, l);
            note_left(&c, hit);
        }
    } else if (c.enter < c.leave && c.enter < hit->left) {
        hit->ordered = true;
        note_left(&c, hit);
    } else if (c.enter < c.leave && c.enter > -1) {
        float fraction = c.enter > 0 ? c.enter : 0;
        if (is_nearer(index, hit, fraction, convex->number)) {
            hit->second = hit->fraction;
            hit->fraction = fraction;
            hit->limit = fraction + ray->slack < 1 ? fraction + ray->slack : 1;
            hit->convex = convex->number;
            hit->at = convex;
            hit->lane = BSP_NONE; // found at the end, for the final hit
        } else if (fraction < hit->second && convex->number != hit->convex) {
            hit->second = fraction;
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
BSPI_INLINE void test_facet(const bsp_trace_index *index, const bspi_convex *convex,
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
BSPI_INLINE void test_slab(const bsp_trace_index *index, const bspi_convex *convex,
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

BSPI_APART void test_convex(const bsp_trace_index *index, const bspi_convex *convex,
                            const bspi_ray *ray, const lanes *l, bspi_hit *hit) {
    if (!bspi_is_masked(index, convex, ray)) {
        return;
    }
    if (convex->kind == BSPI_BRUSH && index->rules->by_tree) {
        // What is reported of a hit is after the planes, and most brushes that are met are hit.
        const bspi_origins *origins = bspi_origins_of(convex);
        BSPI_FETCH(origins);
        BSPI_FETCH(origins + 1);
        note_brush(index, convex, ray, l, hit);
    } else if (convex->kind == BSPI_BRUSH) {
        test_brush(index, convex, ray, l, hit);
    } else if (ray->point && !ray->still) {
        test_facet(index, convex, ray, l, hit);
    } else {
        test_slab(index, convex, ray, l, hit);
    }
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

#endif
