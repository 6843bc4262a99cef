// SPDX-License-Identifier: MIT
// Solid props, made ready for traces: convex shapes in the space of their model, which any number
// of props place, and a tree of boxes over the props.
#ifndef BSPI_SOLID_H
#define BSPI_SOLID_H

#include "bspkit/solids.h"
#include "core/memory.h"
#include "scene/box_tree.h"

/// A plane of a convex: all of it has normal . p <= dist.
typedef struct bspi_solid_plane {
    double normal[3]; ///< unit length, outwards
    double dist;
} bspi_solid_plane;

/// An edge at which two planes of a convex touch it.
typedef struct bspi_solid_edge {
    uint32_t point;     ///< of the shape
    uint32_t planes[2]; ///< of the shape
    double along[3];    ///< its direction, of unit length
    double cosine;      ///< between the planes
} bspi_solid_edge;

/// A convex of a model.
typedef struct bspi_solid_convex {
    uint32_t hull; ///< number in the mesh
    uint32_t first_plane, num_planes;
    uint32_t first_edge, num_edges;
    uint32_t first_point, num_points;
    float box[2][3];
} bspi_solid_convex;

/// The convexes of a model.
typedef struct bspi_solid_shape {
    const bspi_solid_convex *convexes;
    uint32_t num_convexes;
    const bspi_solid_plane *planes;
    const bspi_solid_edge *edges;
    const double (*points)[3];
    bspi_box_tree tree; ///< over the convexes, in the model's space
    float box[2][3];
} bspi_solid_shape;

/// Makes the shape of a model's hulls, in an arena; `boxes` of it is empty where none is usable.
/// Returns false without memory or over a limit.
bool bspi_solid_shape_make(bspi_solid_shape *shape, const bsp_model_mesh *mesh, bspi_arena *arena,
                           bspi_meter *meter);

/// A solid prop.
typedef struct bspi_solid_prop {
    uint32_t shape;  ///< number, or BSP_NONE: its box
    uint32_t prop;   ///< number in the scene
    uint32_t entity; ///< that shows it, or BSP_NONE
    uint32_t contents;
    uint32_t needs;
    float box[2][3];   ///< around it, in the world
    double origin[3];  ///< of its place
    double into[3][3]; ///< rows: from the world, less the origin, into the model
    double turn[3][3]; ///< rows: from the model into the world
    double scale;      ///< mean factor of its size
} bspi_solid_prop;

struct bspi_rules;

struct bsp_solids {
    bspi_heap heap;
    bspi_arena arena;
    const bsp_trace_index *index; ///< may be NULL
    const struct bspi_rules *rules;
    uint32_t sight_mask;   ///< of the game
    bool contents_numbers; ///< traces of this game have no mask
    const bspi_solid_shape *shapes;
    uint32_t num_shapes;
    const bspi_solid_prop *props;
    uint32_t num_props;
    bspi_box_tree tree; ///< over the props
};

#endif
