// SPDX-License-Identifier: MIT
// Props: models that stand in the world.
#ifndef BSPI_SCENE_PROPS_H
#define BSPI_SCENE_PROPS_H

#include "scene/scene.h"

/// Lists the models that entities show, and static props, and opens each model once. Its materials
/// have numbers after those of the map.
bool bspi_scene_props(bspi_scene_builder *builder);
/// Closes the models.
void bspi_scene_props_free(bspi_scene *own);

#endif
