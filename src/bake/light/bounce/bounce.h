// SPDX-License-Identifier: MIT
// Light is thrown from surface to surface.
#ifndef BSPI_BAKE_BOUNCE_H
#define BSPI_BAKE_BOUNCE_H

#include "bake/light/base/work.h"
#include "bake/light/bounce/bounce_told.h"
#include "bake/light/lamps/lamp.h"

/// Throws light from face to face as ericw-tools does, and adds it (bounce_faces.c). `finish` makes
/// luxels comparable with those of the map.
bool bspi_bounce_faces(bspi_relight *own, bspi_finisher finish, bsp_error *error);

/// Makes one of lamps that are beside each other and look the same way, for a preview
/// (bounce_merge.c).
bool bspi_bounce_merge(bspi_relight *own, bspi_lamp *lamps, uint32_t *count, bsp_error *error);

/// Quake 3: throws light from pieces of surfaces to luxels and vertices, and adds it to theirs; and
/// adds lamps for the light grid, if that has it (drawn_throw.c).
bool bspi_drawn_throw(bspi_relight *own, bsp_error *error);

/// Adds light to the luxels of a style of a face, which it gets if it has none yet, all dark. One
/// that it has no room for is counted, and lost (face_style.c).
void bspi_face_style_add(bspi_relight *own, bsp_relight_face *face, int style,
                         const float (*light)[3]);

/// Makes patches, throws light between them, and adds it to the faces.
bool bspi_bounce(bspi_relight *own, bsp_error *error);

#endif
