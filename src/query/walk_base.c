// SPDX-License-Identifier: MIT
// The walk with the instructions that every processor of the target has.
#define BSPI_TRACER bspi_tracer_base
#include "query/walk.h"
