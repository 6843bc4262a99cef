// SPDX-License-Identifier: MIT
// A copy of a map's trees and brushes, in which questions about points touch few cache lines. It is
// made once a map has been asked often.
#ifndef BSPI_COMPACT_H
#define BSPI_COMPACT_H

#include "map/owner.h"
#include "query/inside.h"

#define BSPI_GROUP 7u   // nodes of a group
#define BSPI_SHAPES 32u // at least the number of unordered trees of seven nodes, 23
#define BSPI_LINK_SHIFT 12
#define BSPI_OFTEN 1024u // questions before the copy is made, which takes as long as some thousands

/// Seven nodes of a tree that hang together, tested at once. The nodes stand in preorder, the
/// larger of two subtrees first, so that few shapes are left; what is after them in preorder is the
/// exits. A leaf fills nodes that would be left over.
///
/// A link to a group is 4096 times its number, plus 128 times its shape, plus a bit for each node
/// whose children have changed places. A link to a leaf is -1 minus its number.
typedef struct bspi_group {
    float normal[3][BSPI_LANES];
    float dist[BSPI_LANES];
    int32_t exits[BSPI_LANES]; ///< links
} bspi_group;

/// A leaf as a question about contents needs it.
typedef struct bspi_leaf_brushes {
    int32_t contents; ///< of the leaf itself
    int32_t all;      ///< and of all its brushes
    uint32_t first;   ///< run of leaf_brushes
    uint32_t count;
} bspi_leaf_brushes;

/// The box around a brush, as ranks: the low ends, and from lane 4 on the high ends with the other
/// sign; lanes 3 and 7 are below all. A point may be inside if none is above its own lane
/// (h8_and_negative).
typedef struct bspi_reach {
    int16_t least[BSPI_LANES];
} bspi_reach;

struct bspi_compact;
/// Returns the leaf of a finite point below a link. `to_back`: points on a plane belong to its
/// back side.
typedef uint32_t (*bspi_group_walk)(const struct bspi_compact *c, int32_t root,
                                    const float point[3], bool to_back);

extern const bspi_group_walk bspi_group_walk_base; // walk_base.c
extern const bspi_group_walk bspi_group_walk_avx2; // walk_avx2.c; where bspi_has_avx2()

typedef struct bspi_compact {
    bspi_attached attached;
    bspi_group_walk walk;
    const bsp_node *nodes;   ///< of the map that it was made of; NULL: there is nothing here
    const bsp_plane *planes; ///< the same
    const bspi_group *groups;
    uint8_t shapes[BSPI_SHAPES][1u << BSPI_GROUP]; ///< the exit for each set of back sides
    const int32_t *roots;                          ///< links, one per model that has a tree
    uint32_t num_roots;
    const bspi_leaf_brushes *leaves;
    bool listed;               ///< the brushes of leaves have contents
    const bspi_reach *reaches; ///< of each brush; NULL: the map's own lists are to be asked
    bspi_insides insides;
    float origin[3]; ///< of ranks
    float scale[3];
} bspi_compact;

/// Counts a question, and makes the copy when there were many. Returns it or NULL.
const bspi_compact *bspi_compact_ask(const bsp_map *map);

/// Returns the copy of a map, or NULL if there is none: the map is new, was made or changed by the
/// program, or there was no memory.
static inline const bspi_compact *bspi_compact_of(const bsp_map *map) {
    const bspi_map *owner = map->owner;
    if (owner == NULL || map != &owner->map) {
        return NULL;
    }
    const bspi_compact *c =
        (const void *)atomic_load_explicit(&owner->attached, memory_order_acquire);
    c = c != NULL ? c : bspi_compact_ask(map);
    return c != NULL && c->nodes == map->nodes && c->planes == map->planes ? c : NULL;
}

/// Returns true if all coordinates are finite: the copy answers for no others.
static inline bool bspi_is_finite(const float p[3]) {
    return p[0] * 0 + p[1] * 0 + p[2] * 0 == 0;
}

#endif
