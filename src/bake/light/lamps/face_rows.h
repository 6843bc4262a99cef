// SPDX-License-Identifier: MIT
// What faces see.
#ifndef BSPI_BAKE_FACE_ROWS_H
#define BSPI_BAKE_FACE_ROWS_H

#include "bake/light/base/work.h"
#include "bake/light/lamps/lamp.h"

/// Finds the clusters that the faces of the world are in.
bool bspi_face_clusters_find(bspi_relight *own, bsp_error *error);

/// Sets `row` to what any cluster of a face sees, of bsp_visibility.row_bytes in the heap; NULL
/// where that is not heeded.
bool bspi_face_row(bspi_relight *own, uint32_t face, uint8_t **row, bsp_error *error);

/// Sets the clusters of a lamp that stands for a face.
void bspi_face_lamp_sees(const bspi_relight *own, uint32_t face, bspi_lamp *lamp);

#endif
