// SPDX-License-Identifier: MIT
// Which faces were lit as if they were round, out of the light that the map has: their compiler
// read it in a file beside the map.
#ifndef BSPI_BAKE_STORED_SMOOTH_H
#define BSPI_BAKE_STORED_SMOOTH_H

#include "bake/light/base/work.h"

/// By the rules of ericw-tools, where nothing tells all of it: sets the angles of the texinfos
/// (`own->round`) whose faces are nearer to the light of the map when they are lit as if they were
/// round, and finds the normals anew. Lamps and what casts shadows must be known.
bool bspi_stored_smooth(bspi_relight *own, bsp_error *error);

#endif
