// SPDX-License-Identifier: MIT
// How far eight places see around themselves: the faces within reach are gathered once for all.
#ifndef BSPI_BAKE_OCCLUDER_AROUND_H
#define BSPI_BAKE_OCCLUDER_AROUND_H

#include "bake/light/shadows/occluder_hull.h"
#include "bake/light/shadows/occluder_meet.h"

#define AROUND 160u     // faces around places; with more they are looked for line by line
#define MANY_AROUND 48u // the same for those near a direction
#define BESIDE 0.01f    // units beside a box that still count as in it
#define ROUNDED 1e-6f   // share of a coordinate that it may be wrong by

// What is within reach of eight places.
typedef struct around8 {
    bspi_occluder_lines *lines;
    f8 ways[BSPI_OCCLUDER_TURN][3]; // that are near each other
    float low[3];                   // corners of the box that lines along these are in
    float high[3];
    uint32_t count; // of the faces; more than AROUND: not all are there
    bspi_occluder_near list[AROUND];
    f8 before[AROUND];     // see before_face
    uint32_t near[AROUND]; // of the list: those that may be on such lines
} around8;

BSPI_LANES void enclose8(f8 at, float *low, float *high) {
    for (int n = 0; n < 8; n++) {
        *low = at[n] < *low ? at[n] : *low;
        *high = at[n] > *high ? at[n] : *high;
    }
}

// Sets some of the directions, and the box.
BSPI_LANES void turn(around8 *a, const bspi_occluder_places *places, const float (*directions)[3],
                     uint32_t count, float reach) {
    for (int i = 0; i < 3; i++) {
        f8 from = f8_load(places->from[i]);
        f8 low = from;
        f8 high = from;
        for (uint32_t n = 0; n < count; n++) {
            const float *d = directions[n];
            a->ways[n][i] = f8_load(places->side[i]) * f8_all(d[0] * reach) +
                            f8_load(places->up[i]) * f8_all(d[1] * reach) +
                            f8_load(places->normal[i]) * f8_all(d[2] * reach);
            low = f8_min(low, from + a->ways[n][i]);
            high = f8_max(high, from + a->ways[n][i]);
        }
        a->low[i] = INFINITY;
        a->high[i] = -INFINITY;
        enclose8(low, &a->low[i], &a->high[i]);
        enclose8(high, &a->low[i], &a->high[i]);
        float slack = BESIDE + ROUNDED * (fabsf(a->low[i]) + fabsf(a->high[i]));
        a->low[i] -= slack;
        a->high[i] += slack;
    }
}

// Is a face on one side of all that is in the box?
BSPI_LANES bool is_beside(const bspi_occluder *face, const bspi_occluder_hull *box) {
    float middle = -face->dist;
    float half = 0;
    for (int i = 0; i < 3; i++) {
        middle += face->normal[i] * box->middle[i];
        half += fabsf(face->normal[i]) * box->half[i];
    }
    return fabsf(middle) > half;
}

// Finds the faces in a box around the places, by its corners.
BSPI_LANES void find_around(around8 *a, const float low[3], const float high[3], const lines8 *l) {
    const struct bspi_occluders *all = a->lines->all;
    bspi_occluder_hull box = {.num_planes = 0};
    uint32_t boxes[AROUND];
    for (int i = 0; i < 3; i++) {
        box.middle[i] = (low[i] + high[i]) / 2;
        box.half[i] = (high[i] - low[i]) / 2;
    }
    uint32_t count = inside(all, &box, boxes, AROUND, &a->lines->steps);
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
                a->list[a->count] = (bspi_occluder_near){i, boxes[n]};
                a->before[a->count] = before_face(face, l);
            }
            a->count++;
        }
    }
}

// Chooses the faces that may be on lines along the directions that are set.
BSPI_LANES uint32_t choose(around8 *a) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < a->count; n++) {
        const bspi_occluder_box *box = &a->lines->all->boxes[a->list[n].box];
        bool out = false;
        for (int i = 0; i < 3; i++) {
            out |= (box->low[i] > a->high[i]) | (box->high[i] < a->low[i]);
        }
        a->near[count] = n;
        count += !out;
    }
    return count;
}

BSPI_LANES f8 free_part(const around8 *a, const f8 way[3], uint32_t faces, lines8 *l) {
    const struct bspi_occluders *all = a->lines->all;
    for (int i = 0; i < 3; i++) {
        l->way[i] = way[i];
        l->inverse[i] = inverse8(way[i]);
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

BSPI_LANES_TARGET static void look_around(bspi_occluder_lines *lines,
                                          const bspi_occluder_places *places,
                                          const float (*directions)[3], uint32_t count, float reach,
                                          float free[BSPI_OCCLUDER_LANES]) {
    lines8 l = {.open = i8_all(-1)};
    around8 a;
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    f8 sum = f8_all(0);
    a.lines = lines;
    for (uint32_t n = 0; n < count; n += BSPI_OCCLUDER_TURN) {
        uint32_t some = count - n < BSPI_OCCLUDER_TURN ? count - n : BSPI_OCCLUDER_TURN;
        turn(&a, places, directions + n, some, reach);
        for (int i = 0; i < 3; i++) {
            l.from[i] = f8_load(places->from[i]);
            low[i] = a.low[i] < low[i] ? a.low[i] : low[i];
            high[i] = a.high[i] > high[i] ? a.high[i] : high[i];
        }
    }
    find_around(&a, low, high, &l);
    for (uint32_t n = 0; n < count; n += BSPI_OCCLUDER_TURN) {
        uint32_t some = count - n < BSPI_OCCLUDER_TURN ? count - n : BSPI_OCCLUDER_TURN;
        uint32_t faces = a.count;
        if (a.count != 0) {
            turn(&a, places, directions + n, some, reach);
            faces = a.count <= AROUND ? choose(&a) : a.count;
        }
        for (uint32_t k = 0; k < some; k++) {
            sum += faces != 0 ? free_part(&a, a.ways[k], faces, &l) : f8_all(1);
        }
    }
    f8_store(free, sum);
}

#endif
