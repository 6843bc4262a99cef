// SPDX-License-Identifier: MIT
// Source: the list of the lights that a map was lit with.
#ifndef BSPI_BAKE_WORLD_LIGHTS_H
#define BSPI_BAKE_WORLD_LIGHTS_H

#include "bake/light/base/work.h"
#include "bake/result/changes.h"

/// Adds the list of lights that were given in the place of the map's own, where it has one. The map
/// keeps its own if none were given.
bool bspi_world_lights_add(const bspi_relight *own, bspi_changes *changes);

#endif
