// SPDX-License-Identifier: MIT
// The triangles of a renderer that is built.
#ifndef BSPI_RENDER_TRIANGLES_H
#define BSPI_RENDER_TRIANGLES_H

#include "render/builder.h"

/// Adds the instances, props and decals of the scene, as pieces in batches. Textures and pages of
/// light must be there. Returns false without memory, or over a limit.
bool bspi_render_triangles(bspi_render_builder *b);
/// Computes the bounds of what an overview shows.
void bspi_renderer_measure(bsp_renderer *renderer);

#endif
