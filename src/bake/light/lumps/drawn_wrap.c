// SPDX-License-Identifier: MIT
// Quake 3: a curved patch that ends where it begins has the mean of both ends there. Facts:
// netradiant-custom, tools/quake3/q3map2/lightmaps_ydnar.cpp (AddPatchToRawLightmap,
// StoreSurfaceLightmaps).
#include "bake/light/drawn/drawn.h"
#include "bake/light/lumps/drawn_light.h"

#include <math.h>

// Are the first and the last control points along an axis at the same places, but not their luxels?
static bool is_closed(const bsp_map *map, const bsp_face *face, int axis) {
    const uint32_t size[2] = {face->patch_width, face->patch_height};
    uint32_t step = axis == 0 ? size[0] : 1;
    uint32_t last = axis == 0 ? size[0] - 1 : (size[1] - 1) * size[0];
    const bsp_draw_vert *verts = &map->draw_verts[face->first_vert];
    bool closed = true;
    for (uint32_t n = 0; closed && n < size[1 - axis]; n++) {
        const bsp_draw_vert *a = &verts[n * step];
        const bsp_draw_vert *b = a + last;
        bool one = !(fabsf(a->point[0] - b->point[0]) > 0) &&
                   !(fabsf(a->point[1] - b->point[1]) > 0) &&
                   !(fabsf(a->point[2] - b->point[2]) > 0);
        closed = one && fabsf(a->light_uv[0][axis] - b->light_uv[0][axis]) > 0;
    }
    return closed;
}

static void mean(float a[3], float b[3]) {
    for (int c = 0; c < 3; c++) {
        a[c] = b[c] = (a[c] + b[c]) / 2;
    }
}

bool bspi_drawn_wrap(bspi_relight *own, uint32_t number, bsp_error *error) {
    const bsp_face *face = &own->map->faces[number];
    const bsp_relight_face *light = &own->faces[number];
    if (face->type != BSP_FACE_PATCH || light->luxels == NULL ||
        !bspi_drawn_is_patch(own->map, face)) {
        return true;
    }
    if (!bspi_heap_work(&own->heap, 1 + face->patch_width + face->patch_height, error)) {
        return false;
    }
    bool closed[2] = {is_closed(own->map, face, 0), is_closed(own->map, face, 1)};
    size_t each = (size_t)light->width * light->height;
    for (uint32_t s = 0; s < light->num_styles; s++) {
        float(*luxels)[3] = (float(*)[3])light->luxels + each * s;
        for (uint32_t y = 0; closed[0] && y < light->height; y++) {
            float(*row)[3] = luxels + (size_t)y * light->width;
            mean(row[0], row[light->width - 1]);
        }
        for (uint32_t x = 0; closed[1] && x < light->width; x++) {
            mean(luxels[x], luxels[each - light->width + x]);
        }
    }
    return true;
}
