// SPDX-License-Identifier: MIT
// Traces with a chosen implementation or order, for the tests and benchmarks that compare them.
#ifndef BSPI_INDEX_H
#define BSPI_INDEX_H

#include "query/collide.h"

/// Traces as bsp_trace does, with the given implementation.
void bspi_trace_with(const bsp_trace_index *index, const bspi_tracer *tracer,
                     const bsp_trace_input *input, bsp_trace_result *result);

/// Does bsp_trace_batch, which sorts the traces if the index has `least_index` bytes or more.
void bspi_trace_many(const bsp_trace_index *index, const bsp_trace_input *inputs,
                     bsp_trace_result *results, size_t count, size_t least_index);

#endif
