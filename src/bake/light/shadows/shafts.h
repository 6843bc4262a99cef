// SPDX-License-Identifier: MIT
// Lines through the leaves of a tree that are looked along together.
#ifndef BSPI_BAKE_SHAFTS_H
#define BSPI_BAKE_SHAFTS_H

#include "bake/light/base/work.h"
#include "formats/quake_contents.h"

/// What is below a node of the world's tree, or in a leaf.
typedef struct bspi_below {
    bool solid; ///< some of it
    int32_t
        open; ///< contents of what is neither solid nor sky; 0: there is no such, MIXED: several
} bspi_below;
#define BSPI_BELOW_MIXED 1

/// A node of the world's tree.
typedef struct bspi_shaft_node {
    float normal[3];
    float dist;
    uint32_t axis;       ///< that its plane is across; 3: none
    int32_t children[2]; ///< a node, or the negative contents of a leaf
    bspi_below below;
} bspi_shaft_node;

/// A model that casts shadows, and the box around it where it stands.
typedef struct bspi_shaft_model {
    uint32_t model;
    float mins[3];
    float maxs[3];
} bspi_shaft_model;

/// The world's tree, and what else stops lines.
typedef struct bspi_shafts {
    const bspi_shaft_node *nodes;
    uint32_t num_nodes;
    int32_t root;
    const bspi_shaft_model *models;
    uint32_t num_models;
    bool liquids;  ///< lines end where a liquid begins or ends
    float mins[3]; ///< around all leaves that are neither closed nor air: more than they are
    float maxs[3];
} bspi_shafts;

/// Finds these in a map whose leaves say what is solid, unless faces are looked at (occluders).
bool bspi_shafts_find(bspi_relight *own, bsp_error *error);

/// Sets the box around all leaves that are neither closed nor air, by the planes of nodes that are
/// across axes.
void bspi_shafts_enclose(bspi_shafts *shafts);

/// A box at an end of lines, along the axes of the world.
typedef struct bspi_shaft_end {
    float middle[3];
    float half[3];
} bspi_shaft_end;

/// Is it known that a solid leaf stops all lines from one box to the other?
bool bspi_shaft_is_stopped(const bspi_shafts *shafts, const bspi_shaft_end ends[2]);

/// Returns what is below a node, or in a leaf.
static inline bspi_below bspi_shaft_below(const bspi_shafts *shafts, int32_t node) {
    if (node >= 0) {
        return (uint32_t)node < shafts->num_nodes
                   ? shafts->nodes[node].below
                   : (bspi_below){.solid = true, .open = BSPI_BELOW_MIXED};
    }
    return (bspi_below){.solid = node == BSPI_CONTENTS_SOLID,
                        .open = bspi_is_closed(node) ? 0 : node};
}

/// Is it known that a line is in nothing but air, so far as it is open?
static inline bool bspi_shaft_in_air(const bspi_shafts *shafts, const float from[3],
                                     const float to[3]) {
    bool beside = false;
    for (int i = 0; i < 3; i++) {
        beside |= from[i] < shafts->mins[i] && to[i] < shafts->mins[i];
        beside |= from[i] > shafts->maxs[i] && to[i] > shafts->maxs[i];
    }
    return beside;
}

/// Does a line stay in one kind of contents, but for what is solid or sky?
bool bspi_shaft_stays(const bspi_shafts *shafts, const float from[3], const float to[3]);

/// May a line touch a model?
bool bspi_shaft_may_touch(const bspi_shaft_model *model, const float from[3], const float to[3]);

#endif
