// SPDX-License-Identifier: MIT
// Which faces never have light.
#ifndef BSPI_MAP_UNLIT_H
#define BSPI_MAP_UNLIT_H

#include "bspkit/map.h"

/// Returns true if the flags of a face's texinfo say that it never has light. False without one.
static inline bool bspi_face_is_unlit(const bsp_map *map, uint32_t face) {
    uint32_t texinfo = map->faces[face].texinfo;
    return texinfo < map->num_texinfos &&
           (map->texinfos[texinfo].flags & map->traits->unlit_flags) != 0;
}

#endif
