// SPDX-License-Identifier: MIT
// A mesh under construction: every kind of face states the room that it needs at most, then fills
// it.
#ifndef BSPI_MESHER_H
#define BSPI_MESHER_H

#include "bspkit/mesh.h"
#include "core/memory.h"

typedef struct bspi_mesh {
    bsp_mesh mesh; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
} bspi_mesh;

/// Displacement vertices in space, computed before faces are built.
typedef struct bspi_disp_points {
    uint32_t *face_of; ///< for each displacement: the face that it belongs to, or BSP_NONE
    float (
        *bases)[3]; ///< for each displacement vertex: its place on the flat face, for coordinates
    float (*points)[3];    ///< its position
    float (*normals)[3];   ///< of the surface around it
    uint32_t *first_blend; ///< for each displacement: of the map's, or BSP_NONE; NULL: all
    uint32_t *same;        ///< the vertex with the same position: itself, or one of a neighbour
} bspi_disp_points;

/// BSPX normals of face corners.
typedef struct bspi_corner_normals {
    bsp_parts parts;
    bsp_table normals; ///< count 0: missing
    bsp_table corners; ///< FACENORMALS
    bool by_vertex;    ///< VERTEXNORMALS: `normals` runs parallel to the vertices
} bspi_corner_normals;

/// Draw vertices that many faces share: those that the current face uses, and their numbers in it.
typedef struct bspi_shared_verts {
    uint32_t *seen;  ///< for each: the last turn that used it
    uint32_t *slots; ///< for each that this turn uses: its number
    uint32_t turn;
} bspi_shared_verts;

/// The most room that a face needs.
typedef struct bspi_room {
    uint64_t vertices;
    uint64_t indices;
    uint64_t looks; ///< steps that finding this took, beyond one for each vertex
} bspi_room;

typedef struct bspi_mesher {
    const bsp_map *map;
    const bsp_mesh_options *options;
    bspi_mesh *own;
    bspi_arena scratch;
    float tolerance;
    float gain; ///< Quake 3: factor of vertex colours
    bsp_mesh_vertex *vertices;
    uint8_t (*blends)[4]; ///< of the vertices; NULL: none
    uint32_t *indices;
    uint32_t num_vertices;
    uint32_t num_indices;
    uint32_t first_vertex;  ///< of the face being built
    uint32_t *first_corner; ///< for each face: the number of surfedges of the faces before it
    bspi_disp_points disp;
    bspi_shared_verts *shared; ///< NULL where each face has its own vertices
    bspi_corner_normals corner_normals;
    bspi_meter meter; ///< a step: a vertex or triangle that is made, a record that is visited
    bsp_error *error;
} bspi_mesher;

/// The texture and light of a surfedge face.
typedef struct bspi_skin {
    const bsp_texinfo *texinfo; ///< NULL: none
    float size[2];              ///< texture size; 1 when unknown
    const bsp_light_face *light;
    float page[2]; ///< size of its page
} bspi_skin;

/// Gives the width and height of a material in texels. Returns false when they are not known.
bool bspi_mesh_material_size(const bspi_mesher *mesher, uint32_t material, uint32_t size[2]);

/// Returns the coordinate of a point along a vector of a texture: xyz . vec[0..2] + vec[3].
float bspi_mesh_along(const float point[3], const float vec[4]);

bspi_skin bspi_skin_of(const bspi_mesher *mesher, uint32_t face);
/// Sets the texture and light coordinates of a point.
void bspi_skin_point(const bspi_skin *skin, const float point[3], bsp_mesh_vertex *vertex);
/// Adds a vertex, white, all else zero.
bsp_mesh_vertex *bspi_mesh_add_vertex(bspi_mesher *mesher);
/// Adds a triangle of the face's own vertices, counter-clockwise; it is left out when two corners
/// coincide.
void bspi_mesh_add_triangle(bspi_mesher *mesher, uint32_t a, uint32_t b, uint32_t c);
/// Scales to unit length; +Z when that is impossible.
void bspi_mesh_normalize(float v[3]);

bspi_room bspi_polygon_room(const bspi_mesher *mesher, uint32_t face); // polygon.c
void bspi_polygon_emit(bspi_mesher *mesher, uint32_t face);

/// Fills mesher->shared if the map needs it. Returns false without memory.
bool bspi_drawn_begin(bspi_mesher *mesher); // vertex_faces.c: Quake 3, Respawn
bspi_room bspi_drawn_room(const bspi_mesher *mesher, uint32_t face);
void bspi_drawn_emit(bspi_mesher *mesher, uint32_t face);
/// Converts a draw vertex to a vertex of the mesh.
void bspi_drawn_vertex(const bspi_mesher *mesher, uint32_t face, const bsp_draw_vert *from,
                       bsp_mesh_vertex *to);

bspi_room bspi_patch_room(const bspi_mesher *mesher, uint32_t face); // patch.c
void bspi_patch_emit(bspi_mesher *mesher, uint32_t face);

/// Computes the positions of all displacement vertices. Returns false without memory, or over a
/// limit.
bool bspi_disp_place(bspi_mesher *mesher); // displacement.c
/// Returns true if the face is a displacement that can be shown.
bool bspi_disp_is(const bspi_mesher *mesher, uint32_t face);
bspi_room bspi_disp_room(const bspi_mesher *mesher, uint32_t face);
void bspi_disp_emit(bspi_mesher *mesher, uint32_t face);
bool bspi_disp_weld(bspi_mesher *mesher); // disp_weld.c

const bsp_overlay *bspi_overlay_of(const bsp_map *map, uint32_t number); // overlay.c
/// Returns the room for an overlay on a face of that many triangles.
bspi_room bspi_overlay_room(uint64_t triangles);
/// Builds an overlay on a face that is in the mesh.
void bspi_overlay_emit(bspi_mesher *mesher, const bsp_mesh_face *face, uint32_t number);

void bspi_normals_open(bspi_mesher *mesher); // normals.c
void bspi_normals_close(bspi_mesher *mesher);
/// Gives the stored normal of corner `corner` of a face. Returns false if there is none.
bool bspi_normal_of(const bspi_mesher *mesher, uint32_t face, uint32_t corner, uint32_t vertex,
                    float normal[3]);

#endif
