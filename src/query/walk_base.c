// SPDX-License-Identifier: MIT
// The walk with what every processor of the target has.
#define BSPI_WALK bspi_walk_base
#include "query/walk.h"
