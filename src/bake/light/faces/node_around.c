// SPDX-License-Identifier: MIT
// Going down a tree while all of a box is on one side.
#include "bake/light/faces/node_around.h"

#include "core/vector.h"

#define MOST_DEPTH 1024u // of a tree

int32_t bspi_node_around(const bsp_map *map, int32_t node, const float middle[3],
                         const float half[3], float apart, uint32_t *steps) {
    uint32_t depth = 0;
    for (; depth < MOST_DEPTH; depth++) {
        const bsp_node *n = node >= 0 && (uint32_t)node < map->num_nodes ? &map->nodes[node] : NULL;
        if (n == NULL || n->plane >= map->num_planes) {
            break;
        }
        const bsp_plane *plane = &map->planes[n->plane];
        float away = bspi_dot(plane->normal, middle) - plane->dist;
        float reach = apart;
        for (int i = 0; i < 3; i++) {
            reach += fabsf(plane->normal[i]) * half[i];
        }
        if (!(fabsf(away) > reach)) {
            break;
        }
        node = n->children[away < 0];
    }
    if (steps != NULL) {
        *steps += depth;
    }
    return node;
}
