// SPDX-License-Identifier: MIT
// Entities as something that stands in space: where, and which way.
#ifndef BSPI_EXPORT_ENTITY_H
#define BSPI_EXPORT_ENTITY_H

#include "bspkit/map.h"
#include "export/space.h"

/// Where an entity stands, in map space; its turn as files have it.
typedef struct bspi_stand {
    float origin[3];
    bspi_turn turn;
} bspi_stand;

/// Numbers out of a value ("1 2 3"); what is missing or no number stays. Returns how many.
int bspi_numbers(bsp_text value, float *out, int count);
/// The number of a key, or `otherwise`.
float bspi_number(const bsp_entity *entity, const char *key, float otherwise);
bool bspi_has(const bsp_entity *entity, const char *key);

/// "*7"; `out` has room for 16.
void bspi_model_name(uint32_t model, char *out);
/// targetname, else classname, else "entity".
bsp_text bspi_entity_name(const bsp_entity *entity);

bspi_stand bspi_stand_of(const bsp_placement *place);

/// Writes all keys as one object. The lists of repeated keys need scratch memory.
bool bspi_entity_extras(const bsp_entity *entity, const bsp_allocator *allocator, bsp_json *json,
                        bsp_error *error);

#endif
