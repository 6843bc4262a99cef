// SPDX-License-Identifier: MIT
// Quake 3: the vertices of surfaces, with their places on pages of light and on pictures.
#include "bake/light/drawn/drawn.h"

void bspi_drawn_page_size(const bspi_relight *own, uint32_t face, float size[2]) {
    uint32_t page = bspi_drawn_page_of(own, face);
    size[0] = page != BSP_NONE ? (float)own->drawn->pages[page].width : 1;
    size[1] = page != BSP_NONE ? (float)own->drawn->pages[page].height : 1;
}

bspi_drawn_corner bspi_drawn_corner_of(const bspi_relight *own, uint32_t face, const float page[2],
                                       uint32_t number) {
    uint32_t vertex = own->map->faces[face].first_vert + number;
    const bsp_draw_vert *from = &own->map->draw_verts[vertex];
    const float *origin = own->models[own->face_models[face]].origin;
    const float *normal = own->drawn->normals != NULL ? own->drawn->normals[vertex] : from->normal;
    bspi_drawn_corner c = {.vertex = (float)number};
    for (int i = 0; i < 3; i++) {
        c.point[i] = from->point[i] + origin[i];
        c.normal[i] = normal[i];
    }
    for (int i = 0; i < 2; i++) {
        c.light[i] = from->light_uv[0][i] * page[i];
        c.uv[i] = from->uv[i];
    }
    return c;
}

bool bspi_drawn_is_patch(const bsp_map *map, const bsp_face *face) {
    return face->type == BSP_FACE_PATCH && face->patch_width >= 3 && face->patch_height >= 3 &&
           face->patch_width % 2 == 1 && face->patch_height % 2 == 1 &&
           (uint64_t)face->patch_width * face->patch_height <= face->num_verts &&
           (uint64_t)face->first_vert + face->num_verts <= map->num_draw_verts;
}
