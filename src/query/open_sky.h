// SPDX-License-Identifier: MIT
// The sky as a light: the directions in which it is looked for, and whether a line meets it.
#ifndef BSPI_OPEN_SKY_H
#define BSPI_OPEN_SKY_H

#include "bspkit/query.h"

/// Sets one of `count` directions that are spread evenly over the sphere above the height `lowest`,
/// -1..1, by the golden angle.
void bspi_dome_direction(uint32_t number, uint32_t count, float lowest, float out[3]);

/// Is what a trace of the world hit the sky?
bool bspi_hit_sky(const bsp_trace_index *index, const bsp_trace_result *result);

/// Traces from a point in a direction, beyond the end of the world.
void bspi_trace_far(const bsp_trace_index *index, uint32_t mask, const float point[3],
                    const float direction[3], bsp_trace_result *out);

/// Is the sky the first thing that stops contents of `mask` (those of brushes: bsp_trace_input) in
/// a direction? Sets where.
bool bspi_sees_sky(const bsp_trace_index *index, uint32_t mask, const float point[3],
                   const float direction[3], float at[3]);

/// Returns bits of those of up to eight rays that may meet the sky: bspi_sees_sky is false for the
/// others. It takes least time for rays from one point, or in one direction.
uint32_t bspi_may_see_sky(const bsp_trace_index *index, uint32_t mask, const float (*points)[3],
                          const float (*directions)[3], uint32_t count);

#endif
