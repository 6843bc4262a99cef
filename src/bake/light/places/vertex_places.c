// SPDX-License-Identifier: MIT
// Quake 3: where light is measured at the vertices of surfaces that have no luxels. Facts: sheet
// bake, 3.4.
#include "bake/light/drawn/drawn.h"
#include "bake/light/places/places.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LIFT 1.0f    // units off the surface
#define FARTHER 4.0f // units: the next try
#define DOUBT 1e-3f  // length of a normal

static bool room_for(bspi_relight *own, bspi_places *places, uint32_t count, bsp_error *error) {
    memset(places, 0, sizeof *places);
    places->points = bspi_heap_alloc(&own->heap, count * sizeof *places->points, error);
    places->normals = bspi_heap_alloc(&own->heap, count * sizeof *places->normals, error);
    places->lit = bspi_heap_alloc(&own->heap, count, error);
    places->count = count;
    places->width = count;
    places->height = places->extra = places->directions = 1;
    places->hill = true;
    return places->points != NULL && places->normals != NULL && places->lit != NULL &&
           bspi_heap_work(&own->heap, 64 * (uint64_t)count, error);
}

// A vertex that touches solid is measured a little farther from the surface, or nearer to its
// middle.
static void put(bspi_relight *own, uint32_t face, const bsp_draw_vert *from, const float middle[3],
                bspi_places *places, uint32_t n) {
    static const float lifts[4] = {LIFT, FARTHER, LIFT, FARTHER};
    uint32_t model = own->face_models[face];
    float *normal = places->normals[n];
    memcpy(normal, from->normal, sizeof from->normal);
    float length = bspi_normalize(normal);
    if (!(length > DOUBT && isfinite(length))) {
        normal[0] = normal[1] = 0;
        normal[2] = 1;
    }
    float inward[3];
    for (int i = 0; i < 3; i++) {
        inward[i] = middle[i] - from->point[i];
    }
    (void)bspi_normalize(inward);
    places->lit[n] = false;
    for (int l = 0; l < 4 && !places->lit[n]; l++) {
        float sum = 0;
        float moved = l < 2 ? 0 : FARTHER;
        for (int i = 0; i < 3; i++) {
            places->points[n][i] = from->point[i] + own->models[model].origin[i] +
                                   lifts[l] * normal[i] + moved * inward[i];
            sum += places->points[n][i];
        }
        places->lit[n] = isfinite(sum) && !bspi_place_solid(own, model, places->points[n]);
    }
}

bool bspi_vertex_lit(const bspi_relight *own, uint32_t number) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[number];
    bool drawn = face->type == BSP_FACE_POLYGON || face->type == BSP_FACE_PATCH ||
                 face->type == BSP_FACE_MESH;
    return drawn && map->face_lights[number].page[0] < 0 &&
           bspi_drawn_page_of(own, number) == BSP_NONE && face->num_verts != 0 &&
           (uint64_t)face->first_vert + face->num_verts <= map->num_draw_verts &&
           bspi_drawn_takes_light(own, number);
}

bool bspi_vertex_places(bspi_relight *own, uint32_t number, bspi_places *out, bsp_error *error) {
    const bsp_face *face = &own->map->faces[number];
    const bsp_draw_vert *vertices = &own->map->draw_verts[face->first_vert];
    float middle[3] = {0, 0, 0};
    if (!room_for(own, out, face->num_verts, error)) {
        bspi_places_free(own, out);
        return false;
    }
    for (uint32_t n = 0; n < face->num_verts; n++) {
        for (int i = 0; i < 3; i++) {
            middle[i] += vertices[n].point[i] / (float)face->num_verts;
        }
    }
    for (uint32_t n = 0; n < face->num_verts; n++) {
        put(own, number, &vertices[n], middle, out, n);
    }
    out->row = bspi_drawn_row(own, number);
    out->model = own->face_models[number];
    out->two_sided = bspi_drawn_of(own, number)->two_sided;
    bspi_places_enclose(out);
    return true;
}
