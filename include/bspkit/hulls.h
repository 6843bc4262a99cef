// SPDX-License-Identifier: MIT
/// @file hulls.h
/// Clip hulls of Quake and GoldSrc as polygons: for each size of a body, where its middle cannot
/// be.
#ifndef BSPKIT_HULLS_H
#define BSPKIT_HULLS_H

#include "bspkit/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A flat, convex polygon, counter-clockwise from outside.
typedef struct bsp_hull_polygon {
    uint32_t plane; ///< index of the map's planes, which may look the other way; or BSP_NONE: where
                    ///< the hull is cut off outside of its model
    uint32_t first_index; ///< run of indices, which are points
    uint32_t num_indices;
} bsp_hull_polygon;

/// A convex part of a hull that is solid: that of one leaf of the tree of clip nodes.
typedef struct bsp_hull_piece {
    uint32_t model;       ///< in whose space it is
    uint32_t hull;        ///< from 1 on: whose box is traits->hulls[hull]
    uint32_t first_point; ///< its own points
    uint32_t num_points;
    uint32_t first_polygon;
    uint32_t num_polygons;
} bsp_hull_piece;

/// The solid of clip hulls. All are empty in a map without clip nodes.
typedef struct bsp_hull_mesh {
    const bsp_brush_point *points;
    uint32_t num_points;
    const uint32_t *indices;
    uint32_t num_indices;
    const bsp_hull_polygon *polygons;
    uint32_t num_polygons;
    const bsp_hull_piece *pieces; ///< by model, then by hull
    uint32_t num_pieces;
    uint32_t num_skipped; ///< parts that had too many sides (only damaged maps have any)
    void *owner;          ///< private; NULL: a program made the struct itself
} bsp_hull_mesh;

/// Which hulls are taken apart, and what is made of them. All zero: convex pieces of all hulls of
/// all models.
typedef struct bsp_hull_mesh_options {
    size_t size;   ///< of this struct in bytes, or 0: see BSP_OPTIONS
    uint32_t hull; ///< this one alone; 0: all
    uint32_t first_model;
    uint32_t num_models; ///< 0: all from first_model on
    /// Makes the surface alone: of each piece only those parts of its polygons that have no solid
    /// in front of them, each with points of its own. Pieces without such a part are left out.
    bool surface;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
} bsp_hull_mesh_options;

/// Takes hulls apart along their trees, in double precision. A trace in the hull (hull + 1 of
/// bsp_trace_input) starts in solid exactly where a piece is, within 0.01 units. The solid outside
/// of a model is cut off 16 units beyond the box that the hull adds to the model's own. Hull 0 is
/// none of these: faces show it. The map was loaded with its tree. NULL on failure, with
/// BSP_E_ARGUMENT if it was not; free with bsp_hull_mesh_free.
BSP_API bsp_hull_mesh *bsp_hull_mesh_build(const bsp_map *map, const bsp_hull_mesh_options *options,
                                           bsp_error *error);
/// Frees a mesh of hulls. NULL is allowed and does nothing.
BSP_API void bsp_hull_mesh_free(bsp_hull_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
