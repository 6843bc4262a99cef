// SPDX-License-Identifier: MIT
// What the light of a sun meets first on its way to places beside each other.
#ifndef BSPI_BAKE_OCCLUDER_SUNS_H
#define BSPI_BAKE_OCCLUDER_SUNS_H

#include "bake/light/shadows/occluder_lanes.h"

/// Finds the faces that lines from a box, all of them the same way, may meet first, glass and
/// fences among them; NULL: these are not wanted. False: it is known that no line meets the sky
/// first. `recent`: of lines from near by. (occluder_suns.c)
bool bspi_occluders_first(bspi_occluder_lines *lines, const bspi_occluder_ends *from,
                          const float way[3], bspi_occluder_recent *recent,
                          bspi_occluder_first *first);

#endif
