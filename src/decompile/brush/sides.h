// SPDX-License-Identifier: MIT
// The look of a brush side, before the method changes it.
#ifndef BSPI_DECOMPILE_BRUSH_SIDES_H
#define BSPI_DECOMPILE_BRUSH_SIDES_H

#include "decompile/brush/faces.h"

/// Gives the look of side `side` of a brush, which has this polygon, on which these faces lie, and
/// becomes side `out` of the document, after the method's `look`. Returns false without memory.
bool bspi_look_of(bspi_work *w, uint32_t brush, uint32_t side, const bspi_polygon *polygon,
                  const bspi_face_hit *hits, uint32_t count, uint32_t out, bspi_look *look);

/// Gives the look of a side of Quake 3, where the vertices of faces hold the alignment of textures:
/// `hits` are the pieces of faces on the polygon. Returns false without memory.
bool bspi_look_drawn(bspi_work *w, uint32_t brush, uint32_t side, const bspi_polygon *polygon,
                     const bspi_face_hit *hits, uint32_t count, bspi_look *look);

#endif
