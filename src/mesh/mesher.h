// SPDX-License-Identifier: MIT
// The mesh being built: every kind of face says how much room it needs at most, then fills it.
#ifndef BSPI_MESHER_H
#define BSPI_MESHER_H

#include "bspkit/mesh.h"
#include "core/memory.h"

typedef struct bspi_mesh {
    bsp_mesh mesh; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
} bspi_mesh;

/// Displacement vertices in space, before faces are emitted.
typedef struct bspi_disp_points {
    uint32_t *face_of;   ///< for each displacement: the face that carries it, or BSP_NONE
    float (*bases)[3];   ///< for each displacement vertex: on the flat face; for coordinates
    float (*points)[3];  ///< where it is
    float (*normals)[3]; ///< of the surface around it
    uint32_t *same;      ///< the vertex whose place it has: itself, or one of a neighbour
} bspi_disp_points;

/// BSPX normals of face corners.
typedef struct bspi_corner_normals {
    bsp_parts parts;
    bsp_table normals; ///< count 0: not there
    bsp_table corners; ///< FACENORMALS
    bool by_vertex;    ///< VERTEXNORMALS: `normals` runs parallel to the vertices
} bspi_corner_normals;

/// Draw vertices that many faces share: which of them the face at hand has, and as what number.
typedef struct bspi_shared_verts {
    uint32_t *seen;  ///< for each: the last turn it was met in
    uint32_t *slots; ///< for each that was met in this turn: its number
    uint32_t turn;
} bspi_shared_verts;

/// Room that a face needs at most.
typedef struct bspi_room {
    uint64_t vertices;
    uint64_t indices;
} bspi_room;

typedef struct bspi_mesher {
    const bsp_map *map;
    const bsp_mesh_options *options;
    bspi_mesh *own;
    bspi_arena scratch;
    float tolerance;
    float gain; ///< Quake 3: factor of vertex colours
    bsp_mesh_vertex *vertices;
    uint32_t *indices;
    uint32_t num_vertices;
    uint32_t num_indices;
    uint32_t first_vertex;  ///< of the face being emitted
    uint32_t *first_corner; ///< for each face: how many surfedges the faces before it have
    bspi_disp_points disp;
    bspi_shared_verts *shared; ///< NULL where faces have vertices of their own
    bspi_corner_normals corner_normals;
    bspi_meter meter; ///< a step: a vertex or triangle that is made, a record that is looked at
    bsp_error *error;
} bspi_mesher;

/// How a surfedge face is textured and lit.
typedef struct bspi_skin {
    const bsp_texinfo *texinfo; ///< NULL: none
    float size[2];              ///< texture size; 1 when unknown
    const bsp_light_face *light;
    float page[2]; ///< size of its page
} bspi_skin;

/// Texels of a material in both directions; false when they are not known.
bool bspi_mesh_material_size(const bspi_mesher *mesher, uint32_t material, uint32_t size[2]);

bspi_skin bspi_skin_of(const bspi_mesher *mesher, uint32_t face);
/// Texture and light coordinates of a point.
void bspi_skin_point(const bspi_skin *skin, const float point[3], bsp_mesh_vertex *vertex);
/// A new vertex, white, all else zero.
bsp_mesh_vertex *bspi_mesh_add_vertex(bspi_mesher *mesher);
/// A triangle of the face's own vertices, counter-clockwise; left out when two corners are one
/// place.
void bspi_mesh_add_triangle(bspi_mesher *mesher, uint32_t a, uint32_t b, uint32_t c);
/// Unit length, or +Z when that cannot be.
void bspi_mesh_normalize(float v[3]);

bspi_room bspi_polygon_room(const bspi_mesher *mesher, uint32_t face); // polygon.c
void bspi_polygon_emit(bspi_mesher *mesher, uint32_t face);

/// Fills mesher->shared if the map needs it. False without memory.
bool bspi_drawn_begin(bspi_mesher *mesher); // drawn.c: Quake 3, Respawn
bspi_room bspi_drawn_room(const bspi_mesher *mesher, uint32_t face);
void bspi_drawn_emit(bspi_mesher *mesher, uint32_t face);
/// A draw vertex as a vertex of the mesh.
void bspi_drawn_vertex(const bspi_mesher *mesher, uint32_t face, const bsp_draw_vert *from,
                       bsp_mesh_vertex *to);

bspi_room bspi_patch_room(const bspi_mesher *mesher, uint32_t face); // patch.c
void bspi_patch_emit(bspi_mesher *mesher, uint32_t face);

/// Places all displacement vertices. False without memory, or over a limit.
bool bspi_disp_place(bspi_mesher *mesher); // displacement.c
/// True if the face is a displacement that can be shown.
bool bspi_disp_is(const bspi_mesher *mesher, uint32_t face);
bspi_room bspi_disp_room(const bspi_mesher *mesher, uint32_t face);
void bspi_disp_emit(bspi_mesher *mesher, uint32_t face);
bool bspi_disp_weld(bspi_mesher *mesher); // disp_weld.c
/// Vertices along an edge of a displacement.
static inline uint32_t bspi_disp_side(const bsp_displacement *disp) {
    return (1u << disp->power) + 1;
}

const bsp_overlay *bspi_overlay_of(const bsp_map *map, uint32_t number); // overlay.c
/// Room for an overlay on a face of so many triangles.
bspi_room bspi_overlay_room(uint64_t triangles);
/// Lays an overlay on a face that is in the mesh.
void bspi_overlay_emit(bspi_mesher *mesher, const bsp_mesh_face *face, uint32_t number);

void bspi_normals_open(bspi_mesher *mesher); // normals.c
void bspi_normals_close(bspi_mesher *mesher);
/// The stored normal of corner `corner` of a face, if there is one.
bool bspi_normal_of(const bspi_mesher *mesher, uint32_t face, uint32_t corner, uint32_t vertex,
                    float normal[3]);

#endif
