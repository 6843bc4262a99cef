// SPDX-License-Identifier: MIT
// A convex solid with shared vertices, from which planes cut pieces.
#ifndef BSPI_POLYHEDRON_H
#define BSPI_POLYHEDRON_H

#include "bspkit/core.h"
#include "core/memory.h"

/// The most sides of a brush: Quake 3's compiler has room for 1024.
#define BSPI_MAX_SIDES 1024u

typedef struct bspi_cut_polygon {
    uint64_t uses;  ///< bit v: vertex v is one of its corners; only of a small solid
    uint32_t tag;   ///< the caller's number for its plane
    uint32_t first; ///< the first of its corners
    uint32_t count;
} bspi_cut_polygon;

typedef struct bspi_cut_edge {
    uint32_t from;
    uint32_t to;
} bspi_cut_edge;

/// A vertex made by a cut, and the edge that it is on.
typedef struct bspi_cut_made {
    uint32_t older;
    uint32_t newer;
    uint32_t vertex;
} bspi_cut_made;

/// A solid is small while its vertices have numbers below this: sets of them fit into one word.
#define BSPI_SMALL_SOLID 64u

/// Corners that there is room for, for each side. A cut adds a polygon, and at most two corners to
/// each polygon that it crosses; a convex solid of n faces has at most 6 (n - 2) corners (Euler).
/// The rest is for slivers from rounding, and for corners that are no longer used: they are removed
/// when fewer than those reserved are left.
#define BSPI_CORNERS_PER_SIDE 20u
#define BSPI_CORNERS_RESERVED 12u

/// Both arrays of corners have room for so many more: they are copied in blocks.
#define BSPI_CORNERS_SPARE 4u

/// The sides of the classified plane on which vertices are, as sets; only of a small solid.
typedef struct bspi_cut_sides {
    uint64_t above; ///< in front
    uint64_t back;
} bspi_cut_sides;

/// Corners of all polygons are runs in one array, to which a cut adds those of the polygons that it
/// changes. Now and then they are packed into another array. In a small solid, new vertices take
/// the places of those that no polygon uses.
typedef struct bspi_polyhedron {
    double *at[3];    ///< coordinates of vertices
    double *distance; ///< of vertices from the classified plane; 0 within the epsilon
    uint32_t *ages;   ///< of vertices: an older one has a lower number
    uint32_t next_age;
    uint32_t num_vertices; ///< some may be no corner of a polygon
    uint32_t room_vertices;
    uint32_t *corners;
    uint32_t *spare[2];    ///< other arrays
    uint32_t num_corners;  ///< of all polygons
    uint32_t used_corners; ///< end of the last run
    uint32_t room_corners;
    bspi_cut_polygon *polygons;
    bspi_cut_polygon *spare_polygons[2]; ///< other arrays
    uint32_t num_polygons;
    uint32_t room_polygons;
    bspi_cut_edge *border; ///< scratch
    uint32_t room_border;
    struct bspi_cut_made *made; ///< scratch: vertices of one cut
    bspi_cut_sides sides;
    uint64_t used; ///< vertices that are corners of polygons, as a set; only of a small solid
    /// Steps of the last cut: corners that were visited, and for each edge of the new polygon the
    /// other edges.
    uint64_t work;
    bool small;
    bool failed; ///< out of room: the solid cannot be used
} bspi_polyhedron;

/// Returns the vertices that are corners of polygons, as a set; only of a small solid.
static inline uint64_t bspi_polyhedron_used(const bspi_polyhedron *solid) {
    uint64_t used = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        used |= solid->polygons[p].uses;
    }
    return used;
}

/// Stores the coordinates of a vertex.
static inline void bspi_polyhedron_vertex(const bspi_polyhedron *solid, uint32_t vertex,
                                          double at[3]) {
    for (int i = 0; i < 3; i++) {
        at[i] = solid->at[i][vertex];
    }
}

/// Saved solids, last in first out, in one growing block of a heap.
typedef struct bspi_polyhedron_stack {
    bspi_heap *heap;
    uint8_t *data;
    size_t room;
    size_t used;
} bspi_polyhedron_stack;

/// Allocates a solid with room for `sides` cuts. The memory is the arena's.
bool bspi_polyhedron_init(bspi_polyhedron *solid, uint32_t sides, bspi_arena *arena,
                          bsp_error *error);
/// Half the edge of the box that brushes of documents are cut out of: maps are smaller.
#define BSPI_DOCUMENT_BOX 262144.0
/// Makes a box from -size to size on each axis, of whose polygons none has a tag (BSP_NONE).
void bspi_polyhedron_box(bspi_polyhedron *solid, double size);
/// Makes a box; polygon i has tags[i]: -X, +X, -Y, +Y, -Z, +Z.
void bspi_polyhedron_bounds(bspi_polyhedron *solid, const double mins[3], const double maxs[3],
                            const uint32_t tags[6]);
/// Removes what is in front of normal . p = dist; the new polygon gets `tag`. Returns false when
/// nothing is left.
bool bspi_polyhedron_cut(bspi_polyhedron *solid, const double normal[3], double dist, uint32_t tag,
                         double epsilon);

/// Returns the sides of normal . p = dist on which the solid has corners: bit 0 in front, bit 1 on
/// the back side. Corners within the epsilon are on neither. The solid keeps the distances for
/// bspi_polyhedron_cut_classified.
uint32_t bspi_polyhedron_sides(bspi_polyhedron *solid, const double normal[3], double dist,
                               double epsilon);
/// Does the same as bspi_polyhedron_cut by the plane for which bspi_polyhedron_sides was called
/// last and returned `sides`.
bool bspi_polyhedron_cut_classified(bspi_polyhedron *solid, uint32_t sides, uint32_t tag);
/// Does the same where it is simple, for sides 3: for a small solid without a corner in the plane.
/// Returns false if it is not; then nothing has changed that matters.
bool bspi_polyhedron_cut_usual(bspi_polyhedron *solid, uint32_t tag);
/// Makes both halves where it is simple, for sides 3: the solid becomes the one in front of the
/// plane, whose new polygon gets `tag` + 1, and the other one is pushed. They are those that
/// bspi_polyhedron_cut_classified makes. Not `halved`: it is not simple, and nothing has changed
/// that matters. Returns false without memory.
bool bspi_polyhedron_halve(bspi_polyhedron *solid, uint32_t tag, bspi_polyhedron_stack *stack,
                           bool *halved, bsp_error *error);
/// Turns the direction of that plane round, and returns its sides then.
uint32_t bspi_polyhedron_turn(bspi_polyhedron *solid, uint32_t sides);
/// Removes vertices that no polygon uses.
void bspi_polyhedron_pack(bspi_polyhedron *solid);
/// Returns the volume in cubic units.
double bspi_polyhedron_volume(const bspi_polyhedron *solid);
/// Computes the mean of the corners of all polygons, which is inside.
void bspi_polyhedron_middle(const bspi_polyhedron *solid, double middle[3]);
/// Computes the least and the greatest coordinates of its corners; it has some.
void bspi_polyhedron_extent(const bspi_polyhedron *solid, double mins[3], double maxs[3]);
/// Stores the corners of a polygon, counter-clockwise from outside, in `points`, and returns their
/// number, at most `room`.
uint32_t bspi_polyhedron_points(const bspi_polyhedron *solid, uint32_t polygon, double (*points)[3],
                                uint32_t room);

/// Pushes a copy of the solid, with the sides of its classified plane. Returns false without
/// memory.
bool bspi_polyhedron_push(bspi_polyhedron_stack *stack, const bspi_polyhedron *solid,
                          bsp_error *error);
/// Sets the solid to the top of the stack, and removes it there.
void bspi_polyhedron_pop(bspi_polyhedron_stack *stack, bspi_polyhedron *solid);
/// Sets the solid to the one that was on top when stack->used was `end`, and is still below the
/// top.
void bspi_polyhedron_read(const bspi_polyhedron_stack *stack, size_t end, bspi_polyhedron *solid);
/// Returns the most bytes that bspi_polyhedron_write needs, or 0: the solid is too large for it.
size_t bspi_polyhedron_packed_size(const bspi_polyhedron *solid);
/// Writes a small solid, without the classified plane and without the order in which its vertices
/// were made, and returns the number of bytes.
size_t bspi_polyhedron_write(const bspi_polyhedron *solid, uint8_t *to);
/// Sets the solid to one that bspi_polyhedron_write wrote of a solid with as much room.
void bspi_polyhedron_unpack(bspi_polyhedron *solid, const uint8_t *from);
void bspi_polyhedron_stack_free(bspi_polyhedron_stack *stack);

#endif
