// SPDX-License-Identifier: MIT
// Rays against the solid brushes of the world, one by one.
#include "light.h"

#define FAR_AWAY 16384.0
#define NEAR_START 1e-4

typedef struct blocker {
    box3 box;
    plane3 *planes;
    uint32_t count;
    bool sky;
} blocker;

static blocker *blockers;
static uint32_t num_blockers;

void trace_begin(const world *w) {
    blockers = NULL;
    num_blockers = 0;
    for (uint32_t i = 0; i < w->models[0].num_brushes; i++) {
        const brush *b = &w->models[0].brushes[i];
        if ((b->contents & CONTENTS_SOLID) == 0) {
            continue;
        }
        blocker one = {.box = hull_box(b->shape)};
        for (uint32_t s = 0; s < b->num_sides; s++) {
            if (!b->sides[s].bevel) {
                one.sky = (w->materials[b->sides[s].material].flags & SURF_SKY) != 0;
                PUSH(one.planes, one.count, w->planes.list[b->sides[s].plane]);
            }
        }
        PUSH(blockers, num_blockers, one);
    }
}

static bool passes_box(const blocker *b, vec3 from, vec3 to) {
    for (int i = 0; i < 3; i++) {
        if ((from.v[i] < b->box.mins.v[i] && to.v[i] < b->box.mins.v[i]) ||
            (from.v[i] > b->box.maxs.v[i] && to.v[i] > b->box.maxs.v[i])) {
            return false;
        }
    }
    return true;
}

// Where the ray enters the brush, as a part of its length; 2 if it does not.
static double enter(const blocker *b, vec3 from, vec3 to) {
    double in = 0;
    double out = 1;
    if (!passes_box(b, from, to)) {
        return 2;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        double start = plane_side(&b->planes[i], from);
        double end = plane_side(&b->planes[i], to);
        if (start > -NEAR_START && end > -NEAR_START) {
            return 2;
        }
        if (start > 0 && end <= 0) {
            double at = start / (start - end);
            in = at > in ? at : in;
        } else if (start <= 0 && end > 0) {
            double at = start / (start - end);
            out = at < out ? at : out;
        }
    }
    return in < out ? in : 2;
}

bool trace_clear(vec3 from, vec3 to) {
    static uint32_t last; // what stood in the way of a ray often does in that of the next
    if (last < num_blockers && enter(&blockers[last], from, to) < 1) {
        return false;
    }
    for (uint32_t i = 0; i < num_blockers; i++) {
        if (enter(&blockers[i], from, to) < 1) {
            last = i;
            return false;
        }
    }
    return true;
}

bool trace_sky(vec3 from, vec3 direction) {
    vec3 to = add(from, scaled(direction, FAR_AWAY));
    double nearest = 2;
    bool sky = false;
    for (uint32_t i = 0; i < num_blockers; i++) {
        double at = enter(&blockers[i], from, to);
        if (at < nearest) {
            nearest = at;
            sky = blockers[i].sky;
        }
    }
    return sky;
}
