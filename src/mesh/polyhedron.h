// SPDX-License-Identifier: MIT
// A convex solid with shared vertices, from which planes cut pieces.
#ifndef BSPI_POLYHEDRON_H
#define BSPI_POLYHEDRON_H

#include "bspkit/core.h"
#include "core/memory.h"

/// The most sides of a brush: Quake 3's compiler has room for 1024.
#define BSPI_MAX_SIDES 1024u

typedef struct bspi_cut_vertex {
    double at[3];
    double distance;  ///< from the plane of the cut; 0 within the epsilon
    uint32_t ends[2]; ///< of a vertex made by the last cut: the edge that it is on
} bspi_cut_vertex;

typedef struct bspi_cut_polygon {
    uint32_t tag;   ///< the caller's number for its plane
    uint32_t first; ///< the first of its corners
    uint32_t count;
} bspi_cut_polygon;

typedef struct bspi_cut_edge {
    uint32_t from;
    uint32_t to;
} bspi_cut_edge;

/// Corners of all polygons are in one array; a cut writes the next state into the other one.
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
    bspi_cut_edge *border; ///< scratch, with the same room as the corners
    uint32_t current;      ///< which of the two arrays holds the state
    /// Steps of the last cut: corners that were visited, and for each edge of the new polygon the
    /// other edges.
    uint64_t work;
    bool failed; ///< out of room: the solid cannot be used
} bspi_polyhedron;

/// Allocates a solid with room for `sides` cuts. The memory is the arena's.
bool bspi_polyhedron_init(bspi_polyhedron *solid, uint32_t sides, bspi_arena *arena,
                          bsp_error *error);
/// Makes a box from -size to size on each axis, all of whose polygons have `tag`.
void bspi_polyhedron_box(bspi_polyhedron *solid, double size, uint32_t tag);
/// Makes a box; polygon i has tags[i]: -X, +X, -Y, +Y, -Z, +Z.
void bspi_polyhedron_bounds(bspi_polyhedron *solid, const double mins[3], const double maxs[3],
                            const uint32_t tags[6]);
/// Removes what is in front of normal . p = dist; the new polygon gets `tag`. Returns false when
/// nothing is left.
bool bspi_polyhedron_cut(bspi_polyhedron *solid, const double normal[3], double dist, uint32_t tag,
                         double epsilon);

/// Returns the sides of normal . p = dist on which the solid has corners: bit 0 in front, bit 1 on
/// the back side. Corners within the epsilon are on neither.
uint32_t bspi_polyhedron_sides(const bspi_polyhedron *solid, const double normal[3], double dist,
                               double epsilon);
/// Returns the volume in cubic units.
double bspi_polyhedron_volume(const bspi_polyhedron *solid);
/// Computes the mean of the corners of all polygons, which is inside.
void bspi_polyhedron_middle(const bspi_polyhedron *solid, double middle[3]);
/// Stores the corners of a polygon, counter-clockwise from outside, in `points`, and returns their
/// number, at most `room`.
uint32_t bspi_polyhedron_points(const bspi_polyhedron *solid, uint32_t polygon, double (*points)[3],
                                uint32_t room);

/// Saved solids, last in first out, in one growing block of a heap.
typedef struct bspi_polyhedron_stack {
    bspi_heap *heap;
    uint8_t *data;
    size_t room;
    size_t used;
} bspi_polyhedron_stack;

/// Pushes a copy of the solid, and renumbers its vertices: those that no polygon uses are removed.
/// Returns false without memory.
bool bspi_polyhedron_push(bspi_polyhedron_stack *stack, bspi_polyhedron *solid, bsp_error *error);
/// Sets the solid to the top of the stack, and removes it there.
void bspi_polyhedron_pop(bspi_polyhedron_stack *stack, bspi_polyhedron *solid);
void bspi_polyhedron_stack_free(bspi_polyhedron_stack *stack);

#endif
