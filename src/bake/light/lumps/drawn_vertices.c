// SPDX-License-Identifier: MIT
// Quake 3: light at the vertices of surfaces that have no luxels. Facts: sheet bake, 3.4.
#include "bake/light/drawn/drawn.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/lumps/finish.h"

#include <string.h>

static void keep(const bspi_relight *own, uint32_t number, bsp_relight_face *light) {
    const bsp_face *face = &own->map->faces[number];
    bspi_drawn_face *drawn = &own->drawn->faces[number];
    bspi_light_scale scale = own->scale;
    float factor = bspi_drawn_of(own, number)->vertex;
    memcpy(scale.minimum, own->drawn->vertex_least, sizeof scale.minimum);
    memcpy(scale.curve.base, own->models[own->face_models[number]].base, sizeof scale.curve.base);
    scale.curve.gain = own->drawn->told.vertex > 0 ? own->drawn->told.vertex : 1;
    scale.curve.gain *= factor > 0 ? factor : 1;
    bspi_finish_luxels(&scale, own->map, light);
    drawn->by_vertices = true;
    drawn->vertex_styles[0] = 0;
    for (uint32_t s = 0; s < light->num_styles && s < BSPI_DRAWN_SLOTS; s++) {
        drawn->vertex_styles[s] = light->styles[s];
    }
    for (uint32_t n = 0; n < face->num_verts; n++) {
        uint32_t at = face->first_vert + n;
        for (uint32_t s = 0; s < light->num_styles && s < BSPI_DRAWN_SLOTS; s++) {
            const float *luxel = light->luxels[(size_t)light->width * light->height * s + n];
            bspi_luxel_encode(BSPI_RGB8, luxel, own->drawn->vertices[at][s]);
        }
        own->drawn->lit[at] = (1u << BSPI_DRAWN_SLOTS) - 1;
    }
}

bool bspi_drawn_vertices(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bspi_drawn *drawn = own->drawn;
    drawn->num_vertices = map->num_draw_verts;
    drawn->vertices =
        bspi_arena_zero(&own->arena, map->num_draw_verts, sizeof *drawn->vertices, error);
    drawn->lit = bspi_arena_zero(&own->arena, map->num_draw_verts, 1, error);
    if (drawn->vertices == NULL || drawn->lit == NULL) {
        return false;
    }
    for (uint32_t f = 0; f < map->num_faces; f++) {
        if (drawn->vertex_light[f].luxels != NULL && !bspi_region_keeps(own, f) &&
            !bspi_drawn_of(own, f)->keeps) {
            keep(own, f, &drawn->vertex_light[f]);
        }
    }
    for (uint32_t n = 0; n < map->num_draw_verts; n++) {
        own->relight.num_vertices += drawn->lit[n] != 0;
    }
    return true;
}
