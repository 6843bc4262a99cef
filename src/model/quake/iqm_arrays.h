// SPDX-License-Identifier: MIT
// The vertices of an Inter-Quake model: an array for each kind of number, of any type.
#ifndef BSPI_MODEL_QUAKE_IQM_ARRAYS_H
#define BSPI_MODEL_QUAKE_IQM_ARRAYS_H

#include "bspkit/model.h"

/// The kinds of arrays, by their `type`.
enum {
    BSPI_IQM_POSITION,
    BSPI_IQM_TEXCOORD,
    BSPI_IQM_NORMAL,
    BSPI_IQM_TANGENT,
    BSPI_IQM_BLENDINDEXES,
    BSPI_IQM_BLENDWEIGHTS,
    BSPI_IQM_COLOR,
    BSPI_IQM_KINDS
};

/// An array of the vertices, as its record says; without `data` it is not there.
typedef struct bspi_iqm_array {
    const uint8_t *data;
    uint32_t format;
    uint32_t size; ///< elements of a vertex
} bspi_iqm_array;

/// Finds the arrays of a file, whose records are those of `table` (iqmvertexarray). Those that do
/// not lie in it are not there.
void bspi_iqm_find(bsp_bytes file, const bsp_table *table, uint32_t num_vertices,
                   bspi_iqm_array out[BSPI_IQM_KINDS]);
/// Returns true if bones move the vertices.
bool bspi_iqm_is_moved(const bspi_iqm_array arrays[BSPI_IQM_KINDS]);
/// Reads a vertex of the arrays, in the bind pose.
void bspi_iqm_vertex(const bspi_iqm_array arrays[BSPI_IQM_KINDS], uint32_t number,
                     bsp_model_vertex *vertex, bsp_model_weights *weights);

#endif
