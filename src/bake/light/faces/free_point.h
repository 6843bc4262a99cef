// SPDX-License-Identifier: MIT
// A point that is not in solid, near another one.
#ifndef BSPI_BAKE_FREE_POINT_H
#define BSPI_BAKE_FREE_POINT_H

#include "bake/light/base/work.h"

/// A node of the world that holds all within a radius of a point: the next search, which most often
/// is nearby, goes down from there.
typedef struct bspi_free_around {
    float middle[3];
    float radius; ///< units; 0: none is known
    int32_t node;
} bspi_free_around;

/// How one is looked for: all around in a plane, farther and farther.
typedef struct bspi_free_search {
    float normal[3]; ///< of the plane, in the world
    float dist;
    int size;                 ///< how often it is gone farther, the point itself among them
    float step;               ///< units
    bspi_free_around *around; ///< kept from search to search; NULL: none
} bspi_free_search;

/// Is it known that all so close to a point is solid or sky?
bool bspi_free_point_is_closed(const bspi_relight *own, bspi_free_around *around,
                               const float point[3], float reach);

/// Is it known that both points, and all of the way between them, are in one leaf that is neither
/// solid nor sky, and not beside its sides?
bool bspi_free_way_is_open(const bspi_relight *own, bspi_free_around *around, const float from[3],
                           const float to[3]);

/// Moves a point to the nearest one of the plane that is neither in solid nor in the sky, nor
/// beside them, nor in a model that casts shadows. False if there is none.
bool bspi_free_point_find(bspi_relight *own, const bspi_free_search *search, float point[3]);

#endif
