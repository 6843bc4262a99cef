// SPDX-License-Identifier: MIT
// The rules by which engines clip a trace.
#include "query/collide.h"

#include <float.h>
#include <math.h>

// Epsilons: DIST_EPSILON (Quake 2, Source), SURFACE_CLIP_EPSILON (Quake 3).
static const bspi_rules quake2_rules = {
    .epsilon = 0.03125f,
    .reject_at = INFINITY,
    .least_enter = -INFINITY,
    .pad = 0.0625f,
    .by_tree = true,
    .ask_leaves = true,
    .leaves_say = true,
};
static const bspi_rules quake3_rules = {
    .epsilon = 0.125f,
    .reject_at = 0.125f,
    .least_enter = 0,
    .pad = 0.25f,
    .by_tree = true,
    .tree_slack = 1,
    .slope_reach = 2048,
    .double_crossings = true,
    .solid_stops = true,
    .center_box = true,
};
static const bspi_rules source_rules = {
    .epsilon = 0.03125f,
    .reject_at = FLT_MIN, // any distance in front
    .least_enter = 0,
    .pad = 0.0625f,
    .solid_stops = true,
    .center_box = true,
    .skip_bevels = true,
    .leaves_solid = true,
    .tells_stuck = true,
};
// The code of Respawn's engine is not published: the rules of Source, without its tree.
static const bspi_rules respawn_rules = {
    .epsilon = 0.03125f,
    .reject_at = FLT_MIN,
    .least_enter = 0,
    .pad = 0.0625f,
    .solid_stops = true,
    .center_box = true,
    .tells_stuck = true,
};

const bspi_rules *bspi_rules_of(bsp_clip clip) {
    static const bspi_rules *const rules[] = {
        [BSP_CLIP_QUAKE2] = &quake2_rules,
        [BSP_CLIP_QUAKE3] = &quake3_rules,
        [BSP_CLIP_SOURCE] = &source_rules,
        [BSP_CLIP_RESPAWN] = &respawn_rules,
    };
    return rules[clip];
}
