// SPDX-License-Identifier: MIT
// The position and direction of entities.
#ifndef BSPI_EXPORT_ENTITY_H
#define BSPI_EXPORT_ENTITY_H

#include "bspkit/map.h"
#include "export/space.h"

/// The position of an entity in map space, and its angles as in the file.
typedef struct bspi_stand {
    float origin[3];
    bspi_turn turn;
    float scale;
} bspi_stand;

/// Parses the numbers of a value ("1 2 3"); missing or malformed ones keep their value. Returns how
/// many were parsed.
int bspi_numbers(bsp_text value, float *out, int count);
/// Returns the number of a key, or `otherwise`.
float bspi_number(const bsp_entity *entity, const char *key, float otherwise);
bool bspi_has(const bsp_entity *entity, const char *key);

/// Writes the name of a model, "*7"; `out` has room for 16.
void bspi_model_name(uint32_t model, char *out);
/// Writes the name of an area of a navigation mesh, "nav_area.12"; `out` has room for 32.
void bspi_area_name(uint32_t id, char *out);
/// Returns targetname, else classname, else "entity".
bsp_text bspi_entity_name(const bsp_entity *entity);

bspi_stand bspi_stand_of(const bsp_placement *place);

/// Writes all keys as members of an object. The lists of repeated keys need scratch memory.
bool bspi_entity_extras(const bsp_entity *entity, const bsp_allocator *allocator, bsp_json *json,
                        bsp_error *error);

#endif
