// SPDX-License-Identifier: MIT
// Lines of sight for eight lanes with the instructions that every processor of the target has.
#define BSPI_SIGHT bspi_sight_eight_base
#define BSPI_SKY bspi_sky_eight_base
#include "query/sight_lanes.h"
#include "query/sky_lanes.h"
