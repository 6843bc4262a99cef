// SPDX-License-Identifier: MIT
// The look of a side of a brush, before its method has a say.
#ifndef BSPI_DECOMPILE_BRUSH_SIDES_H
#define BSPI_DECOMPILE_BRUSH_SIDES_H

#include "decompile/brush/faces.h"

/// What side `side` of a brush looks like, whose polygon that is and which becomes side `out` of
/// the document; its method asked. False without memory.
bool bspi_look_of(bspi_work *w, uint32_t brush, uint32_t side, const bspi_polygon *polygon,
                  uint32_t out, bspi_look *look);

/// The same for Quake 3, whose textures lie as the vertices of faces say: `hits` are the pieces of
/// faces on the polygon. False without memory.
bool bspi_look_drawn(bspi_work *w, uint32_t brush, uint32_t side, const bspi_polygon *polygon,
                     const bspi_face_hit *hits, uint32_t count, bspi_look *look);

#endif
