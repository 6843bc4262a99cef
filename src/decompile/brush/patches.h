// SPDX-License-Identifier: MIT
// Curved surfaces of Quake 3.
#ifndef BSPI_DECOMPILE_BRUSH_PATCHES_H
#define BSPI_DECOMPILE_BRUSH_PATCHES_H

#include "decompile/work.h"

/// Emits the patches of all models into the entities that show them, and reports faces that are not
/// patches and lie on no brush: models that the compiler placed. The brushes must be emitted
/// before.
bool bspi_emit_patches(bspi_work *w);

#endif
