// SPDX-License-Identifier: MIT
// Which texture the faces of a model ask of a polygon of a brush.
#ifndef BSPI_DECOMPILE_TREE_FACES_H
#define BSPI_DECOMPILE_TREE_FACES_H

#include "decompile/tree/space.h"

#define BSPI_TREE_OVERLAPS 64u ///< most faces of a side that are looked at for a cut
#define BSPI_TREE_CORNERS 64u  ///< most corners of a polygon that are looked at

typedef struct bspi_tree_box {
    float mins[3];
    float maxs[3];
} bspi_tree_box;

/// A face that looks along a tag of equal planes.
typedef struct bspi_tree_face {
    uint32_t tag; ///< of the plane that stands for its doubles: the face looks along it
    uint32_t face;
    uint32_t kind;  ///< faces of one kind have the same material and alignment
    uint64_t place; ///< of its middle, along a curve that fills space
    bspi_tree_box box;
} bspi_tree_face;

/// A range of faces of one tag.
typedef struct bspi_tree_part {
    bspi_tree_box box;
    uint32_t kind;   ///< BSPI_MIXED: of more than one
    uint32_t lowest; ///< numbers of faces
    uint32_t highest;
} bspi_tree_part;

typedef struct bspi_tree_faces {
    const bsp_map *map;
    uint32_t *same;        ///< for each plane of the map: tag of the first that is equal
    uint32_t *kinds;       ///< for each texinfo: the first that is equal
    bspi_tree_face *faces; ///< of the model, sorted by tag and place
    bspi_tree_part *parts; ///< for each face: the range that it is in the middle of
    uint32_t num_faces;
    bool *taken;                        ///< faces of models before: hostile runs overlap
    struct bspi_tree_overlap *overlaps; ///< scratch: BSPI_TREE_OVERLAPS, too many for the stack
    bspi_carver *carver; ///< pays for comparisons; when it is starved no faces are found any more
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
/// Takes the faces of a model.
void bspi_tree_faces_model(bspi_tree_faces *faces, uint32_t model);

/// The tag whose faces a tag of the map's planes shows.
static inline uint32_t bspi_tree_shown_tag(const bspi_tree_faces *faces, uint32_t tag) {
    return faces->same[tag / 2] ^ (tag & 1);
}

/// The corners of a face.
void bspi_tree_face_polygon(const bsp_map *map, uint32_t face, bspi_tree_polygon *polygon);
/// Polygon `polygon` of the carver's solid.
void bspi_tree_side_of(const bspi_carver *carver, uint32_t polygon, bspi_tree_side *side);

/// The kind of all faces that a side shows: BSP_NONE if it shows none, BSPI_MIXED if they are of
/// more than one. `*face` (may be NULL) is one of them.
uint32_t bspi_tree_faces_kind(const bspi_tree_faces *faces, const bspi_tree_side *side,
                              uint32_t *face);

/// A plane, square to a side that shows faces of more than one kind, along an edge of one of them:
/// the one that sorts the kinds best. False if there is none.
bool bspi_tree_faces_cut(const bspi_tree_faces *faces, const bspi_tree_side *side, double normal[3],
                         double *dist);

#endif
