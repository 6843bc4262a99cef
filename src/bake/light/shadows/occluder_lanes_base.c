// SPDX-License-Identifier: MIT
// Eight lines at once with what the target has.
#define BSPI_WALK bspi_occluder_lanes_base
#include "bake/light/shadows/occluder_walk.h"
