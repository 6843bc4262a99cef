// SPDX-License-Identifier: MIT
/// @file physics.h
/// The physics shapes of a Source map: what the physics engine collides with, as convex pieces. It
/// is made of the same brushes and displacements as the map, but compiled on its own.
#ifndef BSPKIT_PHYSICS_H
#define BSPKIT_PHYSICS_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a physics solid is, as the text beside it names it.
typedef enum bsp_physics_kind {
    /// Brushes of the world (staticsolid); without contents: triangles of displacements, which old
    /// compilers wrote so.
    BSP_PHYSICS_STATIC = 0,
    BSP_PHYSICS_SOLID = 1,        ///< brushes of a model, which may move (solid)
    BSP_PHYSICS_FLUID = 2,        ///< a body of water (fluid)
    BSP_PHYSICS_UNNAMED = 3,      ///< brushes of which the text says nothing
    BSP_PHYSICS_DISPLACEMENT = 4, ///< hulls around a displacement; its triangles stop things too
    BSP_PHYSICS_PROP = 5          ///< hulls of a prop (Left 4 Dead 2)
} bsp_physics_kind;

/// A solid: pieces that belong together.
typedef struct bsp_physics_solid {
    bsp_physics_kind kind;
    bool deprecated; ///< of PHYSCOLLIDESURFACE, which only old console games read
    /// The brush model whose space its points are in (0 is the world); of a displacement its
    /// number; of a prop the number of its record in PROPCOLLISION.
    uint32_t owner;
    uint32_t index;        ///< number in its model
    uint32_t contents;     ///< flags as of brushes; 0: not said
    bsp_text surface_prop; ///< name of its surface property; empty: not said
    uint32_t first_piece;
    uint32_t num_pieces;
} bsp_physics_solid;

/// A convex piece.
typedef struct bsp_physics_piece {
    uint32_t solid;       ///< that it is a piece of
    uint32_t brush;       ///< of the map that it was made of, or BSP_NONE
    uint32_t first_point; ///< its own points
    uint32_t num_points;
    /// Run of indices, three for each triangle, counter-clockwise seen from outside; they count
    /// from the first point of all. Pieces of props have points alone: they are what these enclose.
    uint32_t first_index;
    uint32_t num_indices;
} bsp_physics_piece;

/// The physics shapes of a map. Plain data; bsp_physics_free frees it.
typedef struct bsp_physics {
    const bsp_physics_solid *solids; ///< in the order of their lumps
    uint32_t num_solids;
    const bsp_physics_piece *pieces; ///< those of a solid stand together
    uint32_t num_pieces;
    const float (*points)[3]; ///< game units, finite
    uint32_t num_points;
    const uint32_t *indices;
    uint32_t num_indices;
    const uint8_t *triangle_props; ///< for each triangle: number in surface_props
    /// Names of surface properties; number 0 is empty: that of the solid.
    const bsp_text *surface_props;
    uint32_t num_surface_props;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_physics;

/// How physics shapes are made. All zero gives the defaults.
typedef struct bsp_physics_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
    bsp_issues *issues; ///< receives what is odd about the lumps; may be NULL
} bsp_physics_options;

/// Makes the physics shapes of a map that was loaded from `file` with its surfaces. A map without
/// such lumps has none of them. What is damaged is left out. NULL on failure, with BSP_E_ARGUMENT
/// if the surfaces were not loaded; free with bsp_physics_free.
BSP_API bsp_physics *bsp_physics_build(const bsp_map *map, const bsp_file *file,
                                       const bsp_physics_options *options, bsp_error *error);
/// Frees physics shapes. NULL is allowed and does nothing.
BSP_API void bsp_physics_free(bsp_physics *physics);

#ifdef __cplusplus
}
#endif
#endif
