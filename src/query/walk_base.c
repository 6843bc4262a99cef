// SPDX-License-Identifier: MIT
// The walk with what every processor of the target has.
#define BSPI_TRACER bspi_tracer_base
#include "query/walk.h"
