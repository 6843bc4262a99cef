// SPDX-License-Identifier: MIT
// What a hull goes into: boxes, and the face that lines between two boxes cross.
#ifndef BSPI_BAKE_OCCLUDER_HULL_H
#define BSPI_BAKE_OCCLUDER_HULL_H

#include "bake/light/shadows/occluder_lanes.h"
#include "core/fastest.h"
#include "core/lanes.h"

// Has the ends of the boxes of a node ready when it is looked at.
BSPI_LANES void fetch_node(const bspi_occluder_node *node) {
    BSPI_FETCH(node->ends[0]);
    BSPI_FETCH(node->ends[0][2]);
    BSPI_FETCH(node->ends[1][1]);
}

// Which boxes of a node does a hull go into?
BSPI_LANES uint32_t enter_hull(const bspi_occluder_node *node, const bspi_occluder_hull *hull) {
    i8 out = i8_all(0);
    for (int i = 0; i < 3; i++) {
        out |= (f8_load(node->ends[0][i]) > f8_all(hull->high[i])) |
               (f8_load(node->ends[1][i]) < f8_all(hull->low[i]));
    }
    if ((node->used & ~i8_bits(out)) == 0) {
        return 0;
    }
    for (uint32_t n = 0; n < hull->num_planes; n++) {
        const bspi_occluder_plane *p = &hull->planes[n];
        f8 least = f8_all(p->by[0]) * f8_load(node->ends[p->ends[0]][p->axes[0]]) +
                   f8_all(p->by[1]) * f8_load(node->ends[p->ends[1]][p->axes[1]]);
        out |= least > f8_all(p->most);
    }
    return node->used & ~i8_bits(out);
}

BSPI_LANES_TARGET static uint32_t inside(const struct bspi_occluders *all,
                                         const bspi_occluder_hull *hull, bool sky, uint32_t *boxes,
                                         uint32_t most, uint64_t *steps) {
    uint32_t pending[BSPI_OCCLUDER_DEPTH * BSPI_OCCLUDER_LANES];
    uint32_t waiting = 0;
    uint32_t count = 0;
    if (all->nodes != NULL) {
        pending[waiting++] = 0;
    }
    while (waiting != 0) {
        const bspi_occluder_node *node = &all->nodes[pending[--waiting]];
        uint32_t bits = enter_hull(node, hull) & (sky ? node->skies : node->used);
        *steps += 4;
        for (; bits != 0; bits &= bits - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(bits);
            if ((node->leaves >> lane & 1) == 0) {
                fetch_node(&all->nodes[node->to[lane]]);
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

BSPI_LANES_TARGET static void enclose(const bspi_occluder_bundle *bundle, uint32_t first,
                                      uint32_t count, float from[2][3], float to[2][3]) {
    for (int i = 0; i < 3; i++) {
        f8 low[2] = {f8_all(INFINITY), f8_all(INFINITY)};
        f8 high[2] = {f8_all(-INFINITY), f8_all(-INFINITY)};
        for (uint32_t n = first; n < first + count; n++) {
            f8 ends[2] = {f8_load(bundle->eights[n].from[i]), f8_load(bundle->to[n][i])};
            for (int end = 0; end < 2; end++) {
                low[end] = f8_min(ends[end], low[end]);
                high[end] = f8_max(ends[end], high[end]);
            }
        }
        from[0][i] = f8_least(low[0]);
        from[1][i] = f8_most(high[0]);
        to[0][i] = f8_least(low[1]);
        to[1][i] = f8_most(high[1]);
    }
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

// Limits the parts of lines to those at which they may go into a box.
BSPI_LANES void cast_on_box(const bspi_occluder_box *box, const bspi_occluder_cast *cast,
                            float parts[2]) {
    for (int i = 0; i < 3; i++) {
        float around = cast->from.half[i] + cast->slack;
        if (fabsf(cast->way[i]) >= BSPI_OCCLUDER_STEEP) {
            float low = (box->low[i] - cast->from.middle[i] - around) / cast->way[i];
            float high = (box->high[i] - cast->from.middle[i] + around) / cast->way[i];
            parts[0] = fmaxf(parts[0], fminf(low, high));
            parts[1] = fminf(parts[1], fmaxf(low, high));
        }
    }
}

// Lines that all cross the plane of a face: those from the corners are around the others.
BSPI_LANES bspi_occluder_relation cast_on_face(const struct bspi_occluders *all,
                                               const bspi_occluder_near *near,
                                               const bspi_occluder_cast *cast, const f8 begin[3],
                                               f8 part, float margin) {
    const bspi_occluder *face = &all->list[near->face];
    const bspi_occluder_box *box = &all->boxes[near->box];
    const float(*edges)[3] = (const float(*)[3])all->edges + face->first;
    i8 in = i8_all(-1);
    f8 at[2];
    for (int i = 0; i < 2; i++) {
        int axis = face->axes[i];
        at[i] = begin[axis] + f8_all(cast->way[axis]) * part;
        in &= (at[i] >= f8_all(box->low[axis])) & (at[i] <= f8_all(box->high[axis]));
    }
    for (uint32_t e = 0; e < face->edges; e++) {
        f8 inside = f8_all(edges[e][0]) * at[0] + f8_all(edges[e][1]) * at[1] + f8_all(edges[e][2]);
        if (i8_bits(inside < f8_all(-margin)) == 0xFF) {
            return BSPI_OCCLUDER_BESIDE;
        }
        in &= inside > f8_all(margin);
    }
    return i8_bits(in) == 0xFF ? BSPI_OCCLUDER_ACROSS : BSPI_OCCLUDER_PARTLY;
}

BSPI_LANES_TARGET static bspi_occluder_relation cast_box(const struct bspi_occluders *all,
                                                         const bspi_occluder_near *near,
                                                         const bspi_occluder_cast *cast,
                                                         float parts[2]) {
    const bspi_occluder *face = &all->list[near->face];
    const float *n = face->normal;
    float along = n[0] * cast->way[0] + n[1] * cast->way[1] + n[2] * cast->way[2];
    f8 begin[3];
    corners8(&cast->from, begin);
    f8 before = f8_along(n, begin) - f8_all(face->dist);
    float least = f8_least(before);
    float most = f8_most(before);
    float slack = cast->slack;
    parts[0] = 0;
    parts[1] = 1;
    cast_on_box(&all->boxes[near->box], cast, parts);
    if (fminf(least, least + along) > slack || fmaxf(most, most + along) < -slack) {
        return BSPI_OCCLUDER_BESIDE;
    }
    if (!(least > slack && most + along < -slack) && !(most < -slack && least + along > slack)) {
        return BSPI_OCCLUDER_PARTLY;
    }
    float wrong = 2 * slack / fabsf(along); // a part, by so much
    f8 part = before / f8_all(-along);
    parts[0] = fmaxf(parts[0], f8_least(part) - wrong);
    parts[1] = fminf(parts[1], f8_most(part) + wrong);
    return cast_on_face(all, near, cast, begin, part, slack + cast->length * wrong);
}

#endif
