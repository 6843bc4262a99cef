// SPDX-License-Identifier: MIT
// Directions lie on a spiral in which each is the golden angle on from the last: any number of them
// covers the dome evenly.
#include "query/open_sky.h"

#include "core/curves.h"
#include "formats/quake_contents.h"
#include "query/hull_trace.h"
#include "query/sight_eight.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define GOLDEN_ANGLE 2.39996322972865332f

void bspi_dome_direction(uint32_t number, uint32_t count, float lowest, float out[3]) {
    float z = 1 - (1 - lowest) * ((float)number + 0.5f) / (float)count;
    float ring = sqrtf(1 - z * z > 0 ? 1 - z * z : 0);
    float turn = GOLDEN_ANGLE * (float)number;
    out[0] = ring * bspi_cosine(turn);
    out[1] = ring * bspi_sine(turn);
    out[2] = z;
}

// Quake: traces go through leaves of sky, and end at the solid ones behind.
bool bspi_hit_sky(const bsp_trace_index *index, const bsp_trace_result *result) {
    const bsp_traits *traits = index->map->traits;
    if (result->fraction == 1 || result->start_solid) {
        return false;
    }
    return traits->contents_numbers ? bsp_trace_contents(index, 0, result->end) == BSPI_CONTENTS_SKY
                                    : (result->surface_flags & traits->surface.sky) != 0;
}

// Sets the end of a ray.
static void end_of(const bsp_trace_index *index, const float point[3], const float direction[3],
                   float end[3]) {
    for (int i = 0; i < 3; i++) {
        end[i] = point[i] + direction[i] * 4 * index->map->traits->max_coord;
    }
}

void bspi_trace_far(const bsp_trace_index *index, uint32_t mask, const float point[3],
                    const float direction[3], bsp_trace_result *out) {
    bsp_trace_input in = {.mask = mask};
    memcpy(in.start, point, sizeof in.start);
    end_of(index, point, direction, in.end);
    bsp_trace(index, &in, out);
}

bool bspi_sees_sky(const bsp_trace_index *index, uint32_t mask, const float point[3],
                   const float direction[3], float at[3]) {
    bsp_trace_result out;
    bspi_trace_far(index, mask, point, direction, &out);
    memcpy(at, out.end, sizeof out.end);
    return bspi_hit_sky(index, &out);
}

uint32_t bspi_may_see_sky(const bsp_trace_index *index, uint32_t mask, const float (*points)[3],
                          const float (*directions)[3], uint32_t count) {
    const bsp_trace_input in = {.mask = mask};
    const bspi_placed world = {.model = 0};
    bspi_hull_way way;
    bspi_sight_eight eight = {.lanes = (1u << count) - 1};
    assert(count <= BSPI_SIGHT_LANES);
    if (count == 0 || !index->map->traits->contents_numbers ||
        !bspi_enter_hull(index, &in, &world, &way)) {
        return eight.lanes;
    }
    for (uint32_t n = 0; n < BSPI_SIGHT_LANES; n++) {
        uint32_t at = n < count ? n : count - 1;
        float end[3];
        end_of(index, points[at], directions[at], end);
        for (int i = 0; i < 3; i++) {
            eight.from[i][n] = points[at][i];
            eight.to[i][n] = end[i];
        }
    }
    bspi_sky_eight_here()(way.hull, way.root, &eight);
    return eight.unknown;
}
