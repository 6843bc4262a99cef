// SPDX-License-Identifier: MIT
// The walks with the instructions that every processor of the target has.
#define BSPI_TRACER bspi_tracer_base
#define BSPI_GROUP_WALK bspi_group_walk_base
#include "query/groups.h"
#include "query/walk.h"
