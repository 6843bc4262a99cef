// SPDX-License-Identifier: MIT
// What goes between patches that are far from each other, for eight of them: the same operations in
// the same order as for one (rad_throw.c). A file that includes this says by BSPI_AVX2 with what,
// and by BSPI_RAD_EIGHT under which name.
#include "bake/light/rad/rad_eight.h"
#include "core/curves.h"
#include "core/lanes.h"

// One or eight patches.
typedef struct patch8 {
    f8 point[3];
    f8 on[3];
    f8 normal[3];
    f8 area;
    f8 near;
    f8 exposed;
    f8 front;
} patch8;

BSPI_LANES patch8 one8(const bspi_rad_lists *l, uint32_t i) {
    patch8 p = {.area = f8_all(l->area[i]),
                .near = f8_all(l->near[i]),
                .exposed = f8_all(l->exposed[i]),
                .front = f8_all(l->front[i])};
    for (int c = 0; c < 3; c++) {
        p.point[c] = f8_all(l->point[c][i]);
        p.on[c] = f8_all(l->on[c][i]);
        p.normal[c] = f8_all(l->normal[c][i]);
    }
    return p;
}

BSPI_LANES patch8 some8(const bspi_rad_lists *l, uint32_t i) {
    patch8 p = {.area = f8_load(l->area + i),
                .near = f8_load(l->near + i),
                .exposed = f8_load(l->exposed + i),
                .front = f8_load(l->front + i)};
    for (int c = 0; c < 3; c++) {
        p.point[c] = f8_load(l->point[c] + i);
        p.on[c] = f8_load(l->on[c] + i);
        p.normal[c] = f8_load(l->normal[c] + i);
    }
    return p;
}

// Returns what patches receive of others; `near`: those that are too near to tell.
BSPI_LANES f8 share8(const patch8 *to, const patch8 *from, i8 *near) {
    const f8 zero = f8_all(0);
    f8 way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = from->on[c] - to->point[c];
    }
    f8 dist = f8_sqrt(f8_dot(way, way));
    for (int c = 0; c < 3; c++) {
        way[c] = f8_pick(dist > zero, way[c] / dist, way[c]);
    }
    f8 cosine = f8_dot(way, to->normal);
    f8 sent = -f8_dot(way, from->normal);
    f8 share = f8_pick(cosine > f8_all(BSPI_RAD_LEAST_COSINE), cosine * sent / (dist * dist), zero);
    share = f8_min(share * from->area, f8_all(BSPI_RAD_MOST_SHARE));
    *near |= dist < from->near - f8_all(BSPI_RAD_FLUSH);
    return f8_pick(sent * dist <= f8_all(BSPI_RAD_FLUSH), zero, share * from->exposed);
}

BSPI_LANES_TARGET void BSPI_RAD_EIGHT(const bspi_rad_lists *lists, uint32_t from, uint32_t to,
                                      bspi_rad_shares8 *out) {
    const f8 pi = f8_all((float)BSPI_PI);
    patch8 a = one8(lists, from);
    patch8 b = some8(lists, to);
    i8 near = i8_all(0);
    f8 here = share8(&a, &b, &near) / pi;
    f8 there = share8(&b, &a, &near) / pi;
    f8 way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = b.point[c] - a.point[c];
    }
    f8 dist = f8_sqrt(f8_dot(way, way));
    near |= (dist < b.near - f8_all(BSPI_RAD_FLUSH)) | (dist < a.near - f8_all(BSPI_RAD_FLUSH));
    i8 before = (f8_dot(b.point, a.normal) > a.front) & (f8_dot(a.point, b.normal) > b.front);
    i8 faint = here + there < f8_all(BSPI_RAD_FAINT);
    f8_store(out->here, here);
    f8_store(out->there, there);
    out->far = ~i8_bits(near);
    out->some = out->far & i8_bits(before & ~faint);
}
