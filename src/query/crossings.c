// SPDX-License-Identifier: MIT
// Which planes of nodes a line crosses, from its start on.
#include "query/crossings.h"

#include "core/vector.h"

#include <math.h>

void bspi_crossings_begin(bspi_crossings *line, const bsp_map *map, const float from[3],
                          const float way[3], float length) {
    bool some = map->num_nodes != 0 && map->num_models != 0;
    line->map = map;
    line->from = from;
    line->way = way;
    line->node = some ? map->models[0].headnodes[0] : -1;
    line->at = 0;
    line->end = length;
    line->steps = 0;
    line->count = 0;
}

// Goes down to a leaf; the crossed nodes are put on the stack.
static void go_down(bspi_crossings *line) {
    const bsp_map *map = line->map;
    int32_t node = line->node;
    float to = line->end;
    while (node >= 0 && line->steps < map->num_nodes) { // subtrees may be of several nodes
        uint32_t number = map->nodes[node].plane;
        const bsp_plane *plane = number < map->num_planes ? &map->planes[number] : NULL;
        float flat = plane == NULL ? 0 : bspi_dot(plane->normal, line->from) - plane->dist;
        float slope = plane == NULL ? 0 : bspi_dot(plane->normal, line->way);
        bool back = flat + line->at * slope < 0;
        if (back != (flat + to * slope < 0) && line->count < BSPI_MOST_CROSSED) {
            float at = fmaxf(line->at, fminf(to, -flat / slope));
            line->stack[line->count++] = (bspi_crossing){node, back, at, to};
            to = at;
        }
        node = map->nodes[node].children[back];
        line->steps++;
    }
}

const bsp_node *bspi_crossings_next(bspi_crossings *line, float point[3], float *at) {
    go_down(line);
    if (line->count == 0) {
        return NULL;
    }
    const bspi_crossing *crossed = &line->stack[--line->count];
    const bsp_node *node = &line->map->nodes[crossed->node];
    line->node = node->children[!crossed->back];
    line->at = *at = crossed->at;
    line->end = crossed->end;
    for (int i = 0; i < 3; i++) {
        point[i] = line->from[i] + line->way[i] * crossed->at;
    }
    return node;
}
