// SPDX-License-Identifier: MIT
// Eight lines down the tree of q3map2 with what the target has.
#define BSPI_SHADE_EIGHT bspi_shade_eight_base
#include "bake/light/shadows/shade_lanes.h"
