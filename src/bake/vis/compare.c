// SPDX-License-Identifier: MIT
// How visibility differs from the rows that a map has.
#include "bspkit/vis.h"

#include "core/bits.h"

#include <assert.h>

// The clusters of a map are those of the portals, or in Quake and GoldSrc leaves: of each cluster
// of the map, the leaf whose number it has.
typedef struct pairing {
    const bsp_vis *vis;
    const bsp_portals *portals;
    bool leaves;
} pairing;

static uint32_t number_of(const pairing *p, uint32_t cluster) {
    if (!p->leaves) {
        return cluster;
    }
    return cluster + 1 < p->portals->num_leaves ? p->portals->leaf_clusters[cluster + 1] : BSP_NONE;
}

static bool sees(const pairing *p, uint32_t from, uint32_t to) {
    uint32_t a = number_of(p, from);
    uint32_t b = number_of(p, to);
    const bsp_vis *vis = p->vis;
    return a < vis->num_clusters && b < vis->num_clusters &&
           bspi_bit_is(vis->rows + (size_t)a * vis->row_bytes, b);
}

// Compares one row. Returns false if the caller ends the comparison.
static bool compare_row(const pairing *p, const uint8_t *row, uint32_t from, uint32_t count,
                        bsp_vis_sink sink, void *user, bsp_vis_difference *out) {
    for (uint32_t to = 0; to < count; to++) {
        bool stored = bspi_bit_is(row, to);
        bool found = sees(p, from, to);
        out->stored_pairs += stored;
        out->pairs += found;
        out->stored_only += stored && !found;
        out->new_only += found && !stored;
        if (stored != found && sink != NULL && !sink(user, from, to, stored)) {
            return false;
        }
    }
    return true;
}

void bsp_vis_compare(const bsp_vis *vis, const bsp_portals *portals, const bsp_map *map,
                     bsp_vis_sink sink, void *user, uint8_t *row, bsp_vis_difference *out) {
    assert(vis != NULL && portals != NULL && map != NULL && out != NULL);
    assert(row != NULL || map->visibility.row_bytes == 0);
    pairing p = {vis, portals, map->traits->vis.leaves};
    uint32_t count = map->visibility.num_clusters;
    *out = (bsp_vis_difference){.num_clusters = count};
    for (uint32_t from = 0; from < count; from++) {
        bsp_map_visible(map, from, false, row);
        if (!compare_row(&p, row, from, count, sink, user, out)) {
            return;
        }
    }
}
