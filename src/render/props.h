// SPDX-License-Identifier: MIT
// The models of a scene in a renderer.
#ifndef BSPI_RENDER_PROPS_H
#define BSPI_RENDER_PROPS_H

#include "render/visible.h"

/// How much room props need.
typedef struct bspi_prop_counts {
    uint64_t vertices;
    uint64_t indices;
    uint64_t groups;  ///< as many batches, and as many pieces
    uint64_t turning; ///< of them, those that turn to the viewer
    uint64_t points;  ///< vertices of those
} bspi_prop_counts;

/// Counts what bspi_props_put adds. Returns false over a limit of work.
bool bspi_props_count(const bsp_scene *scene, bool hidden, bspi_meter *meter,
                      bspi_prop_counts *out);
/// Makes room for what turns to the viewer. Returns false without memory.
bool bspi_props_room(bsp_renderer *renderer, const bspi_prop_counts *counts, bsp_error *error);
/// Adds the props of a scene, in the world and lit at their vertices, to a renderer that has room
/// for them; with `hidden` also those that are not drawn when the map begins.
void bspi_props_put(bsp_renderer *renderer, const bsp_scene *scene, bool hidden, bool full_bright);

#endif
