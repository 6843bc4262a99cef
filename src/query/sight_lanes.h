// SPDX-License-Identifier: MIT
// Lines of sight for eight lanes: a piece of each goes down the tree, and is cut at planes as
// bspi_trace_hull cuts it, by the same operations in the same order. What solid stops is known
// without a look at where: only the order in which leaves are found differs, and of that nothing
// depends but a hit at the very end of a line, which is left to the trace. A file that includes
// this says by BSPI_AVX2 with what, and by BSPI_SIGHT under which name.
#include "core/lanes.h"
#include "query/sight_eight.h"

#define MOST_PENDING 96u  // sides of planes that are left for later
#define MOST_LEVELS 1000u // of the tree
#define MOST_STEPS 4096u  // nodes that are looked at; then it is not known
#define LARGEST 1e9f      // units: farther lines are traced
#define AT_END 0.25f      // units from the end of a line: what is hit there is traced,
#define AT_END_PART 1e-4f // and within so much of its coordinates

// What of some lines is to be looked at.
typedef struct pieces {
    f8 from[3];
    f8 to[3];
    bspi_child at;
    uint32_t level;
    uint32_t lanes;
    uint32_t begins; // those that begin where their line does
} pieces;

// Returns how far points are before a plane that is not across an axis: summed in double precision,
// as one line is.
BSPI_LANES f8 slope8(const bspi_slope *slope, const f8 at[3]) {
#if defined(BSPI_AVX2)
    __m128 halves[2];
    for (int h = 0; h < 2; h++) {
        __m256d sum = _mm256_setzero_pd();
        for (int i = 0; i < 3; i++) {
            __m128 half = h == 0 ? _mm256_castps256_ps128((__m256)at[i])
                                 : _mm256_extractf128_ps((__m256)at[i], 1);
            __m256d part = _mm256_mul_pd(_mm256_cvtps_pd(half), _mm256_set1_pd(slope->normal[i]));
            sum = i == 0 ? part : _mm256_add_pd(sum, part);
        }
        halves[h] = _mm256_cvtpd_ps(_mm256_sub_pd(sum, _mm256_set1_pd(slope->dist)));
    }
    return (f8)_mm256_set_m128(halves[1], halves[0]);
#else
    f8 away;
    for (int n = 0; n < 8; n++) {
        double sum = (double)at[0][n] * (double)slope->normal[0] +
                     (double)at[1][n] * (double)slope->normal[1] +
                     (double)at[2][n] * (double)slope->normal[2];
        away[n] = (float)(sum - (double)slope->dist);
    }
    return away;
#endif
}

// Returns how far points are before the plane of a node.
BSPI_LANES f8 away8(const bspi_hull *hull, bspi_child node, const f8 at[3]) {
    const bspi_step *step = &hull->steps[bspi_node_of(node)];
    uint32_t axis = bspi_axis_of(node);
    return axis < BSPI_SLOPING ? at[axis] - f8_all(step->dist)
                               : slope8(&hull->slopes[step->slope], at);
}

// Returns bits of the points that are on the back side.
BSPI_LANES uint32_t back8(const bspi_step *step, uint32_t axis, const f8 at[3], f8 away) {
    return axis < BSPI_SLOPING ? i8_bits(at[axis] < f8_all(step->dist)) : i8_bits(away < f8_all(0));
}

// Returns bits of the pieces that begin so near to the end of their lines that what they find there
// may be at all of the way.
BSPI_LANES uint32_t ends8(const bspi_sight_eight *eight, const pieces *p) {
    i8 apart = i8_all(0);
    for (int i = 0; i < 3; i++) {
        f8 to = f8_load(eight->to[i]);
        f8 slack = f8_all(AT_END) + f8_all(AT_END_PART) * f8_abs(to);
        apart |= f8_abs(p->from[i] - to) > slack;
    }
    return ~i8_bits(apart);
}

// Notes what a leaf does to the pieces in it.
BSPI_LANES void reach_leaf(bspi_sight_eight *eight, const pieces *p) {
    if (p->at != BSPI_SOLID_LEAF) {
        return;
    }
    uint32_t unsure = (p->lanes & ~p->begins) != 0 ? p->lanes & ~p->begins & ends8(eight, p) : 0;
    eight->unknown |= unsure;
    eight->stopped |= p->lanes & ~unsure;
}

// Cuts pieces at the plane of a node, whose side `first` is gone to; the part of the other one goes
// to `later`.
BSPI_LANES void cut8(const bspi_step *step, pieces *p, uint32_t from_back, uint32_t to_back, f8 t1,
                     f8 t2, uint32_t first, pieces *later) {
    uint32_t cross = (from_back ^ to_back) & p->lanes;
    i8 back = i8_mask(from_back);
    f8 epsilon = f8_pick(back, f8_all(-BSPI_HULL_EPSILON), f8_all(BSPI_HULL_EPSILON));
    f8 part = (t1 - epsilon) / (t1 - t2);
    part = f8_pick(part < f8_all(0), f8_all(0), f8_pick(part > f8_all(1), f8_all(1), part));
    uint32_t beyond = first != 0 ? ~from_back & cross : from_back & cross; // that come there later
    i8 comes = i8_mask(beyond);
    i8 leaves = i8_mask(cross & ~beyond);
    for (int i = 0; i < 3; i++) {
        f8 at = p->from[i] + part * (p->to[i] - p->from[i]);
        later->from[i] = f8_pick(leaves, at, p->from[i]);
        later->to[i] = f8_pick(comes, at, p->to[i]);
        p->from[i] = f8_pick(comes, at, p->from[i]);
        p->to[i] = f8_pick(leaves, at, p->to[i]);
    }
    uint32_t in[2] = {p->lanes & ~(from_back & to_back), p->lanes & (from_back | to_back)};
    later->at = step->children[1 - first];
    later->lanes = in[1 - first];
    later->begins = p->begins & ~(cross & ~beyond);
    later->level = p->level + 1;
    p->at = step->children[first];
    p->lanes = in[first];
    p->begins &= ~beyond;
    p->level++;
}

// Leaves out the lines that cross a plane from its front, where others do so from its back. Returns
// the side from which the rest do.
BSPI_LANES uint32_t near8(bspi_sight_eight *eight, pieces *p, uint32_t cross, uint32_t from_back) {
    uint32_t backs = cross & from_back;
    if (backs != 0) {
        eight->unknown |= cross & ~from_back;
        p->lanes &= ~(cross & ~from_back);
    }
    return backs != 0;
}

// Goes down from a node to a leaf. Returns how many sides are left for later then. `near`: what is
// nearer is gone to first, else the side where most begin.
BSPI_LANES uint32_t descend8(const bspi_hull *hull, bspi_sight_eight *eight, pieces *p,
                             pieces *list, uint32_t count, uint32_t *steps, bool near) {
    while (p->at < BSPI_OPEN_LEAF) {
        const bspi_step *step = &hull->steps[bspi_node_of(p->at)];
        f8 t1 = away8(hull, p->at, p->from);
        f8 t2 = away8(hull, p->at, p->to);
        uint32_t axis = bspi_axis_of(p->at);
        uint32_t from_back = back8(step, axis, p->from, t1);
        uint32_t to_back = back8(step, axis, p->to, t2);
        uint32_t first = near ? near8(eight, p, (from_back ^ to_back) & p->lanes, from_back) : 0;
        if (((from_back | to_back) & p->lanes) == 0) {
            p->at = step->children[0];
            p->level++;
        } else if ((from_back & to_back & p->lanes) == p->lanes) {
            p->at = step->children[1];
            p->level++;
        } else if (count < MOST_PENDING) {
            uint32_t backs = bits8_count(from_back & p->lanes);
            first = near ? first : 2 * backs > bits8_count(p->lanes);
            cut8(step, p, from_back, to_back, t1, t2, first, &list[count]);
            count++;
        } else {
            *steps = MOST_STEPS;
        }
        if (++*steps >= MOST_STEPS || p->level >= MOST_LEVELS) {
            eight->unknown = eight->lanes;
            return 0;
        }
    }
    return count;
}

BSPI_LANES uint32_t far8(const f8 at[3]) {
    i8 near = f8_abs(at[0]) < f8_all(LARGEST);
    near &= f8_abs(at[1]) < f8_all(LARGEST);
    near &= f8_abs(at[2]) < f8_all(LARGEST);
    return ~i8_bits(near);
}

// Sets the whole of all lines, those that are too long left out.
BSPI_LANES void begin8(bspi_child root, bspi_sight_eight *eight, pieces *p) {
    for (int i = 0; i < 3; i++) { // adding 0 makes 0 of -0
        p->from[i] = f8_load(eight->from[i]) + f8_all(0);
        p->to[i] = f8_load(eight->to[i]) + f8_all(0);
    }
    eight->stopped = 0;
    eight->unknown = (far8(p->from) | far8(p->to)) & eight->lanes;
    p->at = root;
    p->level = 0;
    p->lanes = p->begins = eight->lanes & ~eight->unknown;
}

BSPI_LANES_TARGET void BSPI_SIGHT(const bspi_hull *hull, bspi_child root, bspi_sight_eight *eight) {
    pieces list[MOST_PENDING];
    pieces p;
    uint32_t count = 0;
    uint32_t steps = 0;
    begin8(root, eight, &p);
    while (p.lanes != 0) {
        count = descend8(hull, eight, &p, list, count, &steps, false);
        reach_leaf(eight, &p);
        p.lanes = 0;
        while (count != 0 && p.lanes == 0) {
            p = list[--count];
            p.lanes &= ~(eight->stopped | eight->unknown);
        }
    }
    eight->stopped &= ~eight->unknown;
}
