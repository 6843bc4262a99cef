// SPDX-License-Identifier: MIT
// Planes by number, and convex solids bounded by them.
#include "geometry.h"

#include <math.h>

#define NORMAL_EPSILON 1e-6
#define DIST_EPSILON 0.005
#define MAX_HULL_FACES 64u

// --- planes -------------------------------------------------------------------------------------

static bool same_plane(const plane3 *a, vec3 normal, double dist) {
    return fabs(a->normal.v[0] - normal.v[0]) < NORMAL_EPSILON &&
           fabs(a->normal.v[1] - normal.v[1]) < NORMAL_EPSILON &&
           fabs(a->normal.v[2] - normal.v[2]) < NORMAL_EPSILON &&
           fabs(a->dist - dist) < DIST_EPSILON;
}

// Axial normals and whole distances exactly, and no negative zeros.
static vec3 tidy_normal(vec3 n) {
    for (int i = 0; i < 3; i++) {
        if (fabs(n.v[i]) > 1 - NORMAL_EPSILON) {
            double sign = n.v[i] < 0 ? -1 : 1;
            n = vec(0, 0, 0);
            n.v[i] = sign;
            return n;
        }
        n.v[i] = fabs(n.v[i]) < NORMAL_EPSILON ? 0 : n.v[i];
    }
    return n;
}

static bool faces_back(vec3 n) {
    int nearest = 0;
    for (int i = 1; i < 3; i++) {
        nearest = fabs(n.v[i]) > fabs(n.v[nearest]) + NORMAL_EPSILON ? i : nearest;
    }
    return n.v[nearest] < 0;
}

static vec3 reversed(vec3 n) {
    for (int i = 0; i < 3; i++) {
        n.v[i] = n.v[i] == 0 ? 0 : -n.v[i];
    }
    return n;
}

uint32_t plane_find(plane_set *set, vec3 normal, double dist) {
    normal = tidy_normal(normal);
    double whole = floor(dist + 0.5);
    dist = fabs(dist - whole) < DIST_EPSILON / 10 ? whole : dist;
    for (uint32_t i = 0; i < set->count; i++) {
        if (same_plane(&set->list[i], normal, dist)) {
            return i;
        }
    }
    bool back = faces_back(normal);
    plane3 even = {back ? reversed(normal) : normal, back ? 0 - dist : dist};
    plane3 odd = {reversed(even.normal), 0 - even.dist};
    PUSH(set->list, set->count, even);
    PUSH(set->list, set->count, odd);
    return set->count - (back ? 1 : 2);
}

// --- solids -------------------------------------------------------------------------------------

static const hull *hull_new(const hull_face *faces, uint32_t count) {
    hull *h = zeroed(sizeof *h + count * sizeof *faces);
    h->count = count;
    for (uint32_t i = 0; i < count; i++) {
        h->faces[i] = faces[i];
    }
    return h;
}

const hull *hull_of_planes(const plane_set *set, const uint32_t *planes, uint32_t count) {
    hull_face faces[MAX_HULL_FACES];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && kept < MAX_HULL_FACES; i++) {
        const winding *w = winding_of_plane(&set->list[planes[i]]);
        for (uint32_t j = 0; w != NULL && j < count; j++) {
            if (j != i) {
                winding_split(w, &set->list[planes[j]], NULL, &w);
            }
        }
        if (w != NULL) {
            faces[kept++] = (hull_face){planes[i], w};
        }
    }
    return kept < 4 ? NULL : hull_new(faces, kept);
}

// The part behind a plane, closed by a face on it.
static const hull *part(const plane_set *set, const hull *h, uint32_t plane) {
    hull_face faces[MAX_HULL_FACES];
    uint32_t count = 0;
    const winding *cap = winding_of_plane(&set->list[plane]);
    for (uint32_t i = 0; i < h->count && count + 1 < MAX_HULL_FACES; i++) {
        const winding *w;
        winding_split(h->faces[i].w, &set->list[plane], NULL, &w);
        if (w != NULL) {
            faces[count++] = (hull_face){h->faces[i].plane, w};
        }
        if (cap != NULL) {
            winding_split(cap, &set->list[h->faces[i].plane], NULL, &cap);
        }
    }
    if (cap != NULL) {
        faces[count++] = (hull_face){plane, cap};
    }
    const hull *out = count < 4 ? NULL : hull_new(faces, count);
    return out != NULL && hull_volume(out) < MIN_VOLUME ? NULL : out;
}

bool hull_crosses(const hull *h, const plane3 *plane) {
    bool before = false;
    bool behind = false;
    for (uint32_t i = 0; i < h->count; i++) {
        for (uint32_t j = 0; j < h->faces[i].w->count; j++) {
            double side = plane_side(plane, h->faces[i].w->p[j]);
            before = before || side > ON_EPSILON;
            behind = behind || side < -ON_EPSILON;
        }
    }
    return before && behind;
}

void hull_split(const plane_set *set, const hull *h, uint32_t plane, const hull **front,
                const hull **back) {
    if (hull_crosses(h, &set->list[plane])) {
        *front = part(set, h, plane ^ 1);
        *back = part(set, h, plane);
        return;
    }
    bool behind = plane_side(&set->list[plane], hull_centre(h)) < 0;
    *front = behind ? NULL : h;
    *back = behind ? h : NULL;
}

vec3 hull_centre(const hull *h) {
    vec3 sum = vec(0, 0, 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        for (uint32_t j = 0; j < h->faces[i].w->count; j++, count++) {
            sum = add(sum, h->faces[i].w->p[j]);
        }
    }
    return scaled(sum, 1.0 / count);
}

double hull_volume(const hull *h) {
    vec3 centre = hull_centre(h);
    double sum = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const winding *w = h->faces[i].w;
        for (uint32_t j = 2; j < w->count; j++) {
            vec3 a = sub(w->p[0], centre);
            vec3 b = sub(w->p[j - 1], centre);
            vec3 c = sub(w->p[j], centre);
            sum += fabs(dot(a, cross(b, c))) / 6;
        }
    }
    return sum;
}

box3 hull_box(const hull *h) {
    box3 box = box_empty();
    for (uint32_t i = 0; i < h->count; i++) {
        for (uint32_t j = 0; j < h->faces[i].w->count; j++) {
            box_add(&box, h->faces[i].w->p[j]);
        }
    }
    return box;
}

static bool boxes_meet(box3 a, box3 b) {
    for (int i = 0; i < 3; i++) {
        if (a.mins.v[i] > b.maxs.v[i] - ON_EPSILON || b.mins.v[i] > a.maxs.v[i] - ON_EPSILON) {
            return false;
        }
    }
    return true;
}

bool hull_meets(const plane_set *set, const hull *a, const hull *b) {
    if (!boxes_meet(hull_box(a), hull_box(b))) {
        return false;
    }
    for (uint32_t i = 0; a != NULL && i < b->count; i++) {
        const hull *front;
        hull_split(set, a, b->faces[i].plane, &front, &a);
    }
    return a != NULL;
}
