// SPDX-License-Identifier: MIT
// A renderer while it is built.
#ifndef BSPI_RENDER_BUILDER_H
#define BSPI_RENDER_BUILDER_H

#include "bspkit/scene.h"
#include "render/renderer.h"

typedef struct bspi_render_builder {
    bsp_renderer *renderer;
    const bsp_map *map;
    const bsp_file *file; ///< or NULL
    const bsp_renderer_options *options;
    bsp_scene_state state; ///< all zero: as the map begins
    bsp_textures *finder;
    bsp_scene *scene;
    bool bumped;      ///< faces have light from three directions
    bool any_bump;    ///< and a material a normal map
    bspi_meter meter; ///< a step: a vertex or triangle that is placed, a group that is visited
    bsp_error *error;
} bspi_render_builder;

#endif
