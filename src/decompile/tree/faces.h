// SPDX-License-Identifier: MIT
// The textures that the faces of a model give to a polygon of a brush.
#ifndef BSPI_DECOMPILE_TREE_FACES_H
#define BSPI_DECOMPILE_TREE_FACES_H

#include "decompile/tree/space.h"

#define BSPI_TREE_OVERLAPS 64u ///< most faces of a side that are tested for a cut
#define BSPI_TREE_CORNERS 64u  ///< most corners of a polygon that are tested

typedef struct bspi_tree_box {
    float mins[3];
    float maxs[3];
} bspi_tree_box;

/// A face by its plane and direction.
typedef struct bspi_tree_face {
    uint32_t tag; ///< of the first equal plane; the face looks along it
    uint32_t face;
    uint32_t kind;  ///< faces of one kind have the same material and alignment
    uint64_t place; ///< of its centre, along the space-filling curve
    bspi_tree_box box;
} bspi_tree_face;

/// A range of faces of one tag.
typedef struct bspi_tree_part {
    bspi_tree_box box;
    uint32_t kind;   ///< BSPI_MIXED: several
    uint32_t lowest; ///< lowest number of its faces
    uint32_t highest;
} bspi_tree_part;

/// The faces of a tag, in the list.
typedef struct bspi_tree_range {
    uint32_t first;
    uint32_t end; ///< no more than first: there are none
} bspi_tree_range;

typedef struct bspi_tree_faces {
    const bsp_map *map;
    uint32_t *same;        ///< for each plane of the map: tag of the first equal plane
    uint32_t *kinds;       ///< for each texinfo: the first equal texinfo
    bspi_tree_face *faces; ///< of the model, sorted by tag and place
    bspi_tree_part *parts; ///< for each face: the range that it is in the middle of
    uint32_t num_faces;
    bspi_tree_range *ranges;            ///< for each tag of the map's planes
    bool *taken;                        ///< faces of earlier models: hostile runs overlap
    struct bspi_tree_overlap *overlaps; ///< scratch: BSPI_TREE_OVERLAPS, too many for the stack
    bspi_carver *carver; ///< counts comparisons as work; over its limit no faces are found
} bspi_tree_faces;

typedef struct bspi_tree_polygon {
    double points[BSPI_TREE_CORNERS][3];
    uint32_t count;
} bspi_tree_polygon;

/// A face that lies on a side.
typedef struct bspi_tree_overlap {
    uint32_t kind;
    bspi_tree_polygon polygon;
} bspi_tree_overlap;

/// A polygon of a brush, counter-clockwise from outside, and the outward normal.
typedef struct bspi_tree_side {
    uint32_t tag;
    double normal[3];
    bspi_tree_polygon polygon;
} bspi_tree_side;

#define BSPI_MIXED (BSP_NONE - 1)

bool bspi_tree_faces_begin(bspi_tree_faces *faces, bspi_carver *carver, const bsp_map *map,
                           bspi_arena *arena, bsp_error *error);
/// Collects the faces of a model.
void bspi_tree_faces_model(bspi_tree_faces *faces, uint32_t model);

/// Returns the tag of faces that a tag of the map's planes shows.
static inline uint32_t bspi_tree_shown_tag(const bspi_tree_faces *faces, uint32_t tag) {
    return faces->same[tag / 2] ^ (tag & 1);
}

/// Gives the corners of a face.
void bspi_tree_face_polygon(const bsp_map *map, uint32_t face, bspi_tree_polygon *polygon);
/// Gives polygon `polygon` of the carver's solid.
void bspi_tree_side_of(const bspi_carver *carver, uint32_t polygon, bspi_tree_side *side);

/// Returns the face with the lowest number that a side shows, or BSP_NONE.
uint32_t bspi_tree_faces_first(const bspi_tree_faces *faces, const bspi_tree_side *side);
/// Returns true if a side shows faces of several kinds.
bool bspi_tree_faces_mixed(const bspi_tree_faces *faces, const bspi_tree_side *side);

/// Returns whether the faces along a side's tag are of several kinds; if not, no part of them is.
bool bspi_tree_faces_differ(const bspi_tree_faces *faces, uint32_t tag);

/// Finds a plane perpendicular to a side that shows faces of several kinds, along an edge of one of
/// them: the one that separates the kinds best. Returns false if there is none.
bool bspi_tree_faces_cut(const bspi_tree_faces *faces, const bspi_tree_side *side, double normal[3],
                         double *dist);

#endif
