// SPDX-License-Identifier: MIT
// The walk of eight lines through boxes of faces. A file that includes this says by BSPI_AVX2 with
// what, and by BSPI_WALK under which name. A line is stopped by a face if it meets it and goes
// into the box that the face is in: some slivers have no edges that bound them.
#include "bake/light/shadows/occluder_lanes.h"
#include "core/lanes.h"

typedef struct lines8 {
    f8 from[3];
    f8 way[3];
    f8 inverse[3];
    f8 end;  // part of each that is looked at
    i8 open; // what nothing has stopped; of those whose first face is wanted: all
    i8 sky;  // of the latter: it is one of the sky
    uint32_t one;
} lines8;

// Sets the lanes that go into a box, and where.
BSPI_LANES i8 enter(const lines8 *l, const bspi_occluder_box *box, f8 *at) {
    f8 first = f8_all(0);
    f8 last = l->end;
    for (int i = 0; i < 3; i++) {
        f8 a = (f8_all(box->low[i]) - l->from[i]) * l->inverse[i];
        f8 b = (f8_all(box->high[i]) - l->from[i]) * l->inverse[i];
        f8 low = f8_pick(a < b, a, b);
        f8 high = f8_pick(a < b, b, a);
        first = f8_pick(low > first, low, first);
        last = f8_pick(high < last, high, last);
    }
    *at = first;
    return (first <= last) & l->open;
}

// Looks at one face. `nearest`: the first ones on the lines are wanted, but for glass; fences count
// as whole there.
BSPI_LANES void test_face(const struct bspi_occluders *all, uint32_t number,
                          const bspi_occluder_box *box, bool nearest, lines8 *l) {
    const bspi_occluder *face = &all->list[number];
    const float *n = face->normal;
    const float(*edges)[3] = (const float(*)[3])all->edges + face->first;
    f8 before = f8_all(n[0]) * l->from[0] + f8_all(n[1]) * l->from[1] + f8_all(n[2]) * l->from[2] -
                f8_all(face->dist);
    f8 past =
        before + (f8_all(n[0]) * l->way[0] + f8_all(n[1]) * l->way[1] + f8_all(n[2]) * l->way[2]);
    f8 zero = f8_all(0);
    i8 met = ((before > zero) & (past < zero)) | ((before < zero) & (past > zero));
    met &= l->open;
    if (i8_bits(met) == 0) {
        return;
    }
    f8 part = before / (before - past);
    f8 u = l->from[face->axes[0]] + l->way[face->axes[0]] * part;
    f8 v = l->from[face->axes[1]] + l->way[face->axes[1]] * part;
    met &= part <= l->end;
    for (uint32_t e = 0; e < face->edges; e++) {
        f8 in = f8_all(edges[e][0]) * u + f8_all(edges[e][1]) * v + f8_all(edges[e][2]);
        met &= in >= f8_all(-BSPI_OCCLUDER_EDGE);
    }
    if (i8_bits(met) == 0) {
        return;
    }
    f8 at;
    met &= enter(l, box, &at);
    bool stops = face->kind == BSPI_OCCLUDER_SOLID || face->kind == BSPI_OCCLUDER_SKY;
    if (nearest && face->kind != BSPI_OCCLUDER_GLASS) {
        l->end = f8_pick(met, f8_pick(at > part, at, part), l->end); // slivers are in their boxes
        l->sky = i8_pick(met, i8_all(face->kind == BSPI_OCCLUDER_SKY ? -1 : 0), l->sky);
    } else if (stops) {
        l->open &= ~met;
    } else {
        l->one |= i8_bits(met);
    }
}

BSPI_LANES lines8 take(const bspi_occluder_eight *eight) {
    lines8 l;
    for (int i = 0; i < 3; i++) {
        l.from[i] = f8_load(eight->from[i]);
        l.way[i] = f8_load(eight->way[i]);
        l.inverse[i] = f8_load(eight->inverse[i]);
    }
    for (int n = 0; n < 8; n++) {
        l.open[n] = (eight->open >> n & 1) != 0 ? -1 : 0;
    }
    l.end = f8_all(1);
    l.sky = i8_all(0);
    l.one = eight->one;
    return l;
}

BSPI_LANES void give(const lines8 *l, bspi_occluder_eight *eight) {
    eight->open = i8_bits(l->open);
    eight->one = l->one;
}

// Looks at the faces of a box. True if no line is open any more.
BSPI_LANES bool test_box(bspi_occluder_lines *lines, uint32_t number, lines8 *l) {
    const bspi_occluder_box *box = &lines->all->boxes[number];
    for (uint32_t i = box->first; i < box->first + box->count; i++) {
        if (bspi_occluder_shades(&lines->all->list[i], lines)) {
            test_face(lines->all, i, box, false, l);
        }
        if (i8_bits(l->open) == 0) {
            lines->last = i;
            lines->last_box = number;
            return true;
        }
    }
    return false;
}

BSPI_LANES uint32_t count_bits(uint32_t bits) {
    bits = bits - (bits >> 1 & 0x55);
    bits = (bits & 0x33) + (bits >> 2 & 0x33);
    return (bits + (bits >> 4)) & 0x0F;
}

// Puts the boxes in a box that lines go into on the list of those to look at, the one that most
// of them meet first last.
BSPI_LANES uint32_t push(const lines8 *l, const bspi_occluder_box *boxes, uint32_t first,
                         uint32_t *pending, uint32_t count) {
    f8 at[2];
    i8 in[2];
    in[0] = enter(l, &boxes[first], &at[0]);
    in[1] = enter(l, &boxes[first + 1], &at[1]);
    uint32_t bits[2] = {i8_bits(in[0]), i8_bits(in[1])};
    uint32_t near = bits[0] == 0;
    if (bits[0] != 0 && bits[1] != 0) {
        uint32_t sooner = count_bits(i8_bits((at[1] < at[0]) & in[0] & in[1]));
        near = 2 * sooner > count_bits(bits[0] & bits[1]);
        pending[count++] = first + 1 - near;
    }
    if (bits[0] != 0 || bits[1] != 0) {
        pending[count++] = first + near;
    }
    return count;
}

BSPI_LANES_TARGET static void walk(bspi_occluder_lines *lines, bspi_occluder_eight *eight) {
    const struct bspi_occluders *all = lines->all;
    uint32_t pending[BSPI_OCCLUDER_DEPTH + 2];
    uint32_t count = 0;
    lines8 l = take(eight);
    f8 at;
    if (lines->last != BSP_NONE && bspi_occluder_shades(&all->list[lines->last], lines)) {
        test_face(all, lines->last, &all->boxes[lines->last_box], false, &l);
    }
    if (all->count != 0 && i8_bits(l.open) != 0 && i8_bits(enter(&l, &all->boxes[0], &at)) != 0) {
        pending[count++] = 0;
    }
    while (count != 0) {
        uint32_t number = pending[--count];
        const bspi_occluder_box *box = &all->boxes[number];
        lines->steps += 2;
        if (box->count == 0) {
            count = push(&l, all->boxes, box->first, pending, count);
        } else if (test_box(lines, number, &l)) {
            break;
        }
    }
    give(&l, eight);
}

BSPI_LANES_TARGET static void test_one(const struct bspi_occluders *all, uint32_t face,
                                       uint32_t box, bspi_occluder_eight *eight) {
    lines8 l = take(eight);
    test_face(all, face, &all->boxes[box], false, &l);
    give(&l, eight);
}

BSPI_LANES f8 inverse8(f8 way) {
    f8 steep = f8_all(BSPI_OCCLUDER_STEEP);
    return f8_all(1) / f8_pick(f8_abs(way) < steep, steep, way);
}

BSPI_LANES_TARGET static void aim(const float from[3][BSPI_OCCLUDER_LANES],
                                  const float way[3][BSPI_OCCLUDER_LANES], const float at[3],
                                  float before, bspi_occluder_eight *eight,
                                  float to[3][BSPI_OCCLUDER_LANES]) {
    for (int i = 0; i < 3; i++) {
        f8 begin = f8_load(from[i]);
        f8 end = f8_all(at[i]) - f8_load(way[i]) * f8_all(before);
        f8 whole = end - begin;
        f8_store(eight->from[i], begin);
        f8_store(eight->way[i], whole);
        f8_store(eight->inverse[i], inverse8(whole));
        f8_store(to[i], end);
    }
}

// Finds the first face on each line.
BSPI_LANES void find_nearest(bspi_occluder_lines *lines, lines8 *l) {
    const struct bspi_occluders *all = lines->all;
    uint32_t pending[BSPI_OCCLUDER_DEPTH + 2];
    uint32_t count = 0;
    f8 at;
    if (all->count != 0) {
        pending[count++] = 0;
    }
    while (count != 0) {
        const bspi_occluder_box *box = &all->boxes[pending[--count]];
        lines->steps += 2;
        if (i8_bits(enter(l, box, &at)) == 0) { // what was found since then is nearer
            continue;
        }
        for (uint32_t i = box->first; i < box->first + box->count; i++) {
            if (bspi_occluder_shades(&all->list[i], lines)) {
                test_face(all, i, box, true, l);
            }
        }
        if (box->count == 0) {
            count = push(l, all->boxes, box->first, pending, count);
        }
    }
}

BSPI_LANES_TARGET static void look_around(bspi_occluder_lines *lines,
                                          const bspi_occluder_places *places,
                                          const float (*directions)[3], uint32_t count, float reach,
                                          float free[BSPI_OCCLUDER_LANES]) {
    lines8 l = {.open = i8_all(-1)};
    f8 sum = f8_all(0);
    for (uint32_t n = 0; n < count; n++) {
        const float *d = directions[n];
        for (int i = 0; i < 3; i++) {
            l.from[i] = f8_load(places->from[i]);
            l.way[i] = f8_load(places->side[i]) * f8_all(d[0] * reach) +
                       f8_load(places->up[i]) * f8_all(d[1] * reach) +
                       f8_load(places->normal[i]) * f8_all(d[2] * reach);
            l.inverse[i] = inverse8(l.way[i]);
        }
        l.end = f8_all(1);
        l.sky = i8_all(0);
        find_nearest(lines, &l);
        sum += f8_pick(l.sky, f8_all(1), l.end);
    }
    f8_store(free, sum);
}

const bspi_occluder_lanes BSPI_WALK = {
    .walk = walk, .test = test_one, .aim = aim, .around = look_around};
