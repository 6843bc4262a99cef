// SPDX-License-Identifier: MIT
/// @file vis.h
/// Visibility made anew: which clusters may see which, out of the portals between them. Facts:
/// sheet bake, 2; S. Teller, Visibility Computations in Densely Occluded Polyhedral Environments
/// (1992).
#ifndef BSPKIT_VIS_H
#define BSPKIT_VIS_H

#include "bspkit/edit.h"
#include "bspkit/portals.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Visibility of clusters: a square of bits, in which each cluster sees itself. Plain data;
/// bsp_vis_free frees it.
typedef struct bsp_vis {
    uint32_t num_clusters; ///< as the portals number them
    uint32_t row_bytes;    ///< (num_clusters + 7) / 8
    /// One row after another: bit n % 8 of byte n / 8 is cluster n. What lies between two clusters
    /// that do not see each other is never free; the reverse is not promised.
    const uint8_t *rows;
    uint64_t pairs;      ///< bits that are set, those of each cluster and itself among them
    uint64_t base_pairs; ///< how many would be set without the search through portals
    double distance;     ///< bsp_vis_options.distance, in game units
    void *owner;         ///< private; NULL: a program made the struct itself
} bsp_vis;

/// How visibility is computed. All zero gives the defaults.
typedef struct bsp_vis_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    /// Only the base: portals that lie before one another, as the compilers' -fast has it, to the
    /// bit. Then the result is symmetric only where the family's compiler makes it so.
    bool base;
    /// Clusters are out of sight whose portals are all farther apart, in units; 0: none are, and
    /// less is BSP_E_ARGUMENT. A far plane of the game is meant: this does hide what a trace can
    /// see.
    double distance;
    const bsp_allocator *allocator;
    bsp_budget *budget;    ///< counts memory and work, and states the threads; NULL: the defaults
    bsp_progress progress; ///< told about the work
} bsp_vis_options;

/// Returns how far the game draws by the entities of a map that was loaded with them, in units: the
/// farthest "farz" of its fogs, unless one has none (Source: env_fog_controller), or
/// "_farplanedist" of the world (q3map2); 0 where it draws everything. For the member `distance`.
BSP_API double bsp_vis_far_plane(const bsp_map *map);

/// Computes the visibility between the clusters of portals, which are borrowed for the call. The
/// result is symmetric (but for the base), and the same at any number of threads; the steps of work
/// that it takes are some percent more with many. NULL on failure: with BSP_E_ARGUMENT for a
/// distance below 0, with BSP_E_CANCELLED when the progress says so, without memory, or over a
/// limit. Free with bsp_vis_free.
BSP_API bsp_vis *bsp_vis_build(const bsp_portals *portals, const bsp_vis_options *options,
                               bsp_error *error);
/// Frees visibility. NULL is allowed and does nothing.
BSP_API void bsp_vis_free(bsp_vis *vis);

// --- parts --------------------------------------------------------------------------------------

/// The most parts that the work on one map is divided into.
#define BSP_VIS_MOST_PARTS 65536u

/// Does part `number` (from 1) of `count` of the work that bsp_vis_build does, without the base
/// alone. Parts need nothing of one another, and can be done on different machines. Each searches
/// the first three quarters of the portals, which the others need, and its share of the rest.
/// BSP_E_ARGUMENT for a part that there is not, and for the base. The caller frees `out`, a file,
/// with bsp_blob_free; nothing is in it on failure.
BSP_API bool bsp_vis_part_make(const bsp_portals *portals, const bsp_vis_options *options,
                               uint32_t number, uint32_t count, bsp_blob *out, bsp_error *error);

/// What a part is.
typedef struct bsp_vis_part {
    uint32_t number;   ///< from 1
    uint32_t count;    ///< of all parts
    uint32_t num_rows; ///< private
    bsp_bytes rows;    ///< private; borrowed from the file
} bsp_vis_part;

/// Reads the head of a part. Fails with BSP_E_FORMAT for bytes that are none, with BSP_E_DAMAGED
/// where the checksum in it differs, and with BSP_E_ARGUMENT for one of other portals or of another
/// distance (bsp_vis_options).
BSP_API bool bsp_vis_part_read(bsp_bytes bytes, const bsp_portals *portals, double distance,
                               bsp_vis_part *out, bsp_error *error);

/// Does what bsp_vis_build does, to the same bits, with the help of all parts, in any order. Fails
/// as bsp_vis_part_read does, and with BSP_E_ARGUMENT when a part is missing or there twice: the
/// message names it. NULL on failure; free with bsp_vis_free.
BSP_API bsp_vis *bsp_vis_merge(const bsp_portals *portals, const bsp_vis_options *options,
                               const bsp_bytes *parts, uint32_t num_parts, bsp_error *error);

// --- comparing and writing ----------------------------------------------------------------------

/// How visibility differs from the rows that a map has.
typedef struct bsp_vis_difference {
    uint32_t num_clusters; ///< that were compared: those of the map
    uint64_t stored_pairs; ///< that the map has
    uint64_t pairs;        ///< that the new rows have
    uint64_t stored_only;  ///< that the map alone has
    uint64_t new_only;     ///< that the new rows alone have
} bsp_vis_difference;

/// Receives a pair that only one of the two has: clusters of the map, and whether it is the map
/// (`stored`) or the new rows. `user` is what bsp_vis_compare was given. Returns false to end the
/// comparison.
typedef bool (*bsp_vis_sink)(void *user, uint32_t from, uint32_t to, bool stored);

/// Compares visibility with the rows of the map that its portals were found in, cluster by cluster
/// of the map, which was loaded with its tree. `sink` (may be NULL) is called for each pair that
/// differs, in order of rows. `row` is scratch of bsp_visibility.row_bytes bytes. What was counted
/// before the sink ended the comparison stands in `out`.
BSP_API void bsp_vis_compare(const bsp_vis *vis, const bsp_portals *portals, const bsp_map *map,
                             bsp_vis_sink sink, void *user, uint8_t *row, bsp_vis_difference *out);

/// What the leaves of a map state of what they see. Plain data; bsp_vis_leaves_free frees it.
/// Facts: sheet bake, 2.5.
typedef struct bsp_vis_leaves {
    uint32_t count; ///< leaves of the map; 0: those of the family state nothing of the kind
    uint32_t equal; ///< how many of them state the same in the map
    /// Source: bsp_leaf.flags of each leaf. Bit 0: the sky is seen, in whose place there may be a
    /// room; bit 2: only a sky without one; bit 1: a distance hides what rows do not tell. Else
    /// NULL.
    const uint32_t *flags;
    const uint8_t (*sounds)[4]; ///< Quake: bsp_leaf.ambient of each leaf; else NULL
    void *owner;                ///< private
} bsp_vis_leaves;

/// Finds what leaves state that follows from visibility, by the rules of the family's compilers.
/// The map, which the portals were found in, was loaded with its tree, surfaces and brushes. NULL
/// on failure; free with bsp_vis_leaves_free.
BSP_API bsp_vis_leaves *bsp_vis_leaves_build(const bsp_vis *vis, const bsp_portals *portals,
                                             const bsp_map *map, const bsp_allocator *allocator,
                                             bsp_error *error);
/// Frees what leaves state. NULL is allowed and does nothing.
BSP_API void bsp_vis_leaves_free(bsp_vis_leaves *leaves);

/// The changes to a file that give it other visibility.
typedef struct bsp_vis_changes {
    const bsp_lump_change *changes; ///< for bsp_file_plan
    uint32_t num_changes;
    void *owner; ///< private
} bsp_vis_changes;

/// Makes the lumps that hold visibility: rows of what is seen, and of what is heard where the
/// family has them (all that is seen from what is seen), and the leaves where these say where rows
/// are or, if the map was loaded with its surfaces and brushes, what they see (bsp_vis_leaves).
/// Rows are shared as the family's compilers do. `file` is the one that the map of the portals was
/// loaded from. NULL on failure: with BSP_E_RANGE where the family's limits are passed, and with
/// BSP_E_UNSUPPORTED for a map that has no place for visibility. Free with bsp_vis_changes_free,
/// after the plan that is made of it.
BSP_API bsp_vis_changes *bsp_vis_lumps(const bsp_vis *vis, const bsp_portals *portals,
                                       const bsp_map *map, const bsp_file *file,
                                       const bsp_allocator *allocator, bsp_error *error);
/// Frees what bsp_vis_lumps returned. NULL is allowed and does nothing.
BSP_API void bsp_vis_changes_free(bsp_vis_changes *changes);

#ifdef __cplusplus
}
#endif
#endif
