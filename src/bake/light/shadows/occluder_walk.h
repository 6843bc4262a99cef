// SPDX-License-Identifier: MIT
// The walk of eight lines through boxes of faces. A file that includes this says by BSPI_AVX2 with
// what, and by BSPI_WALK under which name.
#include "bake/light/shadows/occluder_around.h"
#include "bake/light/shadows/occluder_hull.h"
#include "bake/light/shadows/occluder_meet.h"

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

BSPI_LANES_TARGET static void test_boxes(bspi_occluder_lines *lines, const uint32_t *boxes,
                                         uint32_t count, bspi_occluder_eight *eight) {
    lines8 l = take(eight);
    for (uint32_t n = 0; n < count; n++) {
        lines->steps += lines->all->boxes[boxes[n]].count;
        if (test_box(lines, boxes[n], &l)) {
            break;
        }
    }
    give(&l, eight);
}

BSPI_LANES_TARGET static uint32_t test_list(const struct bspi_occluders *all,
                                            const bspi_occluder_near *list, uint32_t count,
                                            bspi_occluder_eight *eight) {
    lines8 l = take(eight);
    uint32_t n = 0;
    for (; n < count; n++) {
        test_face(all, list[n].face, &all->boxes[list[n].box], false, &l);
        if (i8_bits(l.open) == 0) {
            break;
        }
    }
    give(&l, eight);
    return n;
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

BSPI_LANES_TARGET static uint32_t find_sky(bspi_occluder_lines *lines,
                                           const float from[3][BSPI_OCCLUDER_LANES],
                                           const float way[3], const bspi_occluder_first *first,
                                           bspi_occluder_eight *eight) {
    lines8 l = {.open = i8_mask(eight->open), .end = f8_all(1), .of = eight};
    for (int i = 0; i < 3; i++) {
        l.from[i] = f8_load(from[i]);
        l.way[i] = (l.from[i] + f8_all(way[i])) - l.from[i]; // to what can be told of its end
        l.inverse[i] = inverse8(l.way[i]);
    }
    if (first->known) {
        for (uint32_t n = 0; n < first->count; n++) {
            const bspi_occluder_near *near = &first->list[n];
            test_face(lines->all, near->face, &lines->all->boxes[near->box], true, &l);
        }
        lines->steps += first->count;
    } else {
        find_nearest(lines, &l);
    }
    return i8_bits(l.sky) & eight->open;
}

const bspi_occluder_lanes BSPI_WALK = {.walk = walk,
                                       .test_boxes = test_boxes,
                                       .test = test_list,
                                       .inside = inside,
                                       .enclose = enclose,
                                       .among = among,
                                       .cast = cast_box,
                                       .aim = aim,
                                       .sky = find_sky,
                                       .around = look_around};
