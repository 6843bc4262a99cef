// SPDX-License-Identifier: MIT
// The hull of lines from one box to another, and where faces are beside them.
#ifndef BSPI_BAKE_OCCLUDER_SHAFT_H
#define BSPI_BAKE_OCCLUDER_SHAFT_H

#include "bake/light/shadows/occluder_lanes.h"

#define BSPI_OCCLUDER_NEAR 0.01f  // units: what is nearer to a plane is on neither side of it
#define BSPI_OCCLUDER_ROUND 1e-6f // share of a coordinate that sums of products may be wrong by

/// The hull of two boxes, and a little more.
typedef struct bspi_occluder_shaft {
    bspi_occluder_ends from;
    bspi_occluder_ends to;
    bspi_occluder_hull hull;
    float length; ///< of its sides together
    float round;  ///< units that a coordinate may be wrong by
    float slack;  ///< and in which a point is on neither side of a plane
} bspi_occluder_shaft;

/// Sets the shaft between two boxes of such corners.
void bspi_occluder_shaft_set(const float from[2][3], const float to[2][3],
                             bspi_occluder_shaft *shaft);

/// Is a box outside of a hull?
bool bspi_occluder_is_outside(const bspi_occluder_hull *hull, const bspi_occluder_box *box);

/// Where is a face beside the lines of a shaft? What light goes through is across none.
bspi_occluder_relation bspi_occluder_relate(const struct bspi_occluders *all,
                                            const bspi_occluder_shaft *shaft,
                                            const bspi_occluder_near *near);

/// Puts a face that stopped all lines that were looked at before the others that did so.
void bspi_occluder_remember(bspi_occluder_recent *recent, bspi_occluder_near near);

#endif
