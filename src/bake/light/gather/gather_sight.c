// SPDX-License-Identifier: MIT
// Which lamps may send light to the places of a face: those near enough, before it, and in sight of
// a cluster that places are in.
#include "bake/light/faces/node_around.h"
#include "bake/light/gather/gather.h"
#include "bake/light/lamps/lamps.h"

#include "core/vector.h"

#include <math.h>

#define APART 0.25f // units: more than distances from planes are wrong by
#define STEPS 64u   // nodes that count as one of work

// Returns the leaf that eight places are in, or BSP_NONE where that is not known.
static uint32_t leaf_of_eight(const bsp_map *map, const bspi_lamp_places *eight, uint32_t *steps) {
    float middle[3];
    float half[3];
    int32_t root = map->num_models != 0 ? map->models[0].headnodes[0] : 0;
    bspi_gather_box(eight, 1, middle, half);
    int32_t node = bspi_node_around(map, root, middle, half, APART, steps);
    return node < 0 ? (uint32_t)(-1 - node) : BSP_NONE;
}

// Adds the cluster of a leaf, unless that is the one before.
static void add_cluster(bspi_gather *g, uint32_t leaf, uint32_t *before) {
    if (leaf == *before && g->num_clusters != 0) {
        return;
    }
    *before = leaf;
    uint32_t cluster = bspi_lamp_cluster(g->own, leaf);
    uint32_t i = 0;
    while (i < g->num_clusters && g->clusters[i] != cluster) {
        i++;
    }
    if (i == g->num_clusters && i < BSPI_GATHER_CLUSTERS) {
        g->clusters[g->num_clusters++] = cluster;
    }
}

// Finds the clusters that the places in tiles are in. If there is no more to pay with, the meter
// says so the next time, too.
static void find_clusters(bspi_gather *g) {
    const bsp_map *map = g->own->map;
    uint32_t steps = 0;
    uint32_t before = BSP_NONE;
    for (uint32_t k = 0; k < g->num_eights && g->num_clusters < BSPI_GATHER_CLUSTERS; k++) {
        const bspi_lamp_places *eight = &g->eights[k];
        uint32_t leaf = g->own->drawn == NULL ? leaf_of_eight(map, eight, &steps) : BSP_NONE;
        if (leaf < map->num_leaves) {
            add_cluster(g, leaf, &before);
            continue;
        }
        for (uint32_t n = 0; n < eight->count; n++) {
            leaf = bsp_trace_leaf(g->own->index, g->places->points[eight->place[n]]);
            add_cluster(g, leaf, &before);
        }
    }
    g->clusters_known = true;
    (void)bspi_meter_add(&g->meter, steps / STEPS);
}

static bool in_sight(bspi_gather *g, const bspi_lamp *lamp) {
    if (lamp->visible != NULL && !g->clusters_known) {
        find_clusters(g);
    }
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

bool bspi_gather_reaches(bspi_gather *g, const bspi_lamp *lamp) {
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
