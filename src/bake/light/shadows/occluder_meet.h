// SPDX-License-Identifier: MIT
// What eight lines meet among faces in boxes. A line is stopped by a face if it meets it and goes
// into the box that the face is in: some slivers have no edges that bound them. A file that
// includes this says by BSPI_AVX2 with what.
#ifndef BSPI_BAKE_OCCLUDER_MEET_H
#define BSPI_BAKE_OCCLUDER_MEET_H

#include "bake/light/shadows/occluder_lanes.h"
#include "core/lanes.h"

typedef struct lines8 {
    f8 from[3];
    f8 way[3];
    f8 inverse[3];
    f8 end;                  // part of each that is looked at
    i8 open;                 // what nothing has stopped; of those whose first face is wanted: all
    i8 sky;                  // of the latter: it is one of the sky
    bspi_occluder_eight *of; // NULL: what light goes through is not noted
} lines8;

// Sets the lanes that go into a box, and where.
BSPI_LANES i8 enter(const lines8 *l, const bspi_occluder_box *box, f8 *at) {
    f8 first = f8_all(0);
    f8 last = l->end;
    for (int i = 0; i < 3; i++) {
        f8 a = (f8_all(box->low[i]) - l->from[i]) * l->inverse[i];
        f8 b = (f8_all(box->high[i]) - l->from[i]) * l->inverse[i];
        first = f8_max(f8_min(a, b), first);
        last = f8_min(f8_max(b, a), last);
    }
    *at = first;
    return (first <= last) & l->open;
}

// Lines meet a face that light goes through.
BSPI_LANES void pass(bspi_occluder_eight *eight, uint32_t face, ptrdiff_t box, uint32_t bits) {
    eight->one |= bits;
    if (eight->num_through < BSPI_OCCLUDER_THROUGH) {
        eight->through[eight->num_through] = (bspi_occluder_near){face, (uint32_t)box};
    }
    eight->num_through += bits != 0 && eight->num_through <= BSPI_OCCLUDER_THROUGH;
}

// Returns how far the beginnings of the lines are before a face.
BSPI_LANES f8 before_face(const bspi_occluder *face, const lines8 *l) {
    return f8_along(face->normal, l->from) - f8_all(face->dist);
}

// Returns the lanes that meet a face, or its plane close to it, where so much of the lines has
// passed.
BSPI_LANES i8 near_face(const struct bspi_occluders *all, const bspi_occluder *face, f8 part,
                        const lines8 *l) {
    const float(*edges)[3] = (const float(*)[3])all->edges + face->first;
    f8 u = l->from[face->axes[0]] + l->way[face->axes[0]] * part;
    f8 v = l->from[face->axes[1]] + l->way[face->axes[1]] * part;
    i8 met = i8_all(-1);
    for (uint32_t e = 0; e < face->edges; e++) {
        f8 in = f8_all(edges[e][0]) * u + f8_all(edges[e][1]) * v + f8_all(edges[e][2]);
        met &= in >= f8_all(-BSPI_OCCLUDER_EDGE);
    }
    return met;
}

// The same without what is close: luxels often lie in planes of walls, and then the last bits of a
// direction say on which side of an edge it goes, as in ericw-tools.
BSPI_LANES i8 on_face(const struct bspi_occluders *all, const bspi_occluder *face, f8 part,
                      const lines8 *l) {
    const float(*edges)[3] = (const float(*)[3])all->edges + face->first;
    const uint8_t *axes = face->axes;
    i8 met = i8_all(-1);
    for (uint32_t e = 0; e < face->edges; e++) {
        f8 u = f8_all(edges[e][0]);
        f8 v = f8_all(edges[e][1]);
        f8 in = u * l->from[axes[0]] + v * l->from[axes[1]] + f8_all(edges[e][2]);
        met &= in + (u * l->way[axes[0]] + v * l->way[axes[1]]) * part >= f8_all(0);
    }
    return met;
}

// Looks at one face; the lines begin so far before it. `nearest`: the first ones on the lines are
// wanted, but for glass; without `of` fences count as whole there.
BSPI_LANES void meet_face(const struct bspi_occluders *all, uint32_t number,
                          const bspi_occluder_box *box, bool nearest, f8 before, lines8 *l) {
    const bspi_occluder *face = &all->list[number];
    f8 past = before + f8_along(face->normal, l->way);
    f8 zero = f8_all(0);
    i8 met = ((before > zero) & (past < zero)) | ((before < zero) & (past > zero));
    met &= l->open;
    if (i8_bits(met) == 0) {
        return;
    }
    f8 part = before / (before - past);
    met &= part <= l->end;
    met &= l->of == NULL ? on_face(all, face, part, l) : near_face(all, face, part, l);
    if (i8_bits(met) == 0) {
        return;
    }
    f8 at;
    met &= enter(l, box, &at);
    bool stops = face->kind == BSPI_OCCLUDER_SOLID || face->kind == BSPI_OCCLUDER_SKY;
    if (nearest && (stops || (face->kind == BSPI_OCCLUDER_FENCE && l->of == NULL))) {
        f8 end = f8_max(at, part); // slivers are in their boxes
        i8 sky = i8_all(face->kind == BSPI_OCCLUDER_SKY ? -1 : 0);
        sky &= (end < l->end) | l->sky; // beside another face the sky does not count
        l->sky = i8_pick(met, sky, l->sky);
        l->end = f8_pick(met, end, l->end);
    } else if (stops) {
        l->open &= ~met;
    } else if (l->of != NULL) {
        pass(l->of, number, box - all->boxes, i8_bits(met));
    }
}

BSPI_LANES void test_face(const struct bspi_occluders *all, uint32_t number,
                          const bspi_occluder_box *box, bool nearest, lines8 *l) {
    meet_face(all, number, box, nearest, before_face(&all->list[number], l), l);
}

BSPI_LANES lines8 take(bspi_occluder_eight *eight) {
    lines8 l;
    for (int i = 0; i < 3; i++) {
        l.from[i] = f8_load(eight->from[i]);
        l.way[i] = f8_load(eight->way[i]);
        l.inverse[i] = f8_load(eight->inverse[i]);
    }
    l.open = i8_mask(eight->open);
    l.end = f8_all(1);
    l.sky = i8_all(0);
    l.of = eight;
    return l;
}

BSPI_LANES void give(const lines8 *l, bspi_occluder_eight *eight) {
    eight->open = i8_bits(l->open);
}

BSPI_LANES f8 inverse8(f8 way) {
    f8 steep = f8_all(BSPI_OCCLUDER_STEEP);
    return f8_all(1) / f8_pick(f8_abs(way) < steep, steep, way);
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
        uint32_t sooner = bits8_count(i8_bits((at[1] < at[0]) & in[0] & in[1]));
        near = 2 * sooner > bits8_count(bits[0] & bits[1]);
        pending[count++] = first + 1 - near;
    }
    if (bits[0] != 0 || bits[1] != 0) {
        pending[count++] = first + near;
    }
    return count;
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

#endif
