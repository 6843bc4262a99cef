// SPDX-License-Identifier: MIT
// What an entity without a brush model shows.
#ifndef BSPI_SCENE_SHOWS_H
#define BSPI_SCENE_SHOWS_H

#include "bspkit/definitions.h"
#include "scene/scene.h"

/// A model or sprite that an entity shows, and how.
typedef struct bspi_shown {
    bsp_text path; ///< in the search path; borrowed
    uint32_t skin;
    uint32_t body;
    uint32_t frame;
    bsp_text sequence;  ///< by name or number; empty: the first
    float scale;        ///< factor of its size
    bool pitch_negated; ///< it is turned by the pitch the other way
    bool drops;         ///< it falls to the floor when the map begins
} bspi_shown;

/// The table of the classic games' items and monsters: what an entity of a class shows. Returns
/// false for a class that is not in it.
bool bspi_class_shows(const bsp_map *map, const bsp_entity *entity, bspi_shown *out);

/// Finds what an entity shows: by its own keys, then by the definitions of the options, then by the
/// table. Returns false where it shows no model and no sprite.
bool bspi_entity_shows(const bspi_scene_builder *builder, const bsp_entity *entity,
                       bspi_shown *out);

/// Sets how a prop that an entity shows is solid, where it stands: `solid` and what goes with it.
void bspi_entity_solid(const bsp_map *map, const bsp_entity *entity, const bsp_scene_model *model,
                       bsp_scene_prop *prop);
/// Sets the same for a static prop, whose record has `solid`.
void bspi_static_solid(const bsp_scene_model *model, uint32_t solid, bsp_scene_prop *prop);

/// Returns true if a model that an entity shows is drawn when the map begins.
bool bspi_entity_is_drawn(const bsp_map *map, const bsp_entity *entity);

#endif
