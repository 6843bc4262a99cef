// SPDX-License-Identifier: MIT
// Windings, and the planes that separate two of them: what the search for sight computes most. Each
// function is there for every processor of the target and for AVX2, with the same results to the
// bit.
#ifndef BSPI_BAKE_SEPARATORS_H
#define BSPI_BAKE_SEPARATORS_H

#include "mesh/split.h"

#define BSPI_SIGHT_EPSILON 0.1 // units: what is nearer to a plane is on it
#define BSPI_SIGHT_GRAIN 0.001 // units: more than errors of numbers; leaves are not as thin

/// A convex winding, borrowed: its coordinates by axis. The first point follows the last one four
/// times over, so that four points can be read from any.
typedef struct bspi_winding {
    uint32_t count;
    const double *at[3];
} bspi_winding;

#define BSPI_WINDING_ROOM (BSPI_POLYGON_POINTS + 4)

/// Room for the points of a winding.
typedef struct bspi_winding_points {
    double at[3][BSPI_WINDING_ROOM];
} bspi_winding_points;

/// Room for a winding that is cut again and again.
typedef struct bspi_cutting {
    bspi_winding_points points[2];
    double away[BSPI_WINDING_ROOM]; ///< distances of points from the plane
} bspi_cutting;

#define BSPI_MOST_SEPARATORS 64u // of two windings; more are not needed

/// Planes between two windings: what is seen through both is in front of all. Four more that
/// nothing lies behind follow the last one.
typedef struct bspi_separators {
    uint32_t count;
    double normal[3][BSPI_MOST_SEPARATORS + 4];
    double dist[BSPI_MOST_SEPARATORS + 4];
} bspi_separators;

/// A sphere: its middle, and its radius.
typedef struct bspi_sphere {
    double middle[3];
    double radius;
} bspi_sphere;

/// Sets of gates are bits in words of 64, the words in blocks of four.
typedef uint64_t bspi_word;

/// The blocks of a set that are looked at.
typedef struct bspi_blocks {
    const uint32_t *first; ///< of each block: its first word
    uint32_t count;
} bspi_blocks;

/// Gates by four at once: where they are, and where they look.
typedef struct bspi_facing {
    const double *middle[3]; ///< of the spheres around them
    const double *radius;
    const double *normal[3];
    const double *dist;
    const uint32_t *gates;        ///< their numbers
    const bspi_winding *windings; ///< of gates, by number
} bspi_facing;

/// A gate, for what lies before it.
typedef struct bspi_faced {
    bspi_split_plane plane;
    bspi_sphere sphere;
    const bspi_winding *winding;
} bspi_faced;

/// What `prune` works on.
typedef struct bspi_pruning {
    const bspi_separators *planes;
    const bspi_winding *windings; ///< of all gates
    const bspi_sphere *spheres;   ///< around them
    const bspi_word *known;       ///< gates that are not looked at
    bspi_word *might;             ///< loses those that are hidden
    bspi_word *looked;            ///< set to those that were looked at
    bspi_blocks blocks;
} bspi_pruning;

/// The functions for one kind of processor.
typedef struct bspi_separating {
    /// Makes the planes between two windings that are counter-clockwise seen from beyond `to`. What
    /// is seen through both, beyond `to`, is in front of all.
    void (*find)(const bspi_winding *from, const bspi_winding *to, bspi_separators *out);
    /// Returns true if nothing of a winding with a sphere around it is in front of all planes.
    bool (*hide)(const bspi_separators *planes, const bspi_winding *winding,
                 const bspi_sphere *sphere, bspi_cutting *room);
    /// Takes out of a set what is hidden.
    void (*prune)(const bspi_pruning *pruning, bspi_cutting *room);
    /// Cuts a winding by all planes, or with a sphere (NULL: none) by those near to it. What is cut
    /// lies in the room. Returns false if nothing is left.
    bool (*cut)(const bspi_separators *planes, const bspi_sphere *sphere, bspi_winding *winding,
                bspi_cutting *room);
    /// Cuts a winding by one plane.
    bool (*cut_plane)(const bspi_split_plane *plane, bspi_winding *winding, bspi_cutting *room);
    /// Sets blocks to what two sets have both. Returns true if there is some that `known` has not.
    bool (*both)(const bspi_word *a, const bspi_word *b, const bspi_word *known,
                 const bspi_blocks *blocks, bspi_word *out);
    /// Returns, as bits, which of the `count` gates from place `first` on, at most 64, have a point
    /// before a gate that has a point on their back. One whose points are all on a plane counts as
    /// before it if some are so by more than the grain.
    uint64_t (*face)(const bspi_facing *all, uint32_t first, uint32_t count,
                     const bspi_faced *gate);
} bspi_separating;

/// The functions that any processor of the target runs.
extern const bspi_separating bspi_separating_base;
/// Those with AVX2, where BSPI_MAKES_AVX2.
extern const bspi_separating bspi_separating_avx2;
/// Returns those that are fastest on this processor.
const bspi_separating *bspi_separating_here(void);

/// Copies a winding into a room, in the other direction.
void bspi_winding_turn(const bspi_winding *winding, bspi_winding_points *room, bspi_winding *out);

#endif
