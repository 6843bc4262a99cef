// SPDX-License-Identifier: MIT
// A lamp at eight places with what the target has.
#define BSPI_EIGHT bspi_lamp_eight_base
#include "bake/light/lamps/lamp_lanes.h"
