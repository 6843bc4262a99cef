// SPDX-License-Identifier: MIT
// Light from surface to surface by the rules of hlrad.
#ifndef BSPI_BAKE_RAD_BOUNCE_H
#define BSPI_BAKE_RAD_BOUNCE_H

#include "bake/light/base/work.h"

/// Makes patches, throws light between them, and adds it to the faces.
bool bspi_rad_bounce(bspi_relight *own, bsp_error *error);

#endif
