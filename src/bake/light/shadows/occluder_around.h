// SPDX-License-Identifier: MIT
// How far eight places see around themselves: the faces within reach are gathered once for all.
#ifndef BSPI_BAKE_OCCLUDER_AROUND_H
#define BSPI_BAKE_OCCLUDER_AROUND_H

#include "bake/light/shadows/occluder_hull.h"
#include "bake/light/shadows/occluder_meet.h"

#define AROUND 384u     // faces around places; with more they are looked for line by line
#define MANY_AROUND 64u // the same for those near a direction
#define BESIDE 0.01f    // units beside a box that still count as in it
#define ROUNDED 1e-6f   // share of a coordinate that it may be wrong by

// What is within reach of eight places.
typedef struct around8 {
    bspi_occluder_lines *lines;
    bool even;      // lines in a direction are parallel
    float first[3]; // corners of the box that the places are in
    float last[3];
    uint32_t count; // of the faces; more than AROUND: not all are there
    bspi_occluder_near list[AROUND];
    f8 before[AROUND];   // see before_face
    float least[AROUND]; // of these
    float most[AROUND];
    float normal[3][AROUND];
    float low[3][AROUND]; // corners of the boxes that the faces are in
    float high[3][AROUND];
    uint32_t near[AROUND]; // of the list: those that may be on lines in a direction
} around8;

// The box that some lines are in.
typedef struct reach8 {
    f8 low[3];
    f8 high[3];
} reach8;

// Sets the lines from the places in a direction, and widens their box by them.
BSPI_LANES void turn(const bspi_occluder_places *places, const float direction[3], float reach,
                     f8 way[3], reach8 *in) {
    for (int i = 0; i < 3; i++) {
        way[i] = f8_load(places->side[i]) * f8_all(direction[0] * reach) +
                 f8_load(places->up[i]) * f8_all(direction[1] * reach) +
                 f8_load(places->normal[i]) * f8_all(direction[2] * reach);
        f8 end = f8_load(places->from[i]) + way[i];
        in->low[i] = f8_min(end, in->low[i]);
        in->high[i] = f8_max(end, in->high[i]);
    }
}

// Returns the box that the places are in.
BSPI_LANES reach8 begin_reach(const lines8 *l) {
    return (reach8){.low = {l->from[0], l->from[1], l->from[2]},
                    .high = {l->from[0], l->from[1], l->from[2]}};
}

// Widens a box by what it may be wrong by.
BSPI_LANES void widen(float low[3], float high[3]) {
    for (int i = 0; i < 3; i++) {
        float slack = BESIDE + ROUNDED * (fabsf(low[i]) + fabsf(high[i]));
        low[i] -= slack;
        high[i] += slack;
    }
}

// Sets the corners of the box around all lines, and a little more.
BSPI_LANES void end_reach(const reach8 *in, float low[3], float high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = f8_least(in->low[i]);
        high[i] = f8_most(in->high[i]);
    }
    widen(low, high);
}

// Sets the corners of the box around lines in a direction, and a little more. Parallel ones reach
// from the box of their beginnings as far as the first does from its own.
BSPI_LANES void enclose_turned(const around8 *a, const bspi_occluder_places *places,
                               const float direction[3], float reach, lines8 *l, float low[3],
                               float high[3]) {
    reach8 in = begin_reach(l);
    turn(places, direction, reach, l->way, &in);
    if (!a->even) {
        end_reach(&in, low, high);
        return;
    }
    for (int i = 0; i < 3; i++) {
        float way = l->way[i][0];
        low[i] = way < 0 ? a->first[i] + way : a->first[i];
        high[i] = way > 0 ? a->last[i] + way : a->last[i];
    }
    widen(low, high);
}

// Is a face on one side of all that is in the box?
BSPI_LANES bool is_beside(const bspi_occluder *face, const bspi_occluder_hull *box) {
    float middle = -face->dist;
    float half = 0;
    for (int i = 0; i < 3; i++) {
        middle += face->normal[i] * ((box->low[i] + box->high[i]) / 2);
        half += fabsf(face->normal[i]) * ((box->high[i] - box->low[i]) / 2);
    }
    return fabsf(middle) > half;
}

// Puts a face on the list, which has room for it.
BSPI_LANES void add_near(around8 *a, bspi_occluder_near near, const lines8 *l) {
    const bspi_occluder *face = &a->lines->all->list[near.face];
    const bspi_occluder_box *box = &a->lines->all->boxes[near.box];
    a->list[a->count] = near;
    a->before[a->count] = before_face(face, l);
    a->least[a->count] = f8_least(a->before[a->count]);
    a->most[a->count] = f8_most(a->before[a->count]);
    for (int i = 0; i < 3; i++) {
        a->normal[i][a->count] = face->normal[i];
        a->low[i][a->count] = box->low[i];
        a->high[i][a->count] = box->high[i];
    }
}

// Finds the faces in a box around the places, by its corners.
BSPI_LANES void find_around(around8 *a, const float low[3], const float high[3], const lines8 *l) {
    const struct bspi_occluders *all = a->lines->all;
    bspi_occluder_hull box = {.num_planes = 0};
    uint32_t boxes[AROUND];
    memcpy(box.low, low, sizeof box.low);
    memcpy(box.high, high, sizeof box.high);
    uint32_t count = inside(all, &box, false, boxes, AROUND, &a->lines->steps);
    a->count = count > AROUND ? count : 0;
    for (uint32_t n = 0; n < count && a->count <= AROUND; n++) {
        const bspi_occluder_box *in = &all->boxes[boxes[n]];
        a->lines->steps += in->count;
        for (uint32_t i = in->first; i < in->first + in->count && a->count <= AROUND; i++) {
            const bspi_occluder *face = &all->list[i];
            if (face->kind == BSPI_OCCLUDER_GLASS || !bspi_occluder_shades(face, a->lines) ||
                is_beside(face, &box)) {
                continue;
            }
            if (a->count < AROUND) {
                add_near(a, (bspi_occluder_near){i, boxes[n]}, l);
            }
            a->count++;
        }
    }
}

// Of eight faces, do all parallel lines stay on one side? By the operations of meet_face.
BSPI_LANES i8 stay_beside(const around8 *a, uint32_t first, const f8 way[3]) {
    f8 zero = f8_all(0);
    f8 along = f8_load(&a->normal[0][first]) * f8_all(way[0][0]) +
               f8_load(&a->normal[1][first]) * f8_all(way[1][0]) +
               f8_load(&a->normal[2][first]) * f8_all(way[2][0]);
    f8 least = f8_load(&a->least[first]);
    f8 most = f8_load(&a->most[first]);
    return ((least >= zero) & (least + along >= zero)) | ((most <= zero) & (most + along <= zero));
}

// Chooses the faces that lines may meet: their boxes are not beside that of the lines.
BSPI_LANES uint32_t choose(around8 *a, const f8 way[3], const float low[3], const float high[3]) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < a->count; first += 8) {
        i8 out = a->even ? stay_beside(a, first, way) : i8_all(0);
        for (int i = 0; i < 3; i++) {
            out |= (f8_load(&a->low[i][first]) > f8_all(high[i])) |
                   (f8_load(&a->high[i][first]) < f8_all(low[i]));
        }
        uint32_t bits = ~i8_bits(out) & 0xFF;
        bits &= a->count - first < 8 ? (1u << (a->count - first)) - 1 : 0xFF;
        for (; bits != 0; bits &= bits - 1) {
            a->near[count++] = first + (uint32_t)__builtin_ctz(bits);
        }
    }
    return count;
}

// Returns the parts of lines up to the first of the faces that are chosen.
BSPI_LANES f8 free_part(const around8 *a, uint32_t faces, lines8 *l) {
    const struct bspi_occluders *all = a->lines->all;
    for (int i = 0; i < 3; i++) {
        l->inverse[i] = inverse8(l->way[i]);
    }
    l->end = f8_all(1);
    l->sky = i8_all(0);
    if (faces > MANY_AROUND) {
        find_nearest(a->lines, l);
    }
    for (uint32_t k = 0; k < faces && faces <= MANY_AROUND; k++) {
        uint32_t n = a->near[k];
        meet_face(all, a->list[n].face, &all->boxes[a->list[n].box], true, a->before[n], l);
    }
    a->lines->steps += faces;
    return f8_pick(l->sky, f8_all(1), l->end);
}

// Have all places the same axes?
BSPI_LANES bool are_even(const bspi_occluder_places *places) {
    i8 same = i8_all(-1);
    for (int i = 0; i < 3; i++) {
        same &= (f8_load(places->side[i]) == f8_all(places->side[i][0])) &
                (f8_load(places->up[i]) == f8_all(places->up[i][0])) &
                (f8_load(places->normal[i]) == f8_all(places->normal[i][0]));
    }
    return i8_bits(same) == 0xFF;
}

BSPI_LANES_TARGET static void look_around(bspi_occluder_lines *lines,
                                          const bspi_occluder_places *places,
                                          const float (*directions)[3], uint32_t count, float reach,
                                          float free[BSPI_OCCLUDER_LANES]) {
    lines8 l = {.open = i8_all(-1)};
    around8 a;
    float low[3];
    float high[3];
    f8 sum = f8_all(0);
    a.lines = lines;
    a.even = are_even(places);
    for (int i = 0; i < 3; i++) {
        l.from[i] = f8_load(places->from[i]);
        a.first[i] = f8_least(l.from[i]);
        a.last[i] = f8_most(l.from[i]);
    }
    reach8 all = begin_reach(&l);
    for (uint32_t n = 0; n < count; n++) {
        turn(places, directions[n], reach, l.way, &all);
    }
    end_reach(&all, low, high);
    find_around(&a, low, high, &l);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t faces = a.count;
        if (a.count != 0) {
            enclose_turned(&a, places, directions[n], reach, &l, low, high);
            faces = a.count <= AROUND ? choose(&a, l.way, low, high) : a.count;
        }
        sum += faces != 0 ? free_part(&a, faces, &l) : f8_all(1);
    }
    f8_store(free, sum);
}

#endif
