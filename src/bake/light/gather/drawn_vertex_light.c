// SPDX-License-Identifier: MIT
// Quake 3: the direct light at the vertices of surfaces that have no luxels.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"

#include "core/workers.h"

static bool light_face(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    bspi_relight *own = user;
    bspi_places places;
    (void)worker;
    if (!bspi_vertex_lit(own, number) ||
        (own->scale.bounces == 0 && bspi_region_keeps(own, number))) {
        return true;
    }
    if (!bspi_vertex_places(own, number, &places, error)) {
        return false;
    }
    bool done = bspi_direct_at(own, &places, &own->drawn->vertex_light[number], error);
    bspi_places_free(own, &places);
    return done;
}

bool bspi_vertices_direct(bspi_relight *own, bsp_error *error) {
    bspi_drawn *drawn = own->drawn;
    drawn->vertex_light =
        bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *drawn->vertex_light, error);
    return drawn->vertex_light != NULL &&
           bspi_workers_each(bspi_heap_threads(&own->heap), own->map->num_faces, light_face, own,
                             error);
}
