// SPDX-License-Identifier: MIT
// Traces by given means: for the tests and benchmarks that compare them.
#ifndef BSPI_INDEX_H
#define BSPI_INDEX_H

#include "query/collide.h"

/// As bsp_trace, by the means of the caller's choice.
void bspi_trace_with(const bsp_trace_index *index, const bspi_tracer *tracer,
                     const bsp_trace_input *input, bsp_trace_result *result);

#endif
