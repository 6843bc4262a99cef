// SPDX-License-Identifier: MIT
// Points near solid, as hlrad looks for them: first the point itself, then those a step away along
// the axes, then those of two steps. Source: qradutil.cpp of SDHLT.
#include "bake/light/faces/free_point.h"
#include "bake/light/faces/node_around.h"

#include "core/vector.h"
#include "formats/quake_contents.h"

#include <string.h>

#define TOUCH 0.12f      // units: so close to what is solid, or to another liquid, is in it
#define ALL_WAYS 1.8f    // how much longer than a step the way along three axes is
#define MOST_PENDING 64u // nodes of a tree beside a point
#define MOST_STEPS 256u  // of them in all
#define MOST_DEPTH 1024u // of a tree
#define NEARBY 24.0f     // units within which the next search most often is
#define MODELS 8u        // that are looked at count as one of work
#define ROUND 0.05f      // units: more than distances from planes are wrong by

// Returns the deepest node, or the leaf, below one that holds all so close to a point.
static int32_t node_around(const bsp_map *map, int32_t node, const float point[3], float reach) {
    static const float half[3];
    return bspi_node_around(map, node, point, half, reach, NULL);
}

// Returns a node of the world that holds all so close to a point.
static int32_t node_above(const bsp_map *map, bspi_free_around *around, const float point[3],
                          float reach) {
    int32_t root = map->num_models != 0 ? map->models[0].headnodes[0] : -1;
    if (around == NULL || !(reach + ROUND < NEARBY)) {
        return root;
    }
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = point[i] - around->middle[i];
    }
    if (!(sqrtf(bspi_dot(way, way)) + reach + ROUND < around->radius)) {
        memcpy(around->middle, point, sizeof around->middle);
        around->radius = NEARBY;
        around->node = node_around(map, root, point, NEARBY);
    }
    return around->node;
}

// Returns how far a point is before the plane of a node, or NaN for a node that is not there.
static float before_node(const bsp_map *map, const bsp_node *node, const float point[3]) {
    return node->plane < map->num_planes
               ? bspi_dot(map->planes[node->plane].normal, point) - map->planes[node->plane].dist
               : NAN;
}

// Are all leaves that close to a point, below a node that holds them, of one kind, and not solid or
// sky?
static bool is_clear(const bsp_map *map, int32_t node, const float point[3], float reach) {
    int32_t pending[MOST_PENDING];
    uint32_t count = 0;
    int32_t seen = 0;
    for (uint32_t steps = 0; steps < MOST_STEPS; steps++) {
        float away = NAN;
        if (node < 0) {
            uint32_t leaf = (uint32_t)(-1 - node);
            int32_t contents = leaf < map->num_leaves ? map->leaves[leaf].contents : 0;
            if (bspi_is_closed(contents) || (seen != 0 && contents != seen)) {
                return false;
            }
            seen = contents;
        } else if ((uint32_t)node < map->num_nodes) {
            away = before_node(map, &map->nodes[node], point);
        }
        if (away >= -reach) {
            if (away <= reach) {
                if (count == MOST_PENDING) {
                    return false;
                }
                pending[count++] = map->nodes[node].children[1];
            }
            node = map->nodes[node].children[0];
        } else if (away <= reach) {
            node = map->nodes[node].children[1];
        } else if (count != 0) {
            node = pending[--count];
        } else {
            return true;
        }
    }
    return false;
}

// May a leaf that close to a point be neither solid nor sky?
static bool may_be_open(const bsp_map *map, int32_t below, const float point[3], float reach) {
    int32_t pending[MOST_PENDING];
    uint32_t count = 0;
    uint32_t steps = 0;
    pending[count++] = below;
    while (count != 0) {
        int32_t node = pending[--count];
        uint32_t leaf = (uint32_t)(-1 - node);
        if (node < 0) {
            if (leaf >= map->num_leaves || !bspi_is_closed(map->leaves[leaf].contents)) {
                return true;
            }
            continue;
        }
        const bsp_node *n = (uint32_t)node < map->num_nodes ? &map->nodes[node] : NULL;
        if (n == NULL || n->plane >= map->num_planes || steps++ == MOST_STEPS ||
            count + 2 > MOST_PENDING) {
            return true;
        }
        float away = bspi_dot(map->planes[n->plane].normal, point) - map->planes[n->plane].dist;
        if (!(away > reach)) {
            pending[count++] = n->children[1];
        }
        if (!(away < -reach)) {
            pending[count++] = n->children[0];
        }
    }
    return false;
}

static bool is_free(bspi_relight *own, int32_t below, const float point[3]) {
    if (!is_clear(own->map, below, point, TOUCH)) {
        return false;
    }
    if (own->num_shading >= MODELS) { // the rest is paid with the place
        (void)bspi_heap_work(&own->heap, own->num_shading / MODELS, NULL);
    }
    for (uint32_t n = 0; n < own->num_shading; n++) {
        uint32_t m = own->shading[n];
        float at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = point[i] - own->models[m].origin[i];
        }
        if (bspi_is_closed(bsp_trace_contents(own->index, m, at))) {
            return false;
        }
    }
    return true;
}

bool bspi_free_point_is_closed(const bspi_relight *own, bspi_free_around *around,
                               const float point[3], float reach) {
    return !may_be_open(own->map, node_above(own->map, around, point, reach), point, reach);
}

bool bspi_free_way_is_open(const bspi_relight *own, bspi_free_around *around, const float from[3],
                           const float to[3]) {
    const bsp_map *map = own->map;
    const float apart = TOUCH + ROUND;
    const float way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    int32_t node = node_above(map, around, from, sqrtf(bspi_dot(way, way)) + apart);
    for (uint32_t depth = 0; node >= 0; depth++) {
        if ((uint32_t)node >= map->num_nodes || depth == MOST_DEPTH) {
            return false;
        }
        float a = before_node(map, &map->nodes[node], from);
        float b = before_node(map, &map->nodes[node], to);
        if (!((a > apart && b > apart) || (a < -apart && b < -apart))) {
            return false;
        }
        node = map->nodes[node].children[a < 0];
    }
    uint32_t leaf = (uint32_t)(-1 - node);
    return leaf < map->num_leaves && !bspi_is_closed(map->leaves[leaf].contents);
}

// Takes a point of the plane, as near as it can be. False if it is not nearer than `least`, or not
// free.
static bool take_free(bspi_relight *own, const bspi_free_search *search, int32_t below,
                      const float point[3], float at[3], float *least) {
    float square = 0;
    float off = bspi_dot(at, search->normal) - search->dist;
    for (int i = 0; i < 3; i++) {
        at[i] -= search->normal[i] * off;
        square += (at[i] - point[i]) * (at[i] - point[i]);
    }
    bool free = square < *least && is_free(own, below, at);
    *least = free ? square : *least;
    return free;
}

// Looks at the points that are a step away along some axes.
static bool find_around(bspi_relight *own, const bspi_free_search *search, int32_t below,
                        float step, float point[3]) {
    const float ways[3] = {0, -step, step};
    float best[3];
    float least = INFINITY;
    bool upright[3]; // on the plane: points that were tried
    for (int i = 0; i < 3; i++) {
        upright[i] = fabsf(search->normal[i]) == 1;
    }
    for (int x = 0; x < (upright[0] ? 1 : 3); x++) {
        for (int y = 0; y < (upright[1] ? 1 : 3); y++) {
            for (int z = x == 0 && y == 0 ? 1 : 0; z < (upright[2] ? 1 : 3); z++) {
                float at[3] = {point[0] + ways[x], point[1] + ways[y], point[2] + ways[z]};
                if (take_free(own, search, below, point, at, &least)) {
                    memcpy(best, at, sizeof best);
                }
            }
        }
    }
    if (least < INFINITY) {
        memcpy(point, best, sizeof best);
    }
    return least < INFINITY;
}

bool bspi_free_point_find(bspi_relight *own, const bspi_free_search *search, float point[3]) {
    float reach = ALL_WAYS * search->step * (float)(search->size - 1) + 2 * TOUCH;
    int32_t below = node_above(own->map, search->around, point, reach);
    float least = INFINITY;
    float at[3] = {point[0], point[1], point[2]};
    if (take_free(own, search, below, point, at, &least)) {
        memcpy(point, at, sizeof at);
        return true;
    }
    below = node_around(own->map, below, point, reach);
    if (search->size < 2 || !may_be_open(own->map, below, point, reach)) {
        return false;
    }
    bool found = false;
    for (int far = 1; far < search->size && !found; far++) {
        found = find_around(own, search, below, search->step * (float)far, point);
    }
    return found;
}
