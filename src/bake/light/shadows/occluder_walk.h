// SPDX-License-Identifier: MIT
// The walk of eight lines through boxes of faces. A file that includes this says by BSPI_AVX2 with
// what, and by BSPI_WALK under which name. A line is stopped by a face if it meets it and goes
// into the box that the face is in: some slivers have no edges that bound them.
#include "bake/light/shadows/occluder_lanes.h"
#include "core/lanes.h"

#define AROUND 160u     // faces around places; with more they are looked for line by line
#define MANY_AROUND 48u // the same for those near a direction
#define BESIDE 0.01f    // units beside a box that still count as in it
#define ROUNDED 1e-6f   // share of a coordinate that it may be wrong by

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

// Looks at one face; the lines begin so far before it. `nearest`: the first ones on the lines are
// wanted, but for glass; without `of` fences count as whole there.
BSPI_LANES void meet_face(const struct bspi_occluders *all, uint32_t number,
                          const bspi_occluder_box *box, bool nearest, f8 before, lines8 *l) {
    const bspi_occluder *face = &all->list[number];
    const float(*edges)[3] = (const float(*)[3])all->edges + face->first;
    f8 past = before + f8_along(face->normal, l->way);
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

BSPI_LANES_TARGET static void test_list(const struct bspi_occluders *all,
                                        const bspi_occluder_near *list, uint32_t count,
                                        bspi_occluder_eight *eight) {
    lines8 l = take(eight);
    for (uint32_t n = 0; n < count && i8_bits(l.open) != 0; n++) {
        test_face(all, list[n].face, &all->boxes[list[n].box], false, &l);
    }
    give(&l, eight);
}

// Which boxes of a node does a hull go into?
BSPI_LANES uint32_t enter_hull(const bspi_occluder_node *node, const bspi_occluder_hull *hull) {
    f8 middle[3];
    f8 half[3];
    i8 out = i8_all(0);
    for (int i = 0; i < 3; i++) {
        middle[i] = f8_load(node->middle[i]);
        half[i] = f8_load(node->half[i]);
        out |= f8_abs(middle[i] - f8_all(hull->middle[i])) > half[i] + f8_all(hull->half[i]);
    }
    for (uint32_t n = 0; n < hull->num_planes; n++) {
        const float *p = hull->planes[n];
        f8 least = f8_along(p, middle) - f8_abs(f8_all(p[0])) * half[0] -
                   f8_abs(f8_all(p[1])) * half[1] - f8_abs(f8_all(p[2])) * half[2];
        out |= least > f8_all(p[3]);
    }
    return node->used & ~i8_bits(out);
}

BSPI_LANES_TARGET static uint32_t inside(const struct bspi_occluders *all,
                                         const bspi_occluder_hull *hull, uint32_t *boxes,
                                         uint32_t most, uint64_t *steps) {
    uint32_t pending[BSPI_OCCLUDER_DEPTH * BSPI_OCCLUDER_LANES];
    uint32_t waiting = 0;
    uint32_t count = 0;
    if (all->nodes != NULL) {
        pending[waiting++] = 0;
    }
    while (waiting != 0) {
        const bspi_occluder_node *node = &all->nodes[pending[--waiting]];
        uint32_t bits = enter_hull(node, hull);
        *steps += 4;
        for (; bits != 0; bits &= bits - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(bits);
            if ((node->leaves >> lane & 1) == 0) {
                pending[waiting++] = node->to[lane];
            } else if (count < most) {
                boxes[count++] = node->to[lane];
            } else {
                return most + 1;
            }
        }
    }
    return count;
}

// Sets the corners of a box.
BSPI_LANES void corners8(const bspi_occluder_ends *box, f8 out[3]) {
    const f8 sides[3] = {
        {-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        out[i] = f8_all(box->middle[i]) + f8_all(box->half[i]) * sides[i];
    }
}

// Sets a corner of a box. False if it is that of another number, since the box is flat there.
BSPI_LANES bool corner_of(const bspi_occluder_ends *box, uint32_t corner, float out[3]) {
    bool same = false;
    bool point = true;
    for (int i = 0; i < 3; i++) {
        bool high = (corner >> i & 1) != 0;
        same |= high && !(box->half[i] > 0);
        point &= box->half[i] < BSPI_OCCLUDER_FLAT;
        out[i] = box->middle[i] + (high ? box->half[i] : -box->half[i]);
    }
    return !same && !(point && corner != 0);
}

// Lines cross the plane of a face in the hull of where those from corner to corner do.
BSPI_LANES_TARGET static bspi_occluder_relation among(const struct bspi_occluders *all,
                                                      const bspi_occluder_near *near,
                                                      const bspi_occluder_ends *from,
                                                      const bspi_occluder_ends *to, float margin) {
    const bspi_occluder *face = &all->list[near->face];
    const bspi_occluder_box *box = &all->boxes[near->box];
    const float(*edges)[3] = (const float(*)[3])all->edges + face->first;
    const float *n = face->normal;
    const uint8_t *axes = face->axes;
    f8 begin[3];
    f8 at[8][2];
    uint32_t count = 0;
    corners8(from, begin);
    f8 before = f8_along(n, begin) - f8_all(face->dist);
    i8 in_box = i8_all(-1);
    for (uint32_t corner = 0; corner < 8; corner++) {
        float end[3];
        if (!corner_of(to, corner, end)) {
            continue;
        }
        float past = n[0] * end[0] + n[1] * end[1] + n[2] * end[2] - face->dist;
        f8 part = before / (before - f8_all(past));
        for (int i = 0; i < 2; i++) {
            f8 place = begin[axes[i]] + (f8_all(end[axes[i]]) - begin[axes[i]]) * part;
            in_box &= (place >= f8_all(box->low[axes[i]])) & (place <= f8_all(box->high[axes[i]]));
            at[count][i] = place;
        }
        count++;
    }
    bool inside = i8_bits(in_box) == 0xFF;
    for (uint32_t e = 0; e < face->edges; e++) {
        f8 least = f8_all(INFINITY);
        f8 most = f8_all(-INFINITY);
        for (uint32_t k = 0; k < count; k++) {
            f8 in = f8_all(edges[e][0]) * at[k][0] + f8_all(edges[e][1]) * at[k][1] +
                    f8_all(edges[e][2]);
            least = f8_min(in, least);
            most = f8_max(in, most);
        }
        if (i8_bits(most < f8_all(-margin)) == 0xFF) {
            return BSPI_OCCLUDER_BESIDE;
        }
        inside = inside && i8_bits(least > f8_all(margin)) == 0xFF;
    }
    return inside ? BSPI_OCCLUDER_ACROSS : BSPI_OCCLUDER_PARTLY;
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

BSPI_LANES_TARGET static uint32_t find_sky(bspi_occluder_lines *lines, bspi_occluder_eight *eight) {
    lines8 l = take(eight);
    find_nearest(lines, &l);
    return i8_bits(l.sky) & eight->open;
}

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

const bspi_occluder_lanes BSPI_WALK = {.walk = walk,
                                       .test = test_list,
                                       .inside = inside,
                                       .among = among,
                                       .aim = aim,
                                       .sky = find_sky,
                                       .around = look_around};
