// SPDX-License-Identifier: MIT
// A preview has luxels between the measured ones that are wrong by more than all else; so much is
// left out elsewhere that this stays so.
#include "bake/light/base/effort.h"

const bspi_effort bspi_effort_whole = {.step = 1,
                                       .sky_ways = 162,
                                       .cube_ways = 162,
                                       .around = 16,
                                       .cells = 1,
                                       .afar = 6,
                                       .patches = 1};

const bspi_effort bspi_effort_preview = {.step = 4,
                                         .sky_ways = 48,
                                         .cube_ways = 24,
                                         .around = 4,
                                         .cells = 4,
                                         .afar = 2,
                                         .patches = 4,
                                         .transfer = 0.008f,
                                         .lamp = 6};
