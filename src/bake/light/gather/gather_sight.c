// SPDX-License-Identifier: MIT
// Which lamps may send light to the places of a face: those near enough, before it, and in sight of
// a cluster that places are in.
#include "bake/light/gather/gather.h"
#include "bake/light/lamps/lamps.h"

#include "core/vector.h"

#include <math.h>

#define MOST_DEPTH 1024u // of a tree
#define APART 0.25f      // units: more than distances from planes are wrong by

// Returns the leaf that a box is in, or BSP_NONE where that is not known.
static uint32_t leaf_of_box(const bsp_map *map, const float middle[3], const float half[3]) {
    int32_t node = map->num_models != 0 ? map->models[0].headnodes[0] : 0;
    for (uint32_t depth = 0; node >= 0; depth++) {
        const bsp_node *n = (uint32_t)node < map->num_nodes ? &map->nodes[node] : NULL;
        if (n == NULL || n->plane >= map->num_planes || depth == MOST_DEPTH) {
            return BSP_NONE;
        }
        const bsp_plane *plane = &map->planes[n->plane];
        float away = bspi_dot(plane->normal, middle) - plane->dist;
        float reach = APART;
        for (int i = 0; i < 3; i++) {
            reach += fabsf(plane->normal[i]) * half[i];
        }
        if (!(fabsf(away) > reach)) {
            return BSP_NONE;
        }
        node = n->children[away < 0];
    }
    return (uint32_t)(-1 - node);
}

// The same for the box around eight places.
static uint32_t leaf_of_eight(const bsp_map *map, const bspi_lamp_places *eight) {
    float middle[3];
    float half[3];
    for (int i = 0; i < 3; i++) {
        float low = eight->point[i][0];
        float high = low;
        for (uint32_t n = 1; n < BSPI_LAMP_PLACES; n++) { // the last one fills up
            float at = eight->point[i][n];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        middle[i] = (low + high) / 2;
        half[i] = (high - low) / 2;
    }
    return leaf_of_box(map, middle, half);
}

static void add_cluster(bspi_gather *g, uint32_t leaf) {
    uint32_t cluster = bspi_lamp_cluster(g->own, leaf);
    uint32_t i = 0;
    while (i < g->num_clusters && g->clusters[i] != cluster) {
        i++;
    }
    if (i == g->num_clusters && i < BSPI_GATHER_CLUSTERS) {
        g->clusters[g->num_clusters++] = cluster;
    }
}

void bspi_gather_clusters(bspi_gather *g) {
    const bsp_map *map = g->own->map;
    uint32_t count = g->num_tiles != 0 ? g->tiles[g->num_tiles - 1].end : 0;
    for (uint32_t k = 0; k < count && g->num_clusters < BSPI_GATHER_CLUSTERS; k++) {
        const bspi_lamp_places *eight = &g->eights[k];
        uint32_t leaf = g->own->drawn == NULL ? leaf_of_eight(map, eight) : BSP_NONE;
        if (leaf < map->num_leaves) {
            add_cluster(g, leaf);
            continue;
        }
        for (uint32_t n = 0; n < eight->count; n++) {
            add_cluster(g, bsp_trace_leaf(g->own->index, g->places->points[eight->place[n]]));
        }
    }
}

static bool in_sight(const bspi_gather *g, const bspi_lamp *lamp) {
    bool sees = lamp->visible == NULL || g->num_clusters == BSPI_GATHER_CLUSTERS;
    for (uint32_t i = 0; g->places->row != NULL && i < lamp->num_clusters; i++) {
        if (lamp->clusters[i] != BSP_NONE &&
            !bsp_query_row_sees(g->own->map, g->places->row, lamp->clusters[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; !sees && i < g->num_clusters; i++) {
        sees = g->clusters[i] == BSP_NONE ||
               bsp_query_row_sees(g->own->map, lamp->visible, g->clusters[i]);
    }
    return sees;
}

bool bspi_gather_reaches(const bspi_gather *g, const bspi_lamp *lamp) {
    const bspi_places *places = g->places;
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = lamp->origin[i] - places->middle[i];
    }
    uint32_t channels = lamp->channels != 0 ? lamp->channels : BSPI_CHANNEL;
    bool before = places->hill || bspi_lamp_both(lamp, places) ||
                  bspi_dot(way, places->normal) > -g->own->scale.lift;
    return (channels & bspi_places_channels(g->own, places)) != 0 &&
           (before || lamp->kind == BSPI_LAMP_LEAST) &&
           (lamp->reach <= 0 || sqrtf(bspi_dot(way, way)) - places->radius <= lamp->reach) &&
           in_sight(g, lamp);
}
