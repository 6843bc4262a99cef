// SPDX-License-Identifier: MIT
// Places in solid, at which no light is measured. By the rules of ericw-tools the tree tells, and a
// place beside a wall is in it; by those of others the brushes do, where a map has some.
#include "bake/light/places/places.h"

#include "core/vector.h"
#include "formats/quake_contents.h"
#include "query/masks.h"

#define TOUCH 0.1f       // units: so close to solid is in it (ericw-tools)
#define MOST_PENDING 64u // nodes of a tree beside a point
#define MOST_STEPS 4096u // of them in all

// Is a point of a tree in solid or sky, or closer than that to it at the edge of a leaf? Source:
// Light_PointInSolid of ericw-tools.
static bool is_close(const bsp_map *map, uint32_t model, const float point[3]) {
    int32_t pending[MOST_PENDING];
    uint32_t count = 0;
    uint32_t steps = 0;
    pending[count++] = map->models[model].headnodes[0];
    while (count != 0 && steps++ < MOST_STEPS) {
        int32_t node = pending[--count];
        uint32_t leaf = (uint32_t)(-1 - node);
        if (node < 0) {
            int32_t contents = leaf < map->num_leaves ? map->leaves[leaf].contents : 0;
            if (map->traits->contents_numbers ? bspi_is_closed(contents)
                                              : ((uint32_t)contents & BSPI_SOLID_MASK) != 0) {
                return true;
            }
            continue;
        }
        const bsp_node *n = (uint32_t)node < map->num_nodes ? &map->nodes[node] : NULL;
        if (n == NULL || n->plane >= map->num_planes) {
            continue;
        }
        float away = bspi_dot(map->planes[n->plane].normal, point) - map->planes[n->plane].dist;
        if (away < TOUCH && count < MOST_PENDING) {
            pending[count++] = n->children[1];
        }
        if (away > -TOUCH && count < MOST_PENDING) {
            pending[count++] = n->children[0];
        }
    }
    return false;
}

static bool is_solid(const bspi_relight *own, uint32_t model, const float point[3]) {
    const bsp_map *map = own->map;
    if (own->occluders != NULL) {
        return is_close(map, model, point);
    }
    int32_t contents = bsp_trace_contents(own->index, model, point);
    return map->traits->contents_numbers ? bspi_is_closed(contents)
                                         : ((uint32_t)contents & BSPI_SOLID_MASK) != 0;
}

static bool is_opaque(const bspi_relight *own, uint32_t model) {
    return own->models[model].shades && (own->occluders == NULL || own->models[model].opacity >= 1);
}

bool bspi_place_solid(const bspi_relight *own, uint32_t model, const float point[3]) {
    const bsp_map *map = own->map;
    uint32_t tested = 0;
    for (uint32_t m = 0; m < map->num_models; m = tested) {
        float at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = point[i] - own->models[m].origin[i];
        }
        if (is_solid(own, m, at)) {
            return true;
        }
        tested = m + 1;
        if (!own->any_shades) { // the world, and the model itself
            tested = m < model ? model : map->num_models;
        }
        while (tested < map->num_models && tested != model && !is_opaque(own, tested)) {
            tested++;
        }
    }
    return false;
}
