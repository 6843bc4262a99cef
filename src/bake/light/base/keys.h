// SPDX-License-Identifier: MIT
// Keys of light entities.
#ifndef BSPI_BAKE_KEYS_H
#define BSPI_BAKE_KEYS_H

#include "bake/light/base/work.h"
#include "export/entity.h"

/// Returns the value of a key; a '_' that its name begins with may be missing in the map.
bsp_text bspi_key(const bsp_entity *entity, const char *name);
/// The same as a number.
float bspi_key_number(const bsp_entity *entity, const char *name, float otherwise);
/// The same as a whole number from `least` to `most`, which numbers beyond them become.
int bspi_key_whole(const bsp_entity *entity, const char *name, int otherwise, int least, int most);
/// The same as bits of channels; a number that is none, or 0, is `otherwise`.
uint32_t bspi_key_channels(const bsp_entity *entity, const char *name, uint32_t otherwise);
/// The same as a colour, 0..1 or 0..255 in the file; white without one.
bool bspi_key_color(const bsp_entity *entity, const char *name, float out[3]);
/// Reads three coordinates; 0 without them. The name is taken as it is.
bool bspi_key_point(const bsp_entity *entity, const char *name, float out[3]);

/// Reads a light of GoldSrc: "r g b intensity", three numbers, or one for all. False without one.
bool bspi_light_value(bsp_text value, float out[3]);
/// The same of a key, whose name is taken as it is.
bool bspi_key_light(const bsp_entity *entity, const char *key, float out[3]);

/// Returns the first of some entities, which a map has for its world. NULL without any.
const bsp_entity *bspi_world_of(const bsp_entities *entities);
/// Returns the entities whose lights are taken; may be NULL.
const bsp_entities *bspi_lit_entities(const bspi_relight *own);
/// Returns the world among them: the first one, unless that is a light. NULL without it.
const bsp_entity *bspi_lit_world(const bspi_relight *own);
/// Returns the first entity that shows a model; of model 0 that is the world. NULL without one.
const bsp_entity *bspi_model_entity(const bspi_relight *own, uint32_t model);
/// Is an entity a light?
bool bspi_is_light(const bsp_entity *entity);
/// Finds the first material of that name, or BSP_NONE; so for an empty name. Looking is paid: false
/// over the limit.
bool bspi_material_named(bspi_relight *own, bsp_text name, uint32_t *material, bsp_error *error);
/// Adds the lamps of a light. Returns false after an error.
typedef bool bspi_light_add(void *user, const bsp_entity *entity, bsp_error *error);
/// Calls `add` for each of them whose class begins with "light", until it returns false.
bool bspi_lights_each(const bspi_relight *own, bspi_light_add *add, void *user, bsp_error *error);
/// Sets the unit vector from a place to the entity's target. False without one.
bool bspi_aim_at(const bspi_relight *own, const bsp_entity *entity, const float origin[3],
                 float out[3]);

#endif
