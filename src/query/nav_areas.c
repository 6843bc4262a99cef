// SPDX-License-Identifier: MIT
// Questions to a navigation mesh, as the games ask them: the height of an area, the area at a
// point, and what flags are called. The numbers of flags: nav.h of the Source SDK, and of Left 4
// Dead the Valve developer wiki.
#include "bspkit/nav.h"

#include <assert.h>

#define ABOVE 5.0F // units: GetNavArea of the games
#define BELOW 120.0F

float bsp_nav_height(const bsp_nav *nav, uint32_t area, float x, float y) {
    assert(nav != NULL && area < nav->num_areas);
    if (area >= nav->num_areas) {
        return 0;
    }
    const float(*c)[3] = nav->areas[area].corners;
    float wide = c[2][0] - c[0][0];
    float deep = c[2][1] - c[0][1];
    float u = wide != 0 ? (x - c[0][0]) / wide : 0;
    float v = deep != 0 ? (y - c[0][1]) / deep : 0;
    float north = c[0][2] + u * (c[1][2] - c[0][2]);
    float south = c[3][2] + u * (c[2][2] - c[3][2]);
    return north + v * (south - north);
}

uint32_t bsp_nav_find(const bsp_nav *nav, const float point[3]) {
    assert(nav != NULL && point != NULL);
    uint32_t best = BSP_NONE;
    float highest = 0;
    for (uint32_t i = 0; i < nav->num_areas; i++) {
        const float(*c)[3] = nav->areas[i].corners;
        if (!(point[0] >= c[0][0] && point[0] <= c[2][0] && point[1] >= c[0][1] &&
              point[1] <= c[2][1])) {
            continue;
        }
        float z = bsp_nav_height(nav, i, point[0], point[1]);
        bool near = z <= point[2] + ABOVE && z >= point[2] - BELOW;
        if (near && (best == BSP_NONE || z > highest)) {
            best = i;
            highest = z;
        }
    }
    return best;
}

const char *bsp_nav_flag_name(uint32_t flag) {
    static const char *const low[] = {"crouch",    "jump",      "precise",      "no_jump",
                                      "stop",      "run",       "walk",         "avoid",
                                      "transient", "dont_hide", "stand",        "no_hostages",
                                      "stairs",    "no_merge",  "obstacle_top", "cliff"};
    for (uint32_t i = 0; i < sizeof low / sizeof *low; i++) {
        if (flag == 1u << i) {
            return low[i];
        }
    }
    return flag == 0x20000000u   ? "func_cost"
           : flag == 0x40000000u ? "has_elevator"
           : flag == 0x80000000u ? "nav_blocker"
                                 : NULL;
}

const char *bsp_nav_spawn_name(uint32_t flag) {
    static const char *const names[] = {NULL,
                                        "empty",
                                        "stop_scan",
                                        NULL,
                                        NULL,
                                        "battlestation",
                                        "finale",
                                        "player_start",
                                        "battlefield",
                                        "ignore_visibility",
                                        "not_clearable",
                                        "checkpoint",
                                        "obscured",
                                        "no_mobs",
                                        "threat",
                                        "rescue_vehicle",
                                        "rescue_closet",
                                        "escape_route",
                                        "destroyed_door",
                                        "nothreat",
                                        "lying_down"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (flag == 1u << i) {
            return names[i];
        }
    }
    return NULL;
}
