// SPDX-License-Identifier: MIT
// Light is thrown from surface to surface.
#ifndef BSPI_BAKE_BOUNCE_H
#define BSPI_BAKE_BOUNCE_H

#include "bake/light/lamp.h"
#include "bake/light/work.h"

/// Finds the clusters that the faces of the world are in (face_rows.c).
bool bspi_face_clusters_find(bspi_relight *own, bsp_error *error);

/// Sets `row` to what any cluster of a face sees, of bsp_visibility.row_bytes in the heap; NULL
/// where that is not heeded.
bool bspi_face_row(bspi_relight *own, uint32_t face, uint8_t **row, bsp_error *error);

/// Sets the clusters of a lamp that stands for a face.
void bspi_face_lamp_sees(const bspi_relight *own, uint32_t face, bspi_lamp *lamp);

/// Throws light from face to face as ericw-tools does, and adds it (bounce_faces.c).
bool bspi_bounce_faces(bspi_relight *own, bsp_error *error);

/// Makes one of lamps that are beside each other and look the same way, for a preview
/// (bounce_merge.c).
bool bspi_bounce_merge(bspi_relight *own, bspi_lamp *lamps, uint32_t *count, bsp_error *error);

/// Makes patches, throws light between them, and adds it to the faces.
bool bspi_bounce(bspi_relight *own, bsp_error *error);

#endif
