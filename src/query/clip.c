// SPDX-License-Identifier: MIT
// The plain test of a trace against a convex, plane by plane, and against all of them. It defines
// the result that the fast walk must reproduce to the bit.
#include "query/clip.h"

#include <math.h>

// One plane of a convex, in the order of blocks and lanes.
typedef struct lane_plane {
    float d1; // distance of the start, positive in front
    float d2; // distance of the end
    uint32_t order;
    bool inward;
} lane_plane;

static lane_plane get_plane(const bsp_trace_index *index, const bspi_convex *convex, uint32_t n,
                            const bspi_ray *ray) {
    uint32_t number = convex->first_block + n / BSPI_LANES;
    uint32_t lane = n % BSPI_LANES;
    float normal[3];
    float dist = bspi_plane_of(convex, n, normal);
    dist = bspi_moved_dist(ray, normal, dist);
    return (lane_plane){
        .d1 = bspi_dot(ray->start, normal) - dist,
        .d2 = bspi_dot(ray->end, normal) - dist,
        .order = bspi_origin_of(convex, n).order,
        .inward = (index->inward[number] >> lane & 1) != 0,
    };
}

bool bspi_clip_convex(const bsp_trace_index *index, const bspi_convex *convex, uint32_t blocks,
                      const bspi_ray *ray, bspi_clipped *out) {
    const bspi_rules *rules = index->rules;
    *out = (bspi_clipped){.enter = -1, .leave = 1, .order = BSPI_ORDER_NONE, .lane = BSP_NONE};
    for (uint32_t n = 0; n < blocks * BSPI_LANES; n++) {
        lane_plane p = get_plane(index, convex, n, ray);
        out->start_out |= p.d1 > 0;
        out->end_out |= p.d2 > 0;
        if (p.d1 > 0 && (p.d2 >= rules->reject_at || p.d2 >= p.d1)) {
            return false;
        }
        if (p.d1 > 0) {
            float f = (p.d1 - rules->epsilon) / (p.d1 - p.d2);
            f = f > rules->least_enter ? f : rules->least_enter;
            if (f > out->enter || (f == out->enter && f > -1 && p.order < out->order)) {
                out->enter = f;
                out->order = p.order;
                out->lane = convex->first_block * BSPI_LANES + n;
            }
        } else if (p.d2 > 0) {
            float f = (p.d1 + rules->epsilon) / (p.d1 - p.d2);
            out->leave = f < out->leave ? f : out->leave;
        }
    }
    return true;
}

#define PARALLEL 99999.0f // the engine's value for a plane that is never crossed

static float crossing(float d1, float d2) {
    float f = d1 == d2 ? PARALLEL : d1 / (d1 - d2);
    return f <= 0 ? PARALLEL : f;
}

bool bspi_clip_point(const bsp_trace_index *index, const bspi_convex *convex, float epsilon,
                     const bspi_ray *ray, bspi_touch *out) {
    lane_plane surface = get_plane(index, convex, 0, ray);
    if (!(surface.d1 > 0)) {
        return false;
    }
    float meets = crossing(surface.d1, surface.d2);
    if (!(meets <= 1)) {
        return false;
    }
    for (uint32_t n = 1; n < convex->point_blocks * BSPI_LANES; n++) {
        lane_plane p = get_plane(index, convex, n, ray);
        bool outside = p.d1 > 0 || (p.inward && p.d1 == 0);
        float f = crossing(p.d1, p.d2);
        // For patches the engine ignores a crossing at the start; for displacements the trace ends
        // there.
        bool leaves = convex->kind == BSPI_DISP && p.d1 == 0 && p.d2 > 0;
        if (leaves || (outside ? f > meets : f < meets)) {
            return false;
        }
    }
    float f = (surface.d1 - epsilon) / (surface.d1 - surface.d2);
    *out = (bspi_touch){.fraction = f > 0 ? f : 0, .contact = meets};
    return true;
}

bool bspi_enters_deep(const bsp_trace_index *index, const bspi_convex *convex, const bspi_ray *ray,
                      float *contact) {
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    bool patch = convex->kind == BSPI_PATCH; // thin: it consists of its surface only
    float depth = patch ? 0 : BSPI_DEPTH;
    float enter = 0;
    float leave = 1;
    *contact = 1;
    for (uint32_t n = 0; n < blocks * BSPI_LANES; n++) {
        lane_plane p = get_plane(index, convex, n, ray);
        float d1 = p.d1 + depth;
        float d2 = p.d2 + depth;
        float f = d1 / (p.d1 - p.d2);
        if (patch && p.order == convex->num_planes - 1) {
            continue; // the back plane
        }
        if (d1 > 0 && d2 > 0) {
            return false;
        }
        if (d1 > 0) {
            enter = f > enter ? f : enter;
        } else if (d2 > 0) {
            leave = f < leave ? f : leave;
        }
    }
    *contact = enter;
    return enter < leave;
}

bool bspi_is_deep(const bsp_trace_index *index, const bspi_convex *convex, const bspi_ray *ray) {
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    for (uint32_t n = 0; n < blocks * BSPI_LANES; n++) {
        if (get_plane(index, convex, n, ray).d1 + BSPI_DEPTH > 0) {
            return false;
        }
    }
    return true;
}

#define MARGIN 0.02f   // units: the largest shift by rounding along the way
#define ROUNDING 1e-6f // the same as a fraction

// Returns the largest error of a fraction.
static float margin(const bspi_ray *ray) {
    float longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        float step = fabsf(ray->end[axis] - ray->start[axis]);
        longest = step > longest ? step : longest;
    }
    return MARGIN / longest + ROUNDING;
}

// Returns the index of the one that is hit last.
static uint32_t find_last(const bspi_hit *hit) {
    uint32_t last = 0;
    for (uint32_t i = 1; i < hit->num_near; i++) {
        last = hit->near[i].fraction > hit->near[last].fraction ? i : last;
    }
    return last;
}

void bspi_note(bspi_hit *hit, const bspi_ray *ray, const bspi_near *near) {
    for (uint32_t i = 0; i < hit->num_near; i++) {
        if (hit->near[i].convex == near->convex) {
            return; // a convex may stand in the index several times
        }
    }
    if (near->fraction < hit->fraction) {
        hit->fraction = near->fraction;
        hit->convex = near->convex;
        hit->at = near->at;
        hit->lane = near->lane;
    }
    // The engine stops where it touches this at the latest.
    float limit = (near->contact > near->fraction ? near->contact : near->fraction) + margin(ray);
    hit->limit = limit < hit->limit ? limit : hit->limit;
    if (hit->num_near < BSPI_MOST_NEAR) {
        hit->near[hit->num_near++] = *near;
        return;
    }
    bspi_near *last = &hit->near[find_last(hit)];
    float dropped = near->fraction < last->fraction ? last->fraction : near->fraction;
    hit->dropped = dropped < hit->dropped ? dropped : hit->dropped;
    if (near->fraction < last->fraction) {
        *last = *near;
    }
}

void bspi_note_stuck(const bspi_convex *convex, const bspi_ray *ray, bool all, bool deep,
                     bspi_hit *hit) {
    if (hit->num_stuck < BSPI_MOST_STUCK) {
        hit->stucks[hit->num_stuck] = convex->number;
    }
    hit->num_stuck++;
    if (deep) {
        bool sure = convex->sure == BSPI_SURE;
        // Where another solid fills its place, the start is inside of that solid.
        bool outside = convex->sure == BSPI_SURE_OUTSIDE && (ray->mask & BSPI_SOLID_MASK) != 0;
        hit->stuck_sure = hit->stuck_sure || sure || outside;
        hit->solid_sure = hit->solid_sure || (all && sure);
    }
}

// --- what counts ---------------------------------------------------------------------------------

typedef struct meeting {
    uint32_t convex;
    uint32_t lane;
    float fraction;
    float contact; // -1 where it is not known
} meeting;

static void take(const bsp_trace_index *index, const bspi_ray *ray, bspi_hit *hit, meeting m) {
    if (!index->rules->by_tree) {
        if (m.fraction < hit->fraction || (m.fraction == hit->fraction && m.convex < hit->convex)) {
            hit->fraction = hit->limit = m.fraction;
            hit->convex = m.convex;
            hit->lane = m.lane;
        }
        return;
    }
    if (m.fraction <= hit->limit) {
        const bspi_convex *at = bspi_convex_at(index, m.convex);
        bspi_near near = {at, m.convex, m.fraction, m.contact, m.lane, true};
        if (m.contact < 0) {
            near.entered = bspi_enters_deep(index, at, ray, &near.contact);
        }
        bspi_note(hit, ray, &near);
    }
}

static void get_stuck(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray, bool all,
                      bspi_hit *hit) {
    const bspi_rules *rules = index->rules;
    hit->stuck = n < hit->stuck ? n : hit->stuck;
    hit->solid = all && n < hit->solid ? n : hit->solid;
    if (!rules->by_tree) {
        return;
    }
    if (all && rules->solid_stops) {
        hit->fraction = hit->limit = 0; // the tree decides about the rest
    }
    const bspi_convex *convex = bspi_convex_at(index, n);
    bspi_note_stuck(convex, ray, all, bspi_is_deep(index, convex, ray), hit);
}

static void test_brush(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray,
                       bspi_hit *hit) {
    bspi_clipped c;
    const bspi_convex *convex = bspi_convex_at(index, n);
    if (!bspi_clip_convex(index, convex, ray->point ? convex->point_blocks : convex->num_blocks,
                          ray, &c)) {
        return;
    }
    if (!c.start_out) {
        get_stuck(index, n, ray, !c.end_out, hit);
    } else if (c.enter < c.leave && c.enter > -1) {
        take(index, ray, hit, (meeting){n, c.lane, c.enter > 0 ? c.enter : 0, -1});
    }
}

#define AWAY 0.03125f // DISPCOLL_DIST_EPSILON

// Returns true if a box moves so far along a displacement's normal that it passes through it from
// the back.
static bool moves_away(const bsp_trace_index *index, const bspi_convex *convex,
                       const bspi_ray *ray) {
    lane_plane surface = get_plane(index, convex, 0, ray);
    return convex->kind == BSPI_DISP && surface.d2 - surface.d1 > AWAY;
}

static void test_facet(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray,
                       bspi_hit *hit) {
    bspi_clipped c;
    const bspi_convex *convex = bspi_convex_at(index, n);
    bool patch = convex->kind == BSPI_PATCH;
    bspi_touch touch;
    if (ray->point && !ray->still) {
        if (bspi_clip_point(index, convex, patch ? index->rules->epsilon : 0, ray, &touch)) {
            uint32_t lane = convex->first_block * BSPI_LANES;
            take(index, ray, hit, (meeting){n, lane, touch.fraction, touch.contact});
        }
    } else if (bspi_clip_convex(index, convex, convex->num_blocks, ray, &c)) {
        if (ray->still) {
            hit->stuck = n < hit->stuck ? n : hit->stuck;
            hit->solid = n < hit->solid ? n : hit->solid;
        } else if (c.start_out && c.enter < c.leave && c.enter >= 0 &&
                   !(patch && c.order == convex->num_planes - 1) &&
                   !moves_away(index, convex, ray)) {
            take(index, ray, hit, (meeting){n, c.lane, c.enter, -1});
        }
    }
}

void bspi_test_convex(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray,
                      bspi_hit *hit) {
    if (!bspi_is_masked(index, bspi_convex_at(index, n), ray)) {
        return;
    }
    if (bspi_convex_at(index, n)->kind == BSPI_BRUSH) {
        test_brush(index, n, ray, hit);
    } else {
        test_facet(index, n, ray, hit);
    }
}

static void walk_all(const bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
                     bspi_hit *hit) {
    for (uint32_t i = 0; i < body->num_convexes; i++) {
        bspi_test_convex(index, body->first_convex + i, ray, hit);
    }
}

static uint32_t find_lane(const bsp_trace_index *index, const bspi_convex *convex,
                          const bspi_ray *ray, float enter) {
    bspi_clipped c;
    uint32_t blocks = ray->point ? convex->point_blocks : convex->num_blocks;
    (void)enter;
    return bspi_clip_convex(index, convex, blocks, ray, &c) ? c.lane : BSP_NONE;
}

const bspi_tracer bspi_tracer_plain = {
    .walk = walk_all, .clip = bspi_clip_convex, .find_lane = find_lane};
