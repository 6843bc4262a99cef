// SPDX-License-Identifier: MIT
// Quake 3: light at the vertices of surfaces that have no luxels. Facts: sheet bake, 3.4.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/places/places.h"

#include "core/workers.h"

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
static void put(const bspi_relight *own, uint32_t face, const bsp_draw_vert *from,
                const float middle[3], bspi_places *places, uint32_t n) {
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

// Is a face lit by its vertices?
static bool is_vertex_lit(const bspi_relight *own, uint32_t number) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[number];
    bool drawn = face->type == BSP_FACE_POLYGON || face->type == BSP_FACE_PATCH ||
                 face->type == BSP_FACE_MESH;
    return drawn && !bspi_region_keeps(own, number) && map->face_lights[number].page[0] < 0 &&
           bspi_drawn_page_of(own, number) == BSP_NONE && face->num_verts != 0 &&
           (uint64_t)face->first_vert + face->num_verts <= map->num_draw_verts &&
           bspi_drawn_takes_light(own, number);
}

static void keep(const bspi_relight *own, uint32_t number, bsp_relight_face *light) {
    const bsp_face *face = &own->map->faces[number];
    bspi_drawn_face *drawn = &own->drawn->faces[number];
    bspi_relight vertex = {.scale = own->scale, .map = own->map};
    memcpy(vertex.scale.minimum, own->drawn->vertex_least, sizeof vertex.scale.minimum);
    bspi_finish_face(&vertex, light);
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

static bool light_face(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    bspi_relight *own = user;
    const bsp_face *face = &own->map->faces[number];
    bsp_relight_face light = {0};
    bspi_places places;
    (void)worker;
    if (!is_vertex_lit(own, number)) {
        return true;
    }
    bool done = room_for(own, &places, face->num_verts, error);
    const bsp_draw_vert *vertices = &own->map->draw_verts[face->first_vert];
    float middle[3] = {0, 0, 0};
    for (uint32_t n = 0; n < face->num_verts; n++) {
        for (int i = 0; i < 3; i++) {
            middle[i] += vertices[n].point[i] / (float)face->num_verts;
        }
    }
    for (uint32_t n = 0; done && n < face->num_verts; n++) {
        put(own, number, &vertices[n], middle, &places, n);
    }
    if (done) {
        places.two_sided = bspi_drawn_two_sided(own, number);
        bspi_places_enclose(&places);
        done = bspi_direct_at(own, &places, &light, error);
    }
    if (done) {
        keep(own, number, &light);
    }
    bspi_heap_free(&own->heap, (void *)light.luxels,
                   (size_t)face->num_verts * own->most_styles * sizeof *light.luxels);
    bspi_places_free(own, &places);
    return done;
}

// Runs of vertices that faces share would be written by two threads at once.
static bool share_none(const bspi_relight *own, uint8_t *used) {
    const bsp_map *map = own->map;
    bool none = true;
    for (uint32_t f = 0; f < map->num_faces && none; f++) {
        const bsp_face *face = &map->faces[f];
        for (uint32_t n = 0; is_vertex_lit(own, f) && n < face->num_verts && none; n++) {
            none = used[face->first_vert + n] == 0;
            used[face->first_vert + n] = 1;
        }
    }
    memset(used, 0, map->num_draw_verts);
    return none;
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
    uint32_t threads = share_none(own, drawn->lit) ? bspi_heap_threads(&own->heap) : 1;
    if (!bspi_workers_each(threads, map->num_faces, light_face, own, error)) {
        return false;
    }
    for (uint32_t n = 0; n < map->num_draw_verts; n++) {
        own->relight.num_vertices += drawn->lit[n] != 0;
    }
    return true;
}
