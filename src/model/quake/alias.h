// SPDX-License-Identifier: MIT
// What the models of Quake and its successors share: vertices of three bytes and a number of a
// normal, and triangles whose corners name a vertex and texture coordinates.
#ifndef BSPI_MODEL_QUAKE_ALIAS_H
#define BSPI_MODEL_QUAKE_ALIAS_H

#include "model/build.h"
#include "model/rows.h"

/// The targets of roles in these formats.
enum { BSPI_ALIAS_SKINS = 1, BSPI_ALIAS_COORDS, BSPI_ALIAS_VERTICES, BSPI_ALIAS_FRAMES };

extern const bsp_layout bspi_alias_vertex_t, bspi_alias_skin_t, bspi_alias_coord_t,
    bspi_alias_triangle_t, bspi_alias_frame_t, bspi_bare_command_t;

#define BSPI_ALIAS_NORMALS 162u
/// Sets the normal of a vertex by its number, below BSPI_ALIAS_NORMALS; up where it is none.
void bspi_alias_normal(uint32_t number, float out[3]);

/// A frame as its vertices need it.
typedef struct bspi_alias_frame {
    bsp_table vertices;
    bsp_table low; ///< the low bytes of coordinates, or without records
    bool packed;   ///< coordinates of 11, 10 and 11 bits and a byte of a normal
    float scale[3];
    float translate[3];
} bspi_alias_frame;

/// Computes place and normal of a vertex of a frame.
void bspi_alias_place(const bspi_alias_frame *frame, uint32_t vertex, bsp_model_vertex *out);

/// Builds a mesh of one group from triangles of `triangles` (fields "index_xyz" and "index_st") and
/// coordinates in texels of a picture of `width` by `height`.
bool bspi_alias_build(bspi_model_builder *b, const bspi_alias_frame *frame,
                      const bsp_table *triangles, const bsp_table *coords, float width,
                      float height, uint32_t material);

/// Sets the materials of a model that names a picture a skin: the name itself, then that name in
/// the model's own folder; without skins skin.pcx of that folder.
bool bspi_alias_materials(bsp_model_asset *model, const bsp_table *skins, uint32_t width,
                          uint32_t height, bsp_error *error);

#endif
