// SPDX-License-Identifier: MIT
// What an entity of Source says of its light, as vrad stores it.
#ifndef BSPI_BAKE_VRAD_ENTITY_H
#define BSPI_BAKE_VRAD_ENTITY_H

#include "bspkit/entities.h"
#include "bspkit/map.h"

/// Sets what a light, light_spot or light_environment says: type, style, intensity, and how it
/// fades; place and direction stay. `hdr` takes the keys of the HDR light where they say something.
/// False for other entities, and for one without light.
bool bspi_vrad_light(const bsp_entity *entity, bool hdr, bsp_world_light *out);
/// Sets the intensity that a light_environment gives the whole sky.
void bspi_vrad_sky(const bsp_entity *entity, bool hdr, float out[3]);

#endif
