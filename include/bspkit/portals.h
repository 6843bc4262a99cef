// SPDX-License-Identifier: MIT
/// @file portals.h
/// Portals: the openings between the leaves of the world's tree, out of a compiled map. Compilers
/// write them to a file beside the map (.prt) for what computes visibility, and drop them; the tree
/// still has them. Facts: sheet bake, 1.
#ifndef BSPKIT_PORTALS_H
#define BSPKIT_PORTALS_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An opening: a convex polygon on the plane of a node, of which two leaves are on either side.
typedef struct bsp_portal {
    double normal[3];     ///< unit length, in the axes of the map, to the side of leaf 0
    double dist;          ///< of the plane from the origin along `normal`, in game units
    uint32_t leaves[2];   ///< in front of the plane, and on its other side
    uint32_t clusters[2]; ///< of these leaves, which differ
    uint32_t first_point; ///< run of points, counter-clockwise seen from leaf 0
    uint32_t num_points;  ///< 3 to 64
} bsp_portal;

/// Whether sight goes from leaves of one kind into those of another.
typedef struct bsp_sight_pair {
    /// What a leaf is to visibility: Quake's contents, else the bits that can be seen
    /// (bsp_vis_rules). The lower one is first.
    int32_t contents[2];
    uint32_t portals; ///< openings between such leaves
    uint32_t seen;    ///< openings whose two leaves see each other in the rows that the map has
    bool passes;      ///< sight goes through
} bsp_sight_pair;

/// The portals of a map. Plain data; bsp_portals_free frees it.
typedef struct bsp_portals {
    const bsp_portal *list;
    uint32_t count;
    const double (*points)[3]; ///< of all portals, in game units
    uint32_t num_points;
    /// The cluster of each leaf of the map, or BSP_NONE: solid, or not of the world. In Quake and
    /// GoldSrc a cluster is a group of leaves that have one row; else it is what the leaf says.
    const uint32_t *leaf_clusters;
    uint32_t num_leaves;
    uint32_t num_clusters;
    const bsp_sight_pair *pairs; ///< kinds of leaves that have openings between them
    uint32_t num_pairs;
    bool learned; ///< `passes` is what the map's rows show, else what the compilers do
    /// Parts of the tree that were taken as one leaf each, since detail brushes divide them alone.
    uint32_t num_collapsed;
    uint32_t num_blocked; ///< openings that sight does not go through
    bool checked;         ///< the base keeps only pairs that both see (bsp_vis_rules.checked)
    void *owner;          ///< private; NULL: a program made the struct itself
} bsp_portals;

/// How portals are found. All zero gives the defaults.
typedef struct bsp_portals_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    /// Every leaf of Quake and GoldSrc is a cluster of its own, and detail brushes divide, as if
    /// they were structural: smaller parts, and tighter visibility.
    bool by_leaf;
    /// Do not learn from the rows of the map what sight goes through.
    bool unlearned;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_portals_options;

/// Finds the portals of a map that was loaded with its tree, and with its brushes where these can
/// be detail (bsp_vis_rules.detail). The map is borrowed for the call. NULL on failure: with
/// BSP_E_ARGUMENT if one of these was not loaded, without memory, or over a limit. A map without a
/// world has no portals, which is none. Free with bsp_portals_free.
BSP_API bsp_portals *bsp_portals_build(const bsp_map *map, const bsp_portals_options *options,
                                       bsp_error *error);
/// Frees portals. NULL is allowed and does nothing.
BSP_API void bsp_portals_free(bsp_portals *portals);

/// The forms of portal files.
typedef enum bsp_portals_form {
    BSP_PORTALS_PRT1 = 0,    ///< PRT1: Quake, Quake 2, Source
    BSP_PORTALS_PRT2 = 1,    ///< PRT2: Quake with clusters, and the leaves of each
    BSP_PORTALS_AM = 2,      ///< PRT1-AM: Quake with clusters, and the cluster of each leaf
    BSP_PORTALS_GOLDSRC = 3, ///< GoldSrc: no magic, and the number of leaves of each cluster
    BSP_PORTALS_QUAKE3 = 4,  ///< Quake 3: PRT1 with flags, and no solid faces
    BSP_PORTALS_OBJ = 5      ///< Wavefront .obj: the polygons
} bsp_portals_form;

/// Returns the form that the compilers of a map's family read: GoldSrc's or Quake 3's own, PRT2
/// where Quake has clusters of several leaves, else PRT1.
BSP_API bsp_portals_form bsp_portals_form_of(const bsp_map *map, const bsp_portals *portals);
/// Writes portals as text in game units, with newlines at the ends of lines. False on failure: with
/// BSP_E_IO when the sink refuses, with BSP_E_ARGUMENT for a form that there is not.
BSP_API bool bsp_portals_write(const bsp_portals *portals, bsp_portals_form form, bsp_sink sink,
                               void *user, bsp_error *error);

// --- leaks --------------------------------------------------------------------------------------

/// A way from an entity to the outside of a map that is not sealed. Plain data; bsp_leak_free frees
/// it.
typedef struct bsp_leak {
    bool found;      ///< the map leaks; else the other members are empty
    uint32_t entity; ///< number of the entity at which the way begins
    /// From the origin of the entity through the middles of openings to the world's edge, in game
    /// units: what editors load as a .pts or .lin file.
    const double (*points)[3];
    uint32_t num_points;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_leak;

/// How a leak is looked for. All zero gives the defaults.
typedef struct bsp_leak_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_leak_options;

/// Looks for the shortest way, by openings, from an entity with an origin to the outside of the
/// world, of a map that was loaded with its tree and its entities. Solid and, in Quake and GoldSrc,
/// the sky stop it, as they stop the compilers' fill; detail brushes do not seal a map for a
/// compiler, but do here, since their leaves are solid. NULL on failure: with BSP_E_ARGUMENT if one
/// of these was not loaded, without memory, or over a limit. Free with bsp_leak_free.
BSP_API bsp_leak *bsp_leak_find(const bsp_map *map, const bsp_leak_options *options,
                                bsp_error *error);
/// Frees what bsp_leak_find returned. NULL is allowed and does nothing.
BSP_API void bsp_leak_free(bsp_leak *leak);

#ifdef __cplusplus
}
#endif
#endif
