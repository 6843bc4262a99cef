// SPDX-License-Identifier: MIT
// Lines through the leaves of a tree with the instructions that every processor of the target has.
#define BSPI_SHAFT_EIGHT bspi_shaft_eight_base
#include "bake/light/shadows/shaft_lanes.h"
