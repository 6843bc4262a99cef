// SPDX-License-Identifier: MIT
// What an entity of Source says of its light, as vrad stores it.
#ifndef BSPI_BAKE_VRAD_ENTITY_H
#define BSPI_BAKE_VRAD_ENTITY_H

#include "bspkit/entities.h"
#include "bspkit/map.h"

#define BSPI_VRAD_NEAR 0.5f // units: a light is where its record is

/// Returns how vrad stores the light of an entity: as BSPI_WORLD_POINT, BSPI_WORLD_SPOT or
/// BSPI_WORLD_SUN. BSP_NONE for other entities.
uint32_t bspi_vrad_type(const bsp_entity *entity);
/// Is a stored light of that type at a point?
bool bspi_vrad_is_at(const bsp_world_light *stored, uint32_t type, const float origin[3]);
/// Sets where a light of Source or GoldSrc without a target points: up or down by "angle"; else by
/// "pitch" and "angle", and what they do not say by "angles".
void bspi_vrad_look(const bsp_entity *entity, float out[3]);
/// Sets what a light, light_spot or light_environment says: type, style, intensity, and how it
/// fades; place and direction stay. `hdr` takes the keys of the HDR light where they say something.
/// False for other entities, and for one without light.
bool bspi_vrad_light(const bsp_entity *entity, bool hdr, bsp_world_light *out);
/// Sets the intensity that a light_environment gives the whole sky.
void bspi_vrad_sky(const bsp_entity *entity, bool hdr, float out[3]);

#endif
