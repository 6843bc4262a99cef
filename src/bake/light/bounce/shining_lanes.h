// SPDX-License-Identifier: MIT
// What eight places have of a polygon that shines: by the share of the view that it fills. Included
// by a file that says how the functions are called (BSPI_EIGHT, BSPI_ADD), and for what processor.
// Rules: netradiant-custom, tools/quake3/q3map2/light.cpp.
#include "bake/light/bounce/shining.h"
#include "bake/light/faces/piece.h"
#include "bake/light/lamps/polygons.h"
#include "core/lanes.h"

#define HALF_TURN 3.1415927f
#define TINY 1e-12f // lengths and squares below it count as that

typedef struct v8 {
    f8 x, y, z;
} v8;

BSPI_LANES f8 dot8(const v8 *a, const v8 *b) {
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

// The arc of a tangent from 0 to 1, divided by it; `square` is that of the tangent.
BSPI_LANES f8 arc(f8 square) {
    f8 sum = f8_all(-0.0117212f);
    sum = sum * square + f8_all(0.05265332f);
    sum = sum * square + f8_all(-0.11643287f);
    sum = sum * square + f8_all(0.19354346f);
    sum = sum * square + f8_all(-0.33262347f);
    return sum * square + f8_all(0.99997726f);
}

// Returns the angle between two directions divided by the length of their cross product, by its
// square, by their dot product and by the product of their lengths.
BSPI_LANES f8 angle_by_sine(f8 square, f8 dot, f8 lengths) {
    f8 base = lengths + dot;
    f8 sine = f8_sqrt(f8_max(square, f8_all(TINY)));
    i8 narrow = dot >= f8_all(0);
    f8 part = f8_pick(narrow, sine / f8_max(base, f8_all(TINY)), base / sine);
    part = f8_min(part, f8_all(1));
    f8 half = arc(part * part);
    f8 near = f8_all(2) * half / f8_max(base, f8_all(TINY));
    f8 far = (f8_all(HALF_TURN) - f8_all(2) * part * half) / sine;
    return f8_pick(narrow, near, far);
}

BSPI_LANES v8 way_to(const float corner[3], const v8 *from) {
    return (v8){f8_all(corner[0]) - from->x, f8_all(corner[1]) - from->y,
                f8_all(corner[2]) - from->z};
}

// Returns the share of the view that it fills by the cosines; below 0 where it turns away.
BSPI_LANES f8 share_of(const bspi_shining *shining, const v8 *point, const v8 *normal) {
    f8 total = f8_all(0);
    v8 last = way_to(shining->corners[shining->count - 1], point);
    f8 last_length = f8_sqrt(dot8(&last, &last));
    for (uint32_t i = 0; i < shining->count; i++) {
        v8 way = way_to(shining->corners[i], point);
        f8 length = f8_sqrt(dot8(&way, &way));
        v8 across = {last.y * way.z - last.z * way.y, last.z * way.x - last.x * way.z,
                     last.x * way.y - last.y * way.x};
        f8 square = dot8(&across, &across);
        f8 angle = angle_by_sine(square, dot8(&last, &way), last_length * length);
        total += f8_pick(square > f8_all(TINY), dot8(normal, &across) * angle, f8_all(0));
        last = way;
        last_length = length;
    }
    f8 share = total * f8_all(1 / BSPI_VIEW_WHOLE);
    return f8_pick(f8_abs(share) <= f8_all(1), share, f8_all(0));
}

BSPI_LANES_TARGET uint32_t BSPI_EIGHT(const bspi_shining *shining, const bspi_lamp_places *places,
                                      bool both, float shares[BSPI_LAMP_PLACES], uint32_t *backs) {
    const float *n = shining->normal;
    v8 axis = {f8_all(n[0]), f8_all(n[1]), f8_all(n[2])};
    v8 point = {f8_load(places->point[0]), f8_load(places->point[1]), f8_load(places->point[2])};
    v8 normal = {f8_load(places->normal[0]), f8_load(places->normal[1]),
                 f8_load(places->normal[2])};
    f8 before = dot8(&point, &axis) - f8_all(shining->dist);
    v8 to = way_to(shining->origin, &point);
    f8 square = dot8(&to, &to);
    i8 off = before < f8_all(shining->two_sided ? -INFINITY : -BSPI_POLYGON_BACK);
    off |= (f8_abs(before) < f8_all(BSPI_POLYGON_BESIDE)) &
           (dot8(&normal, &axis) > f8_all(BSPI_POLYGON_SAME));
    off |= square >= f8_all(shining->reach * shining->reach);
    if (!both) {
        off |= dot8(&to, &normal) < f8_all(0);
    }
    uint32_t open = ~i8_bits(off) & ((1u << places->count) - 1);
    *backs = 0;
    if (open == 0) {
        return 0;
    }
    f8 close = f8_all(BSPI_POLYGON_CLOSE);
    f8 push = f8_pick(f8_abs(before) < close, close - before, f8_all(0));
    v8 pushed = {point.x + axis.x * push, point.y + axis.y * push, point.z + axis.z * push};
    f8 share = share_of(shining, &pushed, &normal);
    if (both || shining->two_sided) {
        *backs = i8_bits(share < f8_all(0)) & open;
        share = f8_abs(share);
    }
    f8_store(shares, share);
    return open & i8_bits(share * f8_all(shining->value) > f8_all(shining->gate));
}

BSPI_LANES_TARGET void BSPI_ADD(const uint16_t *shares, uint32_t num, const float color[3],
                                float (*sums)[3][BSPI_LAMP_PLACES]) {
    for (uint32_t n = 0; n < num; n++) {
        float share[BSPI_LAMP_PLACES];
        for (uint32_t i = 0; i < BSPI_LAMP_PLACES; i++) {
            share[i] = (float)shares[n * BSPI_LAMP_PLACES + i];
        }
        for (int c = 0; c < 3; c++) {
            f8 sum = f8_load(sums[n][c]) + f8_load(share) * f8_all(color[c]);
            f8_store(sums[n][c], sum);
        }
    }
}
