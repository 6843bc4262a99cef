// SPDX-License-Identifier: MIT
// Light at a point: Quake 3's light grid (R_SetupEntityLightingGrid), Source's ambient cubes, and
// in other families the lightmap of the surface below (R_LightPoint).
#include "map/needs.h"
#include "map/unlit.h"
#include "mesh/light_space.h"
#include "mesh/luxels.h"
#include "query/collide.h"
#include "query/crossings.h"

#include <assert.h>
#include <string.h>

// --- the grid of Quake 3 ------------------------------------------------------------------------

static void grid_light(const bsp_map *map, const float point[3], bsp_light *light) {
    bsp_light_grid grid;
    bsp_point_light stored;
    if (bsp_light_grid_of(map, &grid) && bspi_light_grid_at(map, &grid, point, 1, &stored)) {
        memcpy(light->ambient, stored.ambient, sizeof light->ambient);
        memcpy(light->directed, stored.directed, sizeof light->directed);
        memcpy(light->direction, stored.direction, sizeof light->direction);
        light->source = BSP_LIGHT_GRID;
    }
}

// --- the cubes of Source ------------------------------------------------------------------------

static void leaf_light(const bsp_map *map, uint32_t leaf, const float point[3], bsp_light *light) {
    if (!bsp_ambient_cube(map, leaf, point, false, light->cube)) {
        return;
    }
    for (int i = 0; i < 18; i++) {
        light->ambient[i % 3] += light->cube[i / 3][i % 3] / 6;
    }
    light->source = BSP_LIGHT_CUBE;
}

// --- the surface below --------------------------------------------------------------------------

#define BELOW 8192.0f // how far down the engines search

// Returns the number of the first style that is always on among those of a face, or NONE.
static uint32_t steady_slot(const bspi_luxels *luxels) {
    for (uint32_t i = 0; i < luxels->num_styles; i++) {
        if (luxels->styles[i] == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

// Adds a luxel of a style, at most the last of its row and column.
static void add_luxel(const bspi_luxels *luxels, uint32_t slot, uint32_t s, uint32_t t,
                      float weight, float rgb[3]) {
    s = s < luxels->width ? s : luxels->width - 1;
    t = t < luxels->height ? t : luxels->height - 1;
    size_t row = (size_t)slot * luxels->blocks * luxels->height + t;
    size_t at = (row * luxels->width + s) * bspi_luxel_bytes(luxels->format);
    float stored[3];
    bspi_luxel_decode(luxels->format, luxels->data + at, 1.0F / 255, stored);
    for (int c = 0; c < 3; c++) {
        rgb[c] += weight * stored[c];
    }
}

static void add_four(const bspi_luxels *luxels, const float at[2], float rgb[3]) {
    uint32_t slot = steady_slot(luxels);
    uint32_t s = (uint32_t)at[0];
    uint32_t t = (uint32_t)at[1];
    float u = at[0] - (float)s;
    float v = at[1] - (float)t;
    for (uint32_t i = 0; i < 4 && slot != BSP_NONE; i++) {
        float weight = ((i & 1) != 0 ? u : 1 - u) * ((i & 2) != 0 ? v : 1 - v);
        add_luxel(luxels, slot, s + (i & 1), t + (i >> 1), weight, rgb);
    }
}

// Returns true for faces that do not stop the search: skies, liquids, and faces that never have
// luxels.
static bool is_special(const bsp_map *map, uint32_t number) {
    return bspi_face_is_unlit(map, number) ||
           (bsp_surface_bits_of(map, number) & (BSP_SURFACE_SKY | BSP_SURFACE_LIQUID)) != 0;
}

// Gives the light of a face at a point on its plane, if the point is within its luxels. A face
// without light also ends the search, as dark (RecursiveLightPoint).
static bool face_light(const bspi_light_source *from, uint32_t number, const float point[3],
                       bsp_light *light) {
    const bsp_map *map = from->map;
    bspi_luxels luxels;
    float at[2];
    if (number >= map->num_faces || map->faces[number].texinfo >= map->num_texinfos ||
        is_special(map, number) || !bspi_luxels_place(from, number, &luxels) ||
        !bspi_luxels_find(&luxels, point, at)) {
        return false;
    }
    if (bspi_luxels_of(from, number, &luxels) == BSPI_LIT) {
        add_four(&luxels, at, light->ambient);
    }
    light->source = BSP_LIGHT_SURFACE;
    light->face = number;
    return true;
}

static bool faces_light(const bspi_light_source *from, const bsp_node *node, const float at[3],
                        bsp_light *light) {
    const bsp_map *map = from->map;
    for (uint32_t i = 0; i < node->num_faces && node->first_face < map->num_faces &&
                         i < map->num_faces - node->first_face;
         i++) {
        if (face_light(from, node->first_face + i, at, light)) {
            return true;
        }
    }
    return false;
}

static void surface_light(const bspi_light_source *from, const float point[3], bsp_light *light) {
    static const float down[3] = {0, 0, -1};
    bspi_crossings line;
    const bsp_node *node;
    float at[3];
    float away;
    if (from->data.size == 0) {
        return;
    }
    bspi_crossings_begin(&line, from->map, point, down, BELOW);
    do {
        node = bspi_crossings_next(&line, at, &away);
    } while (node != NULL && !faces_light(from, node, at, light));
}

bsp_light bsp_query_light(const bsp_map *map, const bsp_file *file, const float point[3]) {
    assert(map != NULL && point != NULL);
    assert(
        bspi_map_has(map, BSP_LOAD_ENTITIES | BSP_LOAD_TREE | BSP_LOAD_SURFACES | BSP_LOAD_LIGHT));
    bsp_light light;
    memset(&light, 0, sizeof light);
    light.face = BSP_NONE;
    uint32_t leaf = bsp_query_leaf(map, point);
    if (map->num_light_grid != 0) {
        grid_light(map, point, &light);
    } else if (map->traits->light == BSP_LIGHT_RGBEXP32 && leaf != BSP_NONE) {
        leaf_light(map, leaf, point, &light);
    } else if (map->traits->light != BSP_LIGHT_PAGES && map->traits->light != BSP_LIGHT_RGBEXP32) {
        bspi_light_source from;
        bspi_light_source_init(&from, map, file, false);
        surface_light(&from, point, &light);
        bspi_light_source_free(&from);
    }
    return light;
}
