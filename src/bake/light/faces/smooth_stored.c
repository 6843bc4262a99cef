// SPDX-License-Identifier: MIT
// Normals of corners as a compiler left them in FACENORMALS (light -wrnormals of ericw-tools): for
// each edge of each face, in their order, the number of a normal and of two tangents.
#include "bake/light/faces/smooth.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

static bsp_table table_of(const bsp_parts *parts, const char *name) {
    uint32_t number = bsp_parts_find(parts, bsp_text_of(name));
    return number != BSP_NONE && parts->parts[number].kind == BSP_PART_TABLE
               ? bsp_parts_table(parts, number)
               : (bsp_table){0};
}

// Reads the normal of a corner. False where there is none that is one.
static bool read_normal(const bsp_table *normals, const bsp_table *corners, uint32_t corner,
                        float out[3]) {
    uint32_t record =
        corner < corners->count ? (uint32_t)bsp_table_int(corners, corner, 0, 0) : BSP_NONE;
    if (record >= normals->count) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = bsp_table_float(normals, record, 0, i);
    }
    return isfinite(bspi_dot(out, out)) && bspi_normalize(out) > 0;
}

bool bspi_smooth_stored(bspi_relight *own, const uint32_t *starts, float (*out)[3], bool *found,
                        bsp_error *error) {
    const bsp_map *map = own->map;
    uint32_t lump = bsp_file_find(own->file, bsp_text_of("bspx:FACENORMALS"));
    bsp_parts parts;
    *found = false;
    if (lump == BSP_NONE || own->relight.compiler != BSP_COMPILER_ERICW) {
        return true;
    }
    if (!bsp_file_parts(own->file, lump, NULL, &parts, error)) {
        return false;
    }
    const bsp_table normals = table_of(&parts, "normals");
    const bsp_table corners = table_of(&parts, "corners");
    uint32_t at = 0;
    for (uint32_t f = 0; f < map->num_faces && corners.count != 0; f++) {
        for (uint32_t i = 0; i < map->faces[f].num_edges && starts[f] + i < starts[f + 1]; i++) {
            *found |= read_normal(&normals, &corners, at + i, out[starts[f] + i]);
        }
        at += map->faces[f].num_edges;
    }
    bsp_parts_free(&parts);
    return bspi_heap_work(&own->heap, 1 + (uint64_t)corners.count / 4, error);
}
