// SPDX-License-Identifier: MIT
// What goes between patches with the instructions that every processor of the target has.
#define BSPI_RAD_EIGHT bspi_rad_eight_base
#include "bake/light/rad/rad_lanes.h"
#define BSPI_RAD_FLAT_EIGHT bspi_rad_flat_eight_base
#include "bake/light/rad/rad_flat_lanes.h"
