// SPDX-License-Identifier: MIT
// How a trace that starts in solid gets out of it.
#ifndef BSPI_QUERY_EXIT_SOLID_H
#define BSPI_QUERY_EXIT_SOLID_H

#include "query/collide.h"

/// For a moving ray that is stuck at its start: the fraction at which it is out of the solid, or 1
/// if it never is, hit->solid then being set. *hit becomes what is met after that.
float bspi_exit_solid(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                      const bspi_ray *ray, bspi_hit *hit);

#endif
