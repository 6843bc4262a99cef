// SPDX-License-Identifier: MIT
// Light is thrown from surface to surface.
#ifndef BSPI_BAKE_BOUNCE_H
#define BSPI_BAKE_BOUNCE_H

#include "bake/light/base/work.h"
#include "bake/light/bounce/bounce_once.h"
#include "bake/light/lamps/lamp.h"

/// Throws light from face to face as ericw-tools does, and adds it (bounce_faces.c). `finish` makes
/// luxels comparable with those of the map.
bool bspi_bounce_faces(bspi_relight *own, bspi_finisher finish, bsp_error *error);

/// Makes one of lamps that are beside each other and look the same way, for a preview
/// (bounce_merge.c).
bool bspi_bounce_merge(bspi_relight *own, bspi_lamp *lamps, uint32_t *count, bsp_error *error);

/// Quake 3: adds what surfaces throw back as lamps, for vertices (drawn_bounce.c).
bool bspi_drawn_bounced(bspi_relight *own, bsp_error *error);

/// Makes patches, throws light between them, and adds it to the faces.
bool bspi_bounce(bspi_relight *own, bsp_error *error);

#endif
