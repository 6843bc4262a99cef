// SPDX-License-Identifier: MIT
// The portals of a compiled map.
#include "bake/portals/recover.h"
#include "core/options.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

static bool find_stands(bspi_recover *r, bool by_leaf) {
    const bsp_map *map = r->map;
    r->stands = bspi_arena_raw(&r->arena, map->num_nodes, sizeof *r->stands, r->error);
    if (r->stands == NULL) {
        return false;
    }
    memset(r->stands, 0xff, map->num_nodes * sizeof *r->stands);
    return by_leaf || bspi_recover_collapse(r);
}

static bool build(bspi_recover *r, const bsp_portals_options *options) {
    bool done = bspi_recover_nodes(r) && bspi_recover_clusters(r, options->by_leaf) &&
                find_stands(r, options->by_leaf) && bspi_recover_openings(r) &&
                bspi_recover_passes(r, !options->unlearned);
    r->portals.list = r->list;
    r->portals.points = (const double(*)[3])r->points;
    r->portals.leaf_clusters = r->leaf_clusters;
    r->portals.num_leaves = r->map->num_leaves;
    r->portals.checked = r->map->traits->vis.checked;
    r->map = NULL;
    return done;
}

bsp_portals *bsp_portals_build(const bsp_map *map, const bsp_portals_options *options,
                               bsp_error *error) {
    assert(map != NULL);
    bsp_portals_options taken;
    uint32_t parts = BSP_LOAD_TREE | (map->traits->vis.detail != 0 ? BSP_LOAD_BRUSHES : 0u);
    if (!BSPI_TAKE_OPTIONS(taken, options, error) ||
        !bspi_map_needs(map, parts, "portals", error)) {
        return NULL;
    }
    bspi_recover *r = bspi_object_new(taken.allocator, sizeof *r, error);
    if (r == NULL) {
        return NULL;
    }
    bspi_recover_begin(r, map, taken.budget, taken.allocator, error);
    r->portals.owner = r;
    if (!build(r, &taken)) {
        bsp_portals_free(&r->portals);
        return NULL;
    }
    return &r->portals;
}

void bsp_portals_free(bsp_portals *portals) {
    bspi_recover *r = portals == NULL ? NULL : portals->owner;
    if (r == NULL) {
        return;
    }
    bspi_recover_end(r);
    bspi_object_free(r, sizeof *r, &r->heap.allocator);
}
