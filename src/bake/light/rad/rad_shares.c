// SPDX-License-Identifier: MIT
// How light is mixed in the wedges around a patch. Source: lerp.cpp of SDHLT (CalcWeight,
// CalcInterpolation).
#include "bake/light/rad/rad_wedges.h"

#include <math.h>

#define ON 0.04f // units

static float within(float part) {
    return part > 0 ? part < 1 ? part : 1 : 0;
}

// --- directions ---------------------------------------------------------------------------------

// Is a direction less than a half turn counterclockwise of another one?
static bool is_left(bspi_flat_spot left, bspi_flat_spot right) {
    return right.x * left.y - right.y * left.x >= 0;
}

// Returns which of some directions, clockwise, is the next one counterclockwise. That is the last
// one that is to the left, if those are beside each other.
static uint32_t next_way(const bspi_flat_spot *ways, uint32_t count, bspi_flat_spot way) {
    uint32_t at = 0;
    float least = INFINITY;
    uint64_t left = 0; // bits of those to the left, and of the last ones of these
    for (uint32_t i = 0; i < count && count <= 64; i++) {
        left |= (uint64_t)is_left(ways[i], way) << i;
    }
    uint64_t last = left & ~(left >> 1 | left << (count - 1) % 64);
    if (last != 0 && (last & (last - 1)) == 0) {
        return (uint32_t)__builtin_ctzll(last);
    }
    for (uint32_t i = 0; i < count; i++) {
        float angle = bspi_flat_turn(ways[i], way);
        at = angle < least ? i : at;
        least = angle < least ? angle : least;
    }
    return at;
}

// --- the weight ---------------------------------------------------------------------------------

// Returns how far a direction goes to the line between two spots.
static float length_to(bspi_flat_spot left, bspi_flat_spot right, bspi_flat_spot way, float *part) {
    *part = bspi_flat_part(left, right, way);
    return (1 - *part) * bspi_flat_dot(left, way) + *part * bspi_flat_dot(right, way);
}

bool bspi_wedges_weigh(const bspi_rad_around *around, bspi_flat_ray at, float *weight) {
    float part;
    *weight = 1;
    if (at.dist <= 2 * ON || around->num_hull == 0) {
        return at.dist <= 2 * ON;
    }
    uint32_t here = next_way(around->hull, around->num_hull, at.way);
    uint32_t next = here + 1 < around->num_hull ? here + 1 : 0;
    float length = length_to(around->hull[here], around->hull[next], at.way, &part);
    if (length <= ON / 4 || at.dist > length + 2 * ON) {
        return false;
    }
    *weight = at.dist >= length - ON ? 0 : 1 - within(at.dist / length);
    return true;
}

// --- squares ------------------------------------------------------------------------------------

// A square: the middle, and three patches around it.
typedef struct square {
    bspi_flat_spot spots[3];
    bspi_flat_spot sides[2]; // from the first of them to the second, from the second to the third
} square;

// Returns how a point divides the way between two lines that are so far off.
static float part_of(float a, float b) {
    return a <= BSPI_FLAT_EPSILON ? 0 : b <= BSPI_FLAT_EPSILON ? 1 : within(a / (a + b));
}

// The same on an edge whose ends are so far from the two lines.
static float part_on(float part, float a, float b) {
    return a <= BSPI_FLAT_EPSILON   ? 1
           : b <= BSPI_FLAT_EPSILON ? 0
                                    : part * b / ((1 - part) * a + part * b);
}

// Mixes along one axis of a square: `near` is the spot beside the middle, `far` are the two
// opposite; `inward` and `outward` are upright on the edges that are not crossed, `along` on that
// of the near ones. Returns the parts of the near edge and of the far one, and how far it is to
// that.
typedef struct parts {
    float near;
    float far;
    float ratio;
} parts;

static parts mix(bspi_flat_spot spot, bspi_flat_spot near, const bspi_flat_spot far[2],
                 bspi_flat_spot inward, bspi_flat_spot outward, bspi_flat_spot along) {
    parts p;
    float edge = bspi_flat_dot(near, outward);
    float part = part_of(bspi_flat_dot(spot, inward), bspi_flat_dot(spot, outward) - edge);
    p.near = part_on(part, bspi_flat_dot(near, inward), -edge);
    p.far = part_on(part, bspi_flat_dot(far[1], inward), bspi_flat_dot(far[0], outward) - edge);
    float away = bspi_flat_dot(spot, along);
    float whole = bspi_flat_dot(bspi_flat_between(far[0], far[1], p.far), along);
    p.ratio = away <= BSPI_FLAT_EPSILON ? 0 : away >= whole ? 1 : within(away / whole);
    return p;
}

// The mean of both axes. Order of weights: the middle, then the three.
static void mix_square(const square *q, const bspi_flat_spot ways[2], bspi_flat_spot spot,
                       float weights[4]) {
    float length;
    bspi_flat_spot up = bspi_flat_unit(bspi_flat_right(ways[0]), &length);
    bspi_flat_spot down = bspi_flat_unit(bspi_flat_left(ways[1]), &length);
    const bspi_flat_spot first[2] = {q->spots[0], q->spots[1]};
    const bspi_flat_spot second[2] = {q->spots[2], q->spots[1]};
    parts a = mix(spot, q->spots[2], first, up, bspi_flat_right(q->sides[1]), down);
    parts b = mix(spot, q->spots[0], second, down, bspi_flat_right(q->sides[0]), up);
    weights[0] = 0.5f * ((1 - a.ratio) * (1 - a.near) + (1 - b.ratio) * (1 - b.near));
    weights[1] = 0.5f * (a.ratio * (1 - a.far) + (1 - b.ratio) * b.near);
    weights[2] = 0.5f * (a.ratio * a.far + b.ratio * b.far);
    weights[3] = 0.5f * ((1 - a.ratio) * a.near + b.ratio * (1 - b.far));
}

static uint32_t share_square(const bspi_rad_around *around, uint32_t patch, uint32_t left,
                             bspi_flat_spot spot, bspi_rad_share out[BSPI_RAD_SHARES]) {
    const bspi_wedge *w[3];
    float weights[4];
    for (uint32_t i = 0; i < 3; i++) {
        w[i] = &around->wedges[(left + i) % around->num_wedges];
    }
    square q = {{w[0]->spot, w[1]->spot, w[2]->spot}, {w[0]->across, w[1]->across}};
    const bspi_flat_spot ways[2] = {w[0]->way, w[2]->way};
    mix_square(&q, ways, spot, weights);
    out[0] = (bspi_rad_share){patch, weights[0]};
    for (uint32_t i = 0; i < 3; i++) {
        out[i + 1] = (bspi_rad_share){w[i]->patch, weights[i + 1]};
    }
    return 4;
}

// --- other wedges -------------------------------------------------------------------------------

static uint32_t pair(bspi_rad_share out[BSPI_RAD_SHARES], uint32_t one, uint32_t other,
                     float part) {
    out[0] = (bspi_rad_share){one, 1 - part};
    out[1] = (bspi_rad_share){other, part};
    return 2;
}

static uint32_t share_triangle(const bspi_rad_around *around, uint32_t patch, uint32_t here,
                               bspi_flat_ray at, bspi_rad_share out[BSPI_RAD_SHARES]) {
    const bspi_wedge *w = &around->wedges[here];
    uint32_t count = around->num_wedges;
    const bspi_wedge *next = &around->wedges[here + 1 < count ? here + 1 : 0];
    float part;
    float length = length_to(w->spot, next->spot, at.way, &part);
    if (length <= ON / 4 || at.dist > length + 2 * ON) {
        return pair(out, w->patch, next->patch, part);
    }
    if (w->shape != BSPI_WEDGE_TRIANGLE) {
        uint32_t left = w->shape == BSPI_WEDGE_LEFT ? here : (here + count - 1) % count;
        return share_square(around, patch, left, at.spot, out);
    }
    float ratio = at.dist >= length - ON ? 1 : within(at.dist / length);
    out[0] = (bspi_rad_share){patch, 1 - ratio};
    out[1] = (bspi_rad_share){w->patch, ratio * (1 - part)};
    out[2] = (bspi_rad_share){next->patch, ratio * part};
    return 3;
}

// Along the line from one spot by the middle to the other one.
static uint32_t share_convex(const bspi_wedge *w, const bspi_wedge *next, uint32_t patch,
                             bspi_flat_spot spot, bspi_rad_share out[BSPI_RAD_SHARES]) {
    float at = bspi_flat_dot(spot, w->across);
    float left = bspi_flat_dot(w->spot, w->across) - at;
    float right = bspi_flat_dot(next->spot, w->across) - at;
    if (left >= -BSPI_FLAT_EPSILON) {
        return pair(out, w->patch, patch, 0);
    }
    if (right <= BSPI_FLAT_EPSILON) {
        return pair(out, next->patch, patch, 0);
    }
    return at < 0 ? pair(out, w->patch, patch, within(left / (left + at)))
                  : pair(out, patch, next->patch, within(at / (at + right)));
}

// Along the nearer edge.
static uint32_t share_concave(const bspi_wedge *w, const bspi_wedge *next, uint32_t patch,
                              bspi_flat_spot spot, bspi_rad_share out[BSPI_RAD_SHARES]) {
    const bspi_wedge *edge = bspi_flat_dot(spot, w->across) < 0 ? w : next;
    float length = bspi_flat_dot(edge->spot, edge->way);
    float dist = bspi_flat_dot(spot, edge->way);
    return pair(out, patch, edge->patch, dist <= BSPI_FLAT_EPSILON ? 0 : within(dist / length));
}

uint32_t bspi_wedges_share(const bspi_rad_around *around, uint32_t patch, bspi_flat_ray at,
                           bspi_rad_share out[BSPI_RAD_SHARES]) {
    if (at.dist <= 2 * ON || around->num_wedges == 0) {
        return pair(out, patch, patch, 0);
    }
    uint32_t here = next_way(around->ways, around->num_wedges, at.way);
    const bspi_wedge *w = &around->wedges[here];
    const bspi_wedge *next = &around->wedges[here + 1 < around->num_wedges ? here + 1 : 0];
    return w->shape == BSPI_WEDGE_CONVEX    ? share_convex(w, next, patch, at.spot, out)
           : w->shape == BSPI_WEDGE_CONCAVE ? share_concave(w, next, patch, at.spot, out)
                                            : share_triangle(around, patch, here, at, out);
}
