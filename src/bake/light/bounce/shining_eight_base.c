// SPDX-License-Identifier: MIT
// A polygon that shines at eight places with what the target has.
#define BSPI_EIGHT bspi_shining_eight_base
#define BSPI_ADD bspi_shining_add_base
#include "bake/light/bounce/shining_lanes.h"
