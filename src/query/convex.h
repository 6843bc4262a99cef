// SPDX-License-Identifier: MIT
// A convex solid of the index and its planes.
#ifndef BSPI_CONVEX_H
#define BSPI_CONVEX_H

#include "bspkit/core.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define BSPI_LANES 8u
#define BSPI_ORDER_NONE UINT32_MAX // of lanes without a plane
#define BSPI_FAR 1e30f             // larger than any coordinate; its square is finite in a double

/// The origin of a plane of an index under construction.
typedef struct bspi_lane {
    uint32_t order; ///< number of the brush's side, or of the plane in its convex
    uint32_t plane; ///< index in the map, or BSP_NONE
    uint32_t flags; ///< surface flags
} bspi_lane;

/// Eight planes, as an index under construction has them. Unused lanes hold a plane that has
/// everything on its back side.
typedef struct bspi_block {
    float normal[3][BSPI_LANES];
    float dist[BSPI_LANES];
} bspi_block;

/// Half of a block: a cache line.
typedef struct bspi_half {
    float normal[3][BSPI_LANES / 2];
    float dist[BSPI_LANES / 2];
} bspi_half;

#define BSPI_FACET_PAD 1.0f // the engine tests patches by their bounds enlarged by one unit

typedef enum bspi_kind {
    BSPI_BRUSH,
    BSPI_PATCH, ///< facet of a Quake 3 patch: plane 0 is the surface, the last its back
    BSPI_DISP,  ///< triangle of a displacement: plane 0 is the surface
} bspi_kind;

/// What passes through a displacement.
typedef enum bspi_pass {
    BSPI_PASS_POINTS = 1, ///< moving points
    BSPI_PASS_BOXES = 2,  ///< moving boxes, and tests of a position
} bspi_pass;

/// Whether the engine certainly tests something on the way of a trace: see visits.c.
typedef enum bspi_sure {
    BSPI_UNSURE,
    BSPI_SURE_OUTSIDE, ///< where it does not, there is another solid
    BSPI_SURE,
} bspi_sure;

/// A convex solid. The first block of a brush holds planes across an axis: those of lane n < 3 face
/// up along axis n, of lane 3 + n down; there is at most one for each, the others are in later
/// blocks.
typedef struct bspi_convex {
    uint8_t kind;
    uint8_t sure;   ///< a bspi_sure
    uint8_t passes; ///< the values of bspi_pass that go through it
    uint8_t halved; ///< 1: the second half of the last block is unused and not stored
    uint32_t contents;
    uint32_t gate;  ///< contents of the leaves that list it, where the engine tests them first
    uint32_t owner; ///< brush, face, or displacement
    uint32_t first_block; ///< number of the first of its blocks; times eight: of its lanes
    uint16_t num_blocks;
    uint16_t point_blocks; ///< number of blocks that apply to points
    uint32_t num_planes;
    uint32_t number; ///< its place in the order of the map
} bspi_convex;

#define BSPI_ORIGINS 6u         // planes of a bspi_origins
#define BSPI_MOST_SIDES 0xFFFFu // more than bspi_origins.order of any plane

/// The origins of the planes of a brush's first block, or of a half: a line of the cache.
typedef struct bspi_origins {
    uint32_t first;               ///< to be added to `order`
    uint16_t order[BSPI_ORIGINS]; ///< see bspi_lane; BSPI_MOST_SIDES: there is no plane
    uint32_t plane[BSPI_ORIGINS];
    uint32_t flags[BSPI_ORIGINS];
} bspi_origins;

/// What an index keeps of a convex, followed by the halves of its blocks and the origins of all; of
/// the first block of a brush only the distances are kept. One line of the cache each: a trace
/// waits for them.
/// Nodes of the tree and convexes, these in the order of its leaves, stand in units of this size.
typedef struct bspi_solid {
    bspi_convex convex;
    float dist[BSPI_LANES]; ///< a brush's first block
} bspi_solid;

#define BSPI_UNIT 64u
static_assert(sizeof(bspi_solid) == BSPI_UNIT && sizeof(bspi_half) == BSPI_UNIT &&
                  sizeof(bspi_origins) == BSPI_UNIT,
              "whole units");

/// Returns how many blocks of a convex are not stored as halves.
static inline uint32_t bspi_num_axial(const bspi_convex *convex) {
    return convex->kind == BSPI_BRUSH ? 1 : 0;
}

/// Returns how many halves of blocks follow a convex.
static inline uint32_t bspi_num_halves(const bspi_convex *convex) {
    return 2 * (convex->num_blocks - bspi_num_axial(convex)) - convex->halved;
}

/// Returns how many units a convex takes.
static inline uint32_t bspi_num_units(const bspi_convex *convex) {
    return 1 + bspi_num_axial(convex) + 2 * bspi_num_halves(convex);
}

/// Returns the distances in the first block of a brush of an index.
static inline const float *bspi_axial_of(const bspi_convex *convex) {
    return ((const bspi_solid *)(const void *)convex)->dist;
}

/// Returns the halves of the blocks of a convex of an index.
static inline const bspi_half *bspi_halves_of(const bspi_convex *convex) {
    return (const bspi_half *)(const void *)((const bspi_solid *)(const void *)convex + 1);
}

/// Returns the origins of the planes of a convex of an index: of a brush's first block, and of each
/// half.
static inline const bspi_origins *bspi_origins_of(const bspi_convex *convex) {
    return (const bspi_origins *)(const void *)(bspi_halves_of(convex) + bspi_num_halves(convex));
}

/// Gives the origin of the plane of one of the lanes of a convex of an index, counted from its own
/// first one.
static inline bspi_lane bspi_origin_of(const bspi_convex *convex, uint32_t lane) {
    const bspi_lane none = {BSPI_ORDER_NONE, BSP_NONE, 0};
    const uint32_t half = BSPI_LANES / 2;
    uint32_t axial = bspi_num_axial(convex);
    bool first = lane < axial * BSPI_LANES;
    uint32_t line = first ? 0 : lane / half - axial;
    uint32_t at = first ? lane : lane % half;
    if (at >= BSPI_ORIGINS || line >= axial + bspi_num_halves(convex)) {
        return none;
    }
    const bspi_origins *o = &bspi_origins_of(convex)[line];
    return o->order[at] == BSPI_MOST_SIDES
               ? none
               : (bspi_lane){o->first + o->order[at], o->plane[at], o->flags[at]};
}

/// Gives the plane of one of the lanes of a convex of an index, counted from its own first one.
/// Returns its distance.
static inline float bspi_plane_of(const bspi_convex *convex, uint32_t lane, float normal[3]) {
    const uint32_t half = BSPI_LANES / 2;
    uint32_t in_halves = lane - bspi_num_axial(convex) * BSPI_LANES;
    normal[0] = normal[1] = normal[2] = 0;
    if (convex->kind == BSPI_BRUSH && lane < BSPI_LANES) {
        if (lane < 6) {
            normal[lane % 3] = lane < 3 ? 1.0f : -1.0f;
        }
        return bspi_axial_of(convex)[lane];
    }
    if (in_halves / half >= bspi_num_halves(convex)) {
        return BSPI_FAR;
    }
    const bspi_half *planes = &bspi_halves_of(convex)[in_halves / half];
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = planes->normal[axis][in_halves % half];
    }
    return planes->dist[in_halves % half];
}

/// Gives the plane of a lane of the index.
static inline float bspi_plane_at(const bspi_convex *convex, uint32_t lane, float normal[3]) {
    return bspi_plane_of(convex, lane - convex->first_block * BSPI_LANES, normal);
}

/// Gives the origin of the plane of a lane of the index.
static inline bspi_lane bspi_origin_at(const bspi_convex *convex, uint32_t lane) {
    return bspi_origin_of(convex, lane - convex->first_block * BSPI_LANES);
}

#endif
