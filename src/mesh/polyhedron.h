// SPDX-License-Identifier: MIT
// A convex solid with shared vertices that planes cut pieces off.
#ifndef BSPI_POLYHEDRON_H
#define BSPI_POLYHEDRON_H

#include "bspkit/core.h"
#include "core/memory.h"

/// The most sides a brush may have: Quake 3's compiler has room for 1024.
#define BSPI_MAX_SIDES 1024u

typedef struct bspi_cut_vertex {
    double at[3];
    double distance;  ///< from the plane that cuts, within the epsilon: 0
    uint32_t ends[2]; ///< made by the last cut: the edge that it is on
} bspi_cut_vertex;

typedef struct bspi_cut_polygon {
    uint32_t tag;   ///< what the caller called its plane
    uint32_t first; ///< run of corners
    uint32_t count;
} bspi_cut_polygon;

typedef struct bspi_cut_edge {
    uint32_t from;
    uint32_t to;
} bspi_cut_edge;

/// Corners of all polygons lie in one array; a cut writes the next state into the other one.
typedef struct bspi_polyhedron {
    bspi_cut_vertex *vertices;
    uint32_t num_vertices;
    uint32_t room_vertices;
    uint32_t *corners[2];
    uint32_t num_corners;
    uint32_t room_corners;
    bspi_cut_polygon *polygons[2];
    uint32_t num_polygons;
    uint32_t room_polygons;
    bspi_cut_edge *border; ///< scratch, as many as there is room for corners
    uint32_t current;      ///< which of the two arrays holds the state
    bool failed;           ///< out of room: the solid is of no use
} bspi_polyhedron;

/// Room for `sides` cuts. The memory is the arena's.
bool bspi_polyhedron_init(bspi_polyhedron *solid, uint32_t sides, bspi_arena *arena,
                          bsp_error *error);
/// A box from -size to size on each axis, all of whose polygons have `tag`.
void bspi_polyhedron_box(bspi_polyhedron *solid, double size, uint32_t tag);
/// Takes away what is in front of normal . p = dist; the new polygon gets `tag`. False when nothing
/// is left.
bool bspi_polyhedron_cut(bspi_polyhedron *solid, const double normal[3], double dist, uint32_t tag,
                         double epsilon);

#endif
