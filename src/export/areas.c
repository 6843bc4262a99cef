// SPDX-License-Identifier: MIT
// Areas of a navigation mesh: a shape for each, of two triangles that look up.
#include "export/content.h"

#include <string.h>

bool bspi_areas_build(bspi_content *content, bsp_error *error) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    const bsp_nav *nav = content->options->nav;
    if (nav == NULL || nav->num_areas == 0) {
        return true;
    }
    size_t count = nav->num_areas;
    bsp_mesh_vertex *vertices =
        bspi_arena_zero(&content->arena, 4 * count, sizeof *vertices, error);
    uint32_t *indices = bspi_arena_raw(&content->arena, 6 * count, sizeof *indices, error);
    if (vertices == NULL || indices == NULL || !bspi_heap_work(&content->heap, 10 * count, error)) {
        return false;
    }
    if (count > UINT32_MAX / 8) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "too many areas of a navigation mesh");
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            memcpy(vertices[4 * i + c].position, nav->areas[i].corners[c],
                   sizeof vertices->position);
        }
        for (uint32_t c = 0; c < 6; c++) {
            indices[6 * i + c] = 4 * i + order[c];
        }
        content->shapes[content->num_shapes++] =
            (bspi_shape){.look = {.mode = BSP_LOOK_NORMAL, .opacity = 1},
                         .prop = BSP_NONE,
                         .solid = BSP_NONE,
                         .area = i + 1};
    }
    content->area_vertices = vertices;
    content->area_indices = indices;
    content->first_area = content->num_shapes - nav->num_areas;
    return true;
}
