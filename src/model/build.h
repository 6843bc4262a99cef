// SPDX-License-Identifier: MIT
// What the formats make meshes with. Every value is checked here: what a format gives may come
// straight from a file.
#ifndef BSPI_MODEL_BUILD_H
#define BSPI_MODEL_BUILD_H

#include "model/model.h"

/// A list of the mesh that grows in the heap of the mesh.
typedef struct bspi_model_list {
    void *data;
    uint32_t count;
    size_t room; ///< elements
} bspi_model_list;

/// The mesh being built.
struct bspi_model_builder {
    const bsp_model_asset *model;
    const bsp_model_pose *pose; ///< never NULL
    bsp_model_mesh *mesh;       ///< bones, attachments, hitboxes and hulls are set by the format
    bspi_heap *heap;            ///< of the mesh
    bspi_arena *arena;          ///< of the mesh
    bspi_meter meter;
    bsp_error *error;
    uint32_t num_vertices;  ///< that were added so far
    bspi_model_list *lists; ///< private
    bool failed;            ///< sticky
};

/// Begins a group; triangles and vertices that are added now belong to it. A group without
/// triangles is left out in the end.
bool bspi_build_group(bspi_model_builder *b, uint32_t material, uint32_t body_part, bsp_text name);
/// Adds a vertex and returns its number, or BSP_NONE on failure. What is not finite becomes 0, and
/// the normal is made unit length (up where it has none). `weights` is NULL in a mesh without
/// bones; the weights are made to add up to 1, and bones that the mesh does not have become bone 0.
uint32_t bspi_build_vertex(bspi_model_builder *b, const bsp_model_vertex *vertex,
                           const bsp_model_weights *weights);
/// Gives the vertex that was added last a number of the caller's: all vertices have one, or none.
bool bspi_build_number(bspi_model_builder *b, uint32_t number);
/// Adds a triangle whose corners stand clockwise from the front, as files have them. One with a
/// corner that the group does not have is left out. False on failure.
bool bspi_build_triangle(bspi_model_builder *b, uint32_t a, uint32_t c, uint32_t d);

/// Vertices by the numbers that a file makes them of, so that each pair becomes one vertex.
typedef struct bspi_corners {
    uint64_t *keys;
    uint32_t *values; ///< BSP_NONE: free
    size_t size;      ///< a power of two
} bspi_corners;

/// Makes room for `most` pairs. Free with bspi_corners_free.
bool bspi_corners_new(bspi_model_builder *b, uint32_t most, bspi_corners *out);
void bspi_corners_free(bspi_model_builder *b, bspi_corners *corners);
/// Returns the place of the vertex of a pair: BSP_NONE stands there when it is new. There must be
/// room for it.
uint32_t *bspi_corners_at(bspi_model_builder *b, bspi_corners *corners, uint32_t first,
                          uint32_t second);
/// Forgets all pairs.
void bspi_corners_clear(bspi_corners *corners);

#endif
