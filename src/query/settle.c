// SPDX-License-Identifier: MIT
// The hit of a trace in Quake 2 and 3. Their engines go down the tree, test the brushes and patches
// of each leaf in turn, and keep the first of several hits at the same place; a solid that no leaf
// on the way lists is not hit. The index finds the same where only one solid is hit and all its
// leaves list it. Where several may be hit, the engine's trace is done for those only; in solid,
// and where nothing is left of the way, for everything, since the engine stops there.
#include "query/settle.h"

#include "query/clip.h"
#include "query/visits.h"

#include <string.h>

#define SLANT 0.3f             // a component of a normal from which on a box touches with its edge
#define GAP_MARGIN 0.0625f     // units: the largest shift of a gap by rounding
#define TOUCH_MARGIN 0.015625f // units: half of the distance at which the engine stops a trace
#define TOUCH_ROUNDS 4
#define MOST_LISTED 64u // entries of a leaf's list that are searched

// What the engine reports of a hit besides the place.
typedef struct telling {
    float normal[3];
    float dist;
    uint32_t contents;
    uint32_t flags;
} telling;

static telling tell(const bsp_trace_index *index, const bspi_ray *ray, const bspi_convex *convex,
                    uint32_t lane) {
    telling t = {.contents = convex->contents, .flags = bspi_origin_at(convex, lane).flags};
    t.dist = bspi_plane_at(convex, lane, t.normal);
    if (convex->kind == BSPI_PATCH) {
        const bsp_face *face = &index->map->faces[convex->owner];
        t.dist = bspi_moved_dist(ray, t.normal, t.dist);
        t.flags = bspi_surface_flags(index->map, face->texinfo, face->material);
    }
    return t;
}

// Compares to the bit, because the engines report -0 too.
static bool tells_same(const telling *a, const telling *b) {
    return memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
           memcmp(&a->dist, &b->dist, sizeof a->dist) == 0 && a->contents == b->contents &&
           a->flags == b->flags;
}

// Removes from hit->near what no longer matters, and sorts the rest: the facets of a patch are
// tested by number.
static void forget_far(bspi_hit *hit) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < hit->num_near; i++) {
        bspi_near near = hit->near[i];
        if (near.fraction > hit->limit) {
            continue;
        }
        uint32_t at = kept++;
        for (; at > 0 && hit->near[at - 1].convex > near.convex; at--) {
            hit->near[at] = hit->near[at - 1];
        }
        hit->near[at] = near;
    }
    hit->num_near = kept;
}

// Returns true if a leaf lists a convex.
static bool lists(const bsp_map *map, const bsp_leaf *leaf, const bspi_convex *convex) {
    bool brush = convex->kind == BSPI_BRUSH;
    uint32_t count = brush ? leaf->num_brushes : leaf->num_faces;
    if (count == 0) { // the list pointer may be NULL then
        return false;
    }
    const uint32_t *list =
        brush ? map->leaf_brushes + leaf->first_brush : map->leaf_faces + leaf->first_face;
    for (uint32_t i = 0; i < count && i < MOST_LISTED; i++) {
        if (list[i] == convex->owner) {
            return true;
        }
    }
    return false;
}

// Returns true if the leaf of a point lists a convex, and the engine tests that leaf.
static bool is_listed_at(const bsp_trace_index *index, const bspi_ray *ray, uint32_t n,
                         const float at[3]) {
    const bsp_leaf *leaf = bspi_asked_leaf(index, ray, bsp_trace_leaf(index, at));
    return leaf != NULL && lists(index->map, leaf, bspi_convex_at(index, n));
}

// The intersection of a convex with the box at a fraction of its way, and its centre.
typedef struct shared {
    float box[2][3];
    float own[2][3]; // the moved box
} shared;

static void get_shared(const bsp_trace_index *index, const bspi_ray *ray, uint32_t n,
                       float fraction, shared *s) {
    const bspi_place *place = &index->visits.places[n];
    for (int i = 0; i < 3; i++) {
        float origin = ray->start[i] + fraction * (ray->end[i] - ray->start[i]);
        float low = origin + ray->mins[i];
        float high = origin + ray->maxs[i];
        s->own[0][i] = low;
        s->own[1][i] = high;
        s->box[0][i] = low < place->box[0][i] ? place->box[0][i] : low;
        s->box[1][i] = high > place->box[1][i] ? place->box[1][i] : high;
    }
}

// Returns true if the intersection is outside of a box.
static bool is_apart(const shared *s, const float box[2][3]) {
    bool apart = false;
    for (int i = 0; i < 3; i++) {
        apart =
            apart || s->box[0][i] > box[1][i] + GAP_MARGIN || s->box[1][i] < box[0][i] - GAP_MARGIN;
    }
    return apart;
}

// Returns true if it is in none of the convex's gaps: then the engine tests the convex in each leaf
// that both touch. `outside`: a gap with another solid does not count.
static bool is_off_gaps(const bsp_trace_index *index, uint32_t n, bool outside, const shared *s) {
    const bspi_place *place = &index->visits.places[n];
    for (uint32_t k = 0; k < place->num_gaps; k++) {
        const bspi_gap *gap = &place->gaps[k];
        if (!(outside && gap->sure == BSPI_SURE_OUTSIDE) && !is_apart(s, gap->box)) {
            return false;
        }
    }
    return index->visits.ranked;
}

// Returns true if the centre of the side by which the box touches, `normal`, or the centre of the
// intersection is in a leaf that lists the convex: the box is there, so the engine visits that
// leaf.
static bool is_in_list(const bsp_trace_index *index, const bspi_ray *ray, uint32_t n,
                       const float normal[3], const shared *s) {
    float side[3], middle[3];
    for (int i = 0; i < 3; i++) {
        float own = (s->own[0][i] + s->own[1][i]) * 0.5f;
        middle[i] = s->box[0][i] < s->box[1][i] ? (s->box[0][i] + s->box[1][i]) * 0.5f : own;
        side[i] = normal[i] > SLANT ? s->own[0][i] : normal[i] < -SLANT ? s->own[1][i] : own;
    }
    return is_listed_at(index, ray, n, side) ||
           (!ray->point && is_listed_at(index, ray, n, middle));
}

// Returns true if the trace does not start in anything that may be at the place of the convex.
static bool is_off_stuck(const bsp_trace_index *index, const bspi_hit *hit, const shared *s) {
    for (uint32_t k = 0; k < hit->num_stuck && k < BSPI_MOST_STUCK; k++) {
        if (!is_apart(s, index->visits.places[hit->stucks[k]].box)) {
            return false;
        }
    }
    return hit->num_stuck <= BSPI_MOST_STUCK;
}

// Moves a point of the touching side into the planes of a brush that it is outside of, along the
// axes on which it is free. Returns true if it was outside of none.
static bool pull_in(const bspi_convex *convex, const float normal[3], const shared *s, float p[3]) {
    bool inside = true;
    uint32_t count = convex->num_blocks * BSPI_LANES;
    for (uint32_t k = 0; k < count; k++) {
        float n[3]; // the planes across an axis last
        float dist = bspi_plane_of(convex, (k + BSPI_LANES) % count, n);
        float across = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - dist;
        if (across <= TOUCH_MARGIN) {
            continue;
        }
        inside = false;
        float free = 0;
        for (int i = 0; i < 3; i++) {
            free += normal[i] == 0 ? n[i] * n[i] : 0;
        }
        for (int i = 0; i < 3 && free > 0; i++) {
            float moved = normal[i] == 0 ? p[i] - across / free * n[i] : p[i];
            p[i] = moved < s->own[0][i]   ? s->own[0][i]
                   : moved > s->own[1][i] ? s->own[1][i]
                                          : moved;
        }
    }
    return inside;
}

// Returns true if a point of the side, edge or corner by which the box touches is found in the
// brush. At an edge that has no bevel the planes, moved by the box's size, meet far outside of the
// brush: a box that stops there may not have reached any leaf of it, and the engine may stop it
// elsewhere before.
static bool is_at_brush(const bspi_convex *convex, const float normal[3], const shared *s) {
    bool inside = false;
    float p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = normal[i] > 0   ? s->own[0][i]
               : normal[i] < 0 ? s->own[1][i]
                               : (s->box[0][i] + s->box[1][i]) * 0.5f;
    }
    for (int round = 0; round < TOUCH_ROUNDS && !inside; round++) {
        inside = pull_in(convex, normal, s, p);
    }
    return inside;
}

// Returns true if the engine certainly hits a convex unless something else stops the trace before.
// Another solid in its place stops the trace too, but not if the trace starts there.
static bool is_met(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                   const bspi_hit *hit, const bspi_near *near, const float normal[3]) {
    uint8_t sure = near->at->sure;
    bool solid = (ray->mask & BSPI_SOLID_MASK) != 0;
    bool certain = sure == BSPI_SURE || (sure == BSPI_SURE_OUTSIDE && solid && hit->num_stuck == 0);
    if (!near->entered || (certain && ray->point)) {
        return near->entered;
    }
    shared s;
    get_shared(index, ray, near->convex, near->contact, &s);
    if (!ray->point && near->at->kind == BSPI_BRUSH && !is_at_brush(near->at, normal, &s)) {
        return false;
    }
    if (certain) {
        return true;
    }
    return is_off_gaps(index, near->convex, solid && is_off_stuck(index, hit, &s), &s) ||
           (model == 0 && is_in_list(index, ray, near->convex, normal, &s));
}

// Returns the plane by which a candidate is entered.
static uint32_t near_lane(const bsp_trace_index *index, const bspi_tracer *tracer,
                          const bspi_ray *ray, const bspi_near *near) {
    return near->lane != BSP_NONE ? near->lane
                                  : bspi_lane_of(index, tracer, ray, near->at, near->fraction);
}

// Returns true if the engine would report the same for all candidates. The one with the lowest
// number is the first, and is put into the hit.
static bool tell_same(const bsp_trace_index *index, const bspi_tracer *tracer, const bspi_ray *ray,
                      bspi_hit *hit) {
    for (uint32_t i = 0; i < hit->num_near; i++) {
        if (hit->near[i].fraction != hit->fraction) {
            return false;
        }
    }
    hit->convex = hit->near[0].convex;
    hit->at = hit->near[0].at;
    hit->lane = near_lane(index, tracer, ray, &hit->near[0]);
    if (hit->num_near == 1 || hit->lane == BSP_NONE) {
        return hit->lane != BSP_NONE;
    }
    telling first = tell(index, ray, hit->at, hit->lane);
    for (uint32_t i = 1; i < hit->num_near; i++) {
        uint32_t lane = near_lane(index, tracer, ray, &hit->near[i]);
        if (lane == BSP_NONE) {
            return false;
        }
        telling other = tell(index, ray, hit->near[i].at, lane);
        if (!tells_same(&first, &other)) {
            return false;
        }
    }
    return true;
}

// Returns true if, in addition, the engine certainly hits one of them.
static bool agree(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                  const bspi_ray *ray, bspi_hit *hit) {
    if (!tell_same(index, tracer, ray, hit)) {
        return false;
    }
    float normal[3];
    bspi_plane_at(hit->at, hit->lane, normal);
    for (uint32_t i = 0; i < hit->num_near; i++) {
        if (is_met(index, model, ray, hit, &hit->near[i], normal)) {
            return true;
        }
    }
    return false;
}

// Returns true if the engine certainly tests a brush that contains the start. `all`: and the whole
// trace; else another solid in its place gives the same result. Where the start is not deep in it,
// rounding may keep a box out of the leaf that lists it.
static bool is_asked_at_start(const bsp_trace_index *index, const bspi_tracer *tracer,
                              uint32_t model, const bspi_ray *ray, uint32_t n, bool all,
                              float fraction) {
    bool outside = !all && (ray->mask & BSPI_SOLID_MASK) != 0;
    shared s;
    if (bspi_is_deep(index, bspi_convex_at(index, n), ray)) {
        get_shared(index, ray, n, 0, &s);
        if (is_off_gaps(index, n, outside, &s)) {
            return true;
        }
    }
    return bspi_asks(index, tracer, model, ray, n, fraction);
}

// Returns true if the start or the whole trace is in something that the engine may not test.
static bool is_unsure(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                      const bspi_ray *ray, const bspi_hit *hit) {
    bool solid = hit->solid != BSP_NONE && !hit->solid_sure;
    bool stuck = hit->stuck != BSP_NONE && !hit->stuck_sure;
    float end = hit->fraction;
    return (stuck && !is_asked_at_start(index, tracer, model, ray, hit->stuck, false, end)) ||
           (solid && !is_asked_at_start(index, tracer, model, ray, hit->solid, true, end));
}

void bspi_settle(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                 const bspi_ray *ray, bspi_hit *hit) {
    bool stops = hit->solid != BSP_NONE && index->rules->solid_stops;
    bool stuck = hit->stuck != BSP_NONE || hit->solid != BSP_NONE;
    if (ray->still) {
        if (stuck) {
            bspi_visit_still(index, model, ray, hit);
        }
        return;
    }
    if (ray->point && index->visits.has_borders) {
        bspi_note_borders(index, model, ray, hit);
    }
    forget_far(hit);
    if (stops || hit->dropped <= hit->limit || !(hit->fraction > 0) ||
        (stuck && is_unsure(index, tracer, model, ray, hit))) {
        bspi_visit(index, tracer, model, ray, false, hit);
        return;
    }
    if (hit->convex == BSP_NONE || agree(index, tracer, model, ray, hit)) {
        return;
    }
    bspi_visit(index, tracer, model, ray, index->visits.ranked, hit);
    if (hit->convex == BSP_NONE) {
        bspi_visit(index, tracer, model, ray, false, hit);
    }
}
