// SPDX-License-Identifier: MIT
// Finding the openings between leaves: what the steps of portals share.
#ifndef BSPI_BAKE_RECOVER_H
#define BSPI_BAKE_RECOVER_H

#include "bspkit/portals.h"
#include "core/memory.h"
#include "mesh/split.h"

/// A fragment on its way down the tree.
typedef struct bspi_fragment {
    int32_t child; ///< node, or -1 minus a leaf
    bspi_polygon polygon;
} bspi_fragment;

typedef struct bspi_fragments {
    bspi_fragment *list;
    size_t count;
    size_t room;
} bspi_fragments;

/// Portals on the way: the map, what its nodes and leaves are, and what was found.
typedef struct bspi_recover {
    bsp_portals portals;
    const bsp_map *map;
    bspi_heap heap;
    bspi_arena arena;
    bspi_meter meter;
    bsp_error *error;
    uint32_t *leaf_clusters;
    /// For each node: the leaf that stands for all below it, or BSP_NONE (collapse.c).
    uint32_t *stands;
    uint32_t *parents; ///< for each node: twice its parent plus its side; BSP_NONE: root, or none
    uint32_t *order;   ///< nodes of the world, each after its parent
    uint32_t num_order;
    bsp_portal *list;
    size_t room_list;
    double (*points)[3];
    size_t num_points;
    size_t room_points;
    bspi_fragments front;
    bspi_fragments back;
} bspi_recover;

/// Returns the root of the world's tree; below 0 without a tree: then there is nothing to find.
int32_t bspi_recover_root(const bsp_map *map);
/// Lists the nodes of the world (recover.c).
bool bspi_recover_nodes(bspi_recover *r);
/// Sets the cluster of each leaf: as it says, or by its row (clusters.c).
bool bspi_recover_clusters(bspi_recover *r, bool by_leaf);
/// Finds the nodes below which detail brushes alone divide one cluster (collapse.c).
bool bspi_recover_collapse(bspi_recover *r);
/// Finds all openings between leaves that have clusters (recover.c).
bool bspi_recover_openings(bspi_recover *r);
/// Receives a leaf and the part of the world's edge in it.
typedef void bspi_edge_fn(void *user, uint32_t leaf, const bspi_polygon *part);
/// Cuts the six sides of a box around the world by the tree (recover.c).
bool bspi_recover_edge(bspi_recover *r, bspi_edge_fn *found, void *user);
/// Begins with what is needed for the others, and ends it (recover.c).
void bspi_recover_begin(bspi_recover *r, const bsp_map *map, bsp_budget *budget,
                        const bsp_allocator *allocator, bsp_error *error);
void bspi_recover_end(bspi_recover *r);
/// Decides which openings sight goes through, and drops the others and those inside of a cluster
/// (passes.c).
bool bspi_recover_passes(bspi_recover *r, bool learn);

#endif
