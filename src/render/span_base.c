// SPDX-License-Identifier: MIT
// The rows of a triangle with the instructions that every processor of the target has.
#define BSPI_DRAW bspi_triangle_draw_base
#define BSPI_SKY bspi_sky_draw_base
#include "render/span.h"

#include "render/sky_lanes.h"
