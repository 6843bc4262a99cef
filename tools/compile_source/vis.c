// SPDX-License-Identifier: MIT
// Visibility between clusters: from each opening of a cluster through the openings behind it, each
// clipped to what a straight line through the two before it can reach. What is dropped is less
// than MIN_AREA of an opening; apart from that nothing visible is left out.
#include "world.h"

typedef struct opening {
    const winding *w;
    plane3 plane; // faces away from where one comes from
    uint32_t to;
} opening;

typedef struct seer {
    world *w;
    opening **from; // openings of each leaf
    uint32_t *num_from;
    uint8_t *row;
    uint8_t *on_path;
} seer;

static void set(uint8_t *row, uint32_t bit) {
    row[bit >> 3] = (uint8_t)(row[bit >> 3] | 1u << (bit & 7));
}

static plane3 reversed(plane3 p) {
    return (plane3){scaled(p.normal, -1), -p.dist};
}

// -1, 1: all points but those on the plane are behind, in front of it; 0: both, or none are off it.
static int where(const winding *w, const plane3 *plane) {
    bool before = false;
    bool behind = false;
    for (uint32_t i = 0; i < w->count; i++) {
        double at = plane_side(plane, w->p[i]);
        before = before || at > ON_EPSILON;
        behind = behind || at < -ON_EPSILON;
    }
    return before == behind ? 0 : before ? 1 : -1;
}

// What of `target` a straight line through `source` and `pass` can reach: it is cut by each plane
// through an edge of the one and a corner of the other that has them on different sides.
static const winding *clip(const winding *source, const winding *pass, const winding *target) {
    for (uint32_t i = 0; target != NULL && i < source->count; i++) {
        vec3 along = sub(source->p[(i + 1) % source->count], source->p[i]);
        for (uint32_t k = 0; target != NULL && k < pass->count; k++) {
            vec3 normal = cross(along, sub(pass->p[k], source->p[i]));
            if (length(normal) < ON_EPSILON) {
                continue;
            }
            plane3 plane = {unit(normal), 0};
            plane.dist = dot(plane.normal, pass->p[k]);
            plane = where(source, &plane) > 0 ? reversed(plane) : plane;
            if (where(source, &plane) < 0 && where(pass, &plane) > 0) {
                winding_split(target, &plane, &target, NULL);
            }
        }
    }
    return target;
}

static void flow(seer *s, const winding *source, const plane3 *out, uint32_t at,
                 const winding *pass) {
    set(s->row, s->w->leaves[at].cluster);
    s->on_path[at] = 1;
    for (uint32_t i = 0; i < s->num_from[at]; i++) {
        const opening *next = &s->from[at][i];
        const winding *target = next->w;
        const winding *seen_from = source;
        if (s->on_path[next->to] != 0) {
            continue;
        }
        winding_split(target, out, &target, NULL);
        winding_split(seen_from, &next->plane, NULL, &seen_from);
        if (target != NULL && seen_from != NULL && pass != NULL) {
            target = clip(seen_from, pass, target);
            seen_from = target == NULL ? NULL : clip(target, pass, seen_from);
        }
        if (target != NULL && seen_from != NULL) {
            flow(s, seen_from, out, next->to, target);
        }
    }
    s->on_path[at] = 0;
}

static void list_openings(seer *s) {
    world *w = s->w;
    for (uint32_t i = 0; i < w->num_portals; i++) {
        const portal *p = &w->portals[i];
        plane3 plane = w->planes.list[p->plane];
        for (int way = 0; way < 2; way++) {
            uint32_t from = p->leaves[way];
            opening o = {p->w, way == 0 ? plane : reversed(plane), p->leaves[1 - way]};
            PUSH(s->from[from], s->num_from[from], o);
        }
    }
}

// What is visible from what is visible can be heard.
static void hear(world *w) {
    for (uint32_t a = 0; a < w->num_clusters; a++) {
        const uint8_t *row = w->visible + (size_t)a * w->row_bytes;
        for (uint32_t b = 0; b < w->num_clusters; b++) {
            for (uint32_t i = 0; (row[b >> 3] >> (b & 7) & 1) != 0 && i < w->row_bytes; i++) {
                w->audible[a * w->row_bytes + i] |= w->visible[b * w->row_bytes + i];
            }
        }
    }
}

void see(world *w) {
    w->row_bytes = (w->num_clusters + 7) / 8;
    w->visible = zeroed((size_t)w->num_clusters * w->row_bytes);
    w->audible = zeroed((size_t)w->num_clusters * w->row_bytes);
    seer s = {.w = w,
              .from = zeroed(w->num_leaves * sizeof *s.from),
              .num_from = zeroed(w->num_leaves * sizeof *s.num_from),
              .on_path = zeroed(w->num_leaves)};
    list_openings(&s);
    for (uint32_t l = 0; l < w->num_leaves; l++) {
        uint32_t cluster = w->leaves[l].cluster;
        if (cluster == BSP_NONE) {
            continue;
        }
        s.row = w->visible + (size_t)cluster * w->row_bytes;
        set(s.row, cluster);
        s.on_path[l] = 1;
        for (uint32_t i = 0; i < s.num_from[l]; i++) {
            const opening *o = &s.from[l][i];
            flow(&s, o->w, &o->plane, o->to, NULL);
        }
        s.on_path[l] = 0;
    }
    // Sight goes both ways; rounding could have broken that.
    for (uint32_t a = 0; a < w->num_clusters; a++) {
        for (uint32_t b = 0; b < w->num_clusters; b++) {
            if ((w->visible[(size_t)a * w->row_bytes + (b >> 3)] >> (b & 7) & 1) != 0) {
                set(w->visible + (size_t)b * w->row_bytes, a);
            }
        }
    }
    hear(w);
}
