// SPDX-License-Identifier: MIT
/// @file faces.h
/// The faces of a map as one loop reads them in every family: what a face is, its plane, its
/// material, and its corners with their coordinates on the texture and in the light. Each call
/// reads the map and takes no memory. mesh.h makes triangles of faces, patches and displacements.
#ifndef BSPKIT_FACES_H
#define BSPKIT_FACES_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a surface is when it is drawn, whatever the branch: bits.
typedef enum bsp_surface_bits {
    BSP_SURFACE_SKY = 1,           ///< the sky is seen through it
    BSP_SURFACE_HIDDEN = 2,        ///< never drawn: tool textures, triggers, nodraw, hint, skip
    BSP_SURFACE_LIQUID = 4,        ///< water, slime, lava
    BSP_SURFACE_TRANSLUCENT = 8,   ///< blended
    BSP_SURFACE_MASKED = 16,       ///< holes where the texture is transparent
    BSP_SURFACE_VERTEX_LIT = 32,   ///< Quake 3: lit by the colours of its vertices (in a mesh with
                                   ///< a lightmap also faces whose page is not there)
    BSP_SURFACE_DISPLACEMENT = 64, ///< Source: the alpha of its vertices mixes two textures
    BSP_SURFACE_OVERLAY = 128,     ///< Source: no face, but what is laid on some
} bsp_surface_bits;

/// Returns what a face is when it is drawn: bsp_surface_bits.
BSP_API uint32_t bsp_surface_bits_of(const bsp_map *map, uint32_t face);

/// Returns the material of a face, named by the face itself or by its texinfo, or BSP_NONE.
BSP_API uint32_t bsp_surface_material(const bsp_map *map, uint32_t face);

/// Returns the flags of a face as the file has them: those of its texinfo, in Quake 3 of its
/// material.
BSP_API uint32_t bsp_surface_flags(const bsp_map *map, uint32_t face);

/// Returns how much of a surface with these flags is seen, 0..1, where flags say it (Quake 2: a
/// third or two thirds); else 1.
BSP_API float bsp_surface_opacity(const bsp_map *map, uint32_t flags);

/// Computes the plane that a face looks along: its front is where `normal` points. Source compilers
/// name the directed plane already, and `flipped` only repeats that it is the second of a pair; in
/// the other families `flipped` turns the plane round. False without a plane.
BSP_API bool bsp_surface_plane(const bsp_map *map, uint32_t face, float normal[3], float *dist);

/// A corner of a face, whatever the branch stores.
typedef struct bsp_surface_corner {
    float point[3]; ///< game units, relative to the origin of the face's model
    /// Quake 3, Respawn: that of the vertex as the file has it. Else the unit normal of the face, 0
    /// without a plane; the mesh has those that Source's compilers smoothed.
    float normal[3];
    /// Repeats of the texture; texels where the map does not say how large the texture is
    /// (bsp_material.width is 0). v grows downwards.
    float uv[2];
    /// Place in the light. Runs of surfedges: luxels of the face's own light, 0 in the centre of
    /// the first one. Quake 3, Respawn: 0..1 on the page that bsp_face_light.page names. 0 for a
    /// face without light.
    float light[2];
    uint8_t color[4]; ///< RGBA as the file has it at the vertex; 255 where it has none
} bsp_surface_corner;

/// Reads the corners of a face in the order of the file, up to `room` of them, and returns how many
/// there are: 0 for a number out of range. `corners` may be NULL when `room` is 0.
///
/// BSP_FACE_POLYGON: the corners of a convex polygon, clockwise seen from its front. A
/// displacement: those of the flat face under it. BSP_FACE_PATCH: the control points, patch_width
/// in a row. BSP_FACE_MESH: the vertices that the face's draw indices count; in Respawn's games,
/// whose faces share their vertices, three corners for each triangle. BSP_FACE_FOLIAGE: the
/// vertices of the plant and the points where it stands. BSP_FACE_BILLBOARD: none, as its place is
/// bsp_face_light.origin. Corners whose edge names no vertex are left out.
///
/// The light of a Quake or GoldSrc map is that of its own lumps: bsp_lightmap_build knows the files
/// and BSPX lumps that replace it.
BSP_API uint32_t bsp_surface_corners(const bsp_map *map, uint32_t face, bsp_surface_corner *corners,
                                     uint32_t room);

#ifdef __cplusplus
}
#endif
#endif
