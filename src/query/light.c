// SPDX-License-Identifier: MIT
// Light at a point: Quake 3's light grid (R_SetupEntityLightingGrid), Source's ambient cubes, and
// for the others the lightmap of the surface below (R_LightPoint).
#include "bspkit/mesh.h"
#include "query/collide.h"

#include <math.h>
#include <string.h>

#define BYTE_LIGHT (1.0f / 255.0f)

// --- the grid of Quake 3 ------------------------------------------------------------------------

// False if the map's grid is not as large as its bounds say: the engine then has none.
static bool find_grid(const bsp_map *map, bsp_light_grid *grid) {
    uint64_t room = map->num_light_array != 0 ? map->num_light_array : map->num_light_grid;
    if (!bsp_light_grid_of(map, grid)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        room /= grid->size[i];
    }
    return room != 0;
}

static void add_cell(bsp_light *light, const bsp_light_cell *cell, float weight) {
    float polar = (float)cell->direction[0] * (2 * 3.14159265f / 256);
    float azimuth = (float)cell->direction[1] * (2 * 3.14159265f / 256);
    float direction[3] = {cosf(azimuth) * sinf(polar), sinf(azimuth) * sinf(polar), cosf(polar)};
    for (int i = 0; i < 3; i++) {
        light->ambient[i] += weight * (float)cell->ambient[0][i] * BYTE_LIGHT;
        light->directed[i] += weight * (float)cell->directed[0][i] * BYTE_LIGHT;
        light->direction[i] += weight * direction[i];
    }
}

static void scale_grid(bsp_light *light, float total) {
    float length = 0;
    for (int i = 0; i < 3; i++) {
        light->ambient[i] /= total;
        light->directed[i] /= total;
        length += light->direction[i] * light->direction[i];
    }
    for (int i = 0; i < 3 && length > 0; i++) {
        light->direction[i] /= sqrtf(length);
    }
    light->source = BSP_LIGHT_GRID;
}

// The eight cells around; those without light are in walls and do not count.
static void grid_light(const bsp_map *map, const float point[3], bsp_light *light) {
    bsp_light_grid g;
    uint32_t base[3];
    float part[3];
    float total = 0;
    if (!find_grid(map, &g)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        float at = (point[i] - g.origin[i]) / g.step[i];
        float cell = floorf(at);
        base[i] = cell > 0 ? (cell < (float)g.size[i] - 1 ? (uint32_t)cell : g.size[i] - 1) : 0;
        part[i] = cell >= 0 && base[i] + 1 < g.size[i] ? at - cell : 0;
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        uint32_t at[3];
        float weight = 1;
        for (unsigned i = 0; i < 3; i++) {
            bool next = (corner >> i & 1) != 0;
            weight *= next ? part[i] : 1 - part[i];
            at[i] = base[i] + (next && base[i] + 1 < g.size[i] ? 1 : 0);
        }
        const bsp_light_cell *cell = bsp_light_grid_cell(map, &g, at[0], at[1], at[2]);
        if (weight > 0 && cell != NULL &&
            cell->ambient[0][0] + cell->ambient[0][1] + cell->ambient[0][2] != 0) {
            add_cell(light, cell, weight);
            total += weight;
        }
    }
    if (total > 0) {
        scale_grid(light, total);
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

#define BELOW 8192.0f // how far down the engines look
#define MOST_WAITING 256u
#define NO_STYLE 255u

static float luxel(const bsp_map *map, const bsp_face_light *fl, uint32_t slot, int32_t s,
                   int32_t t, int color) {
    uint32_t bytes = bsp_light_size(map->traits->light);
    s = s < fl->size[0] ? s : fl->size[0] - 1;
    t = t < fl->size[1] ? t : fl->size[1] - 1;
    uint64_t row = (uint64_t)slot * (uint64_t)fl->size[1] + (uint64_t)t;
    uint64_t at = (uint64_t)fl->offset + (row * (uint64_t)fl->size[0] + (uint64_t)s) * bytes;
    if (at + bytes > map->light.size) {
        return 0;
    }
    uint8_t rgb[3];
    bsp_light_rgb(map->traits->light, map->light.data + at, rgb);
    return (float)rgb[color] * BYTE_LIGHT;
}

// The place of the first style that is always on among those of a face, or NONE.
static uint32_t steady_slot(const bsp_face_light *fl) {
    for (uint32_t i = 0; fl->offset != BSP_NONE && i < 4 && fl->styles[i] != NO_STYLE; i++) {
        if (fl->styles[i] == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

// Skies and liquids are looked through, and what never has luxels.
static bool is_special(const bsp_map *map, uint32_t number) {
    uint32_t flags = map->texinfos[map->faces[number].texinfo].flags;
    return (flags & map->traits->unlit_flags) != 0 ||
           (bsp_surface_bits_of(map, number) & (BSP_SURFACE_SKY | BSP_SURFACE_LIQUID)) != 0;
}

// The light of a face at a point on its plane, if the point is within its luxels. A face without
// light ends the way down as well, in the dark (RecursiveLightPoint).
static bool face_light(const bsp_map *map, uint32_t number, const float point[3],
                       bsp_light *light) {
    const bsp_face *face = &map->faces[number];
    if (number >= map->num_face_lights || face->texinfo >= map->num_texinfos ||
        map->traits->luxel == 0 || is_special(map, number)) {
        return false;
    }
    const bsp_face_light *fl = &map->face_lights[number];
    const bsp_texinfo *tex = &map->texinfos[face->texinfo];
    uint32_t slot = steady_slot(fl);
    float at[2];
    if (fl->size[0] < 1 || fl->size[1] < 1) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        at[i] =
            (bspi_dot(point, tex->texture[i]) + tex->texture[i][3]) / (float)map->traits->luxel -
            (float)fl->mins[i];
        if (!(at[i] >= 0) || at[i] > (float)(fl->size[i] - 1)) {
            return false;
        }
    }
    int32_t s = (int32_t)at[0];
    int32_t t = (int32_t)at[1];
    float u = at[0] - (float)s;
    float v = at[1] - (float)t;
    for (int c = 0; c < 3 && slot != BSP_NONE; c++) {
        light->ambient[c] = (1 - v) * ((1 - u) * luxel(map, fl, slot, s, t, c) +
                                       u * luxel(map, fl, slot, s + 1, t, c)) +
                            v * ((1 - u) * luxel(map, fl, slot, s, t + 1, c) +
                                 u * luxel(map, fl, slot, s + 1, t + 1, c));
    }
    light->source = BSP_LIGHT_SURFACE;
    light->face = number;
    return true;
}

// A node whose plane the way down crosses, and the rest of the way behind it.
typedef struct crossing {
    int32_t node;
    bool back; // the way comes from the back
    float z;   // where it crosses
    float end;
} crossing;

static bool faces_light(const bsp_map *map, const crossing *c, const float point[3],
                        bsp_light *light) {
    const bsp_node *node = &map->nodes[c->node];
    float at[3] = {point[0], point[1], c->z};
    for (uint32_t i = 0; i < node->num_faces && node->first_face < map->num_faces &&
                         i < map->num_faces - node->first_face;
         i++) {
        if (face_light(map, node->first_face + i, at, light)) {
            return true;
        }
    }
    return false;
}

// Goes down to a leaf; the crossed nodes wait on the stack.
static uint32_t go_down(const bsp_map *map, int32_t node, float from, float to,
                        const float point[3], crossing *stack, uint32_t count) {
    while (node >= 0) {
        uint32_t number = map->nodes[node].plane;
        const bsp_plane *plane = number < map->num_planes ? &map->planes[number] : NULL;
        float flat = plane == NULL
                         ? 0
                         : point[0] * plane->normal[0] + point[1] * plane->normal[1] - plane->dist;
        float slope = plane == NULL ? 0 : plane->normal[2];
        float front = flat + from * slope;
        float back = flat + to * slope;
        bool behind = front < 0;
        if (behind != (back < 0) && count < MOST_WAITING) {
            float z = from + (to - from) * (front / (front - back));
            stack[count++] = (crossing){node, behind, z, to};
            to = z;
        }
        node = map->nodes[node].children[behind];
    }
    return count;
}

static void surface_light(const bsp_map *map, const float point[3], bsp_light *light) {
    crossing stack[MOST_WAITING];
    if (map->num_nodes == 0 || map->num_models == 0 || map->light.size == 0) {
        return;
    }
    uint32_t count =
        go_down(map, map->models[0].headnodes[0], point[2], point[2] - BELOW, point, stack, 0);
    for (uint32_t steps = 0; count > 0 && steps <= map->num_nodes; steps++) {
        crossing c = stack[--count];
        if (faces_light(map, &c, point, light)) {
            return;
        }
        count = go_down(map, map->nodes[c.node].children[!c.back], c.z, c.end, point, stack, count);
    }
}

bsp_light bsp_query_light(const bsp_map *map, const float point[3]) {
    bsp_light light;
    memset(&light, 0, sizeof light);
    light.face = BSP_NONE;
    uint32_t leaf = bsp_query_leaf(map, point);
    if (map->num_light_grid != 0) {
        grid_light(map, point, &light);
    } else if (map->traits->light == BSP_LIGHT_RGBEXP32 && leaf != BSP_NONE) {
        leaf_light(map, leaf, point, &light);
    } else if (map->traits->light != BSP_LIGHT_PAGES && map->traits->light != BSP_LIGHT_RGBEXP32) {
        surface_light(map, point, &light);
    }
    return light;
}
