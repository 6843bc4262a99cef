// SPDX-License-Identifier: MIT
// Which model each brush belongs to.
#ifndef BSPI_MAP_BRUSH_MODELS_H
#define BSPI_MAP_BRUSH_MODELS_H

#include "bspkit/map.h"
#include "core/memory.h"

/// Returns for each brush of a map the model that has it, in the arena: by the run of the model
/// where the branch stores one, else by the leaves of its tree, of several models the first. A
/// brush that no leaf refers to belongs to the model of the brush before it, or to the world. Work
/// is counted by `meter`; NULL, with its error filled, over a limit or without memory.
uint32_t *bspi_brush_models(const bsp_map *map, bspi_arena *arena, bspi_meter *meter);

#endif
