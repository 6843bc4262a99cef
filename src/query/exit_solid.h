// SPDX-License-Identifier: MIT
// The way of a trace out of the solid that it starts in.
#ifndef BSPI_QUERY_EXIT_SOLID_H
#define BSPI_QUERY_EXIT_SOLID_H

#include "query/collide.h"

/// For a moving ray that starts in solid: returns the fraction at which it has left the solid, or
/// 1, with hit->solid set, if it never does. *hit becomes what is hit after that.
float bspi_exit_solid(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                      const bspi_ray *ray, bspi_hit *hit);

#endif
