// SPDX-License-Identifier: MIT
// What textures give by themselves.
#ifndef BSPI_BAKE_TEXLIGHTS_H
#define BSPI_BAKE_TEXLIGHTS_H

#include "bake/light/base/keys.h"

/// Finds what the texture of each material gives: "r g b [intensity]" or one number, or an empty
/// text. Sets NULL if none gives light. The arena owns the list.
bool bspi_texlights_find(bspi_relight *own, const bsp_text **out, bsp_error *error);

/// Is an entity one that says what textures give (info_texlights)?
bool bspi_is_texlight_list(const bsp_entity *entity);

/// What one surface gives by an entity of its own (light_surface, or any light with `_tex`).
typedef struct bspi_texlight {
    float light[3];   ///< that it shows itself
    float scale;      ///< of what others get, beside that
    float texture[3]; ///< 0..1: instead of the colour of its texture
    bool has_texture; ///< `texture` is stated
    float chop;       ///< units: longest edge of a piece; 0: as usual
    float inner;      ///< cosines of its cones
    float outer;      ///< -2: none
    int style;
} bspi_texlight;

/// An entity that gives light to surfaces of one texture.
typedef struct bspi_texlight_entity {
    const bsp_entity *entity;
    uint32_t material;
    float origin[3];
    float range;    ///< units to the middle of a surface
    float off;      ///< units off its plane
    bsp_text class; ///< of the entity whose model it is; empty: any
    bsp_text name;
} bspi_texlight_entity;

/// Those of the map, by material (texlight_entities.c).
typedef struct bspi_texlight_entities {
    bspi_texlight_entity *list; ///< in the arena
    uint32_t count;
} bspi_texlight_entities;

/// Is an entity one of these?
bool bspi_is_texlight_entity(const bsp_entity *entity);
/// Finds them all.
bool bspi_texlight_entities_find(bspi_relight *own, bspi_texlight_entities *out, bsp_error *error);
/// Sets what the nearest entity that may gives to a face. False without one; counts work.
bool bspi_texlight_of(const bspi_relight *own, const bspi_texlight_entities *entities,
                      uint32_t face, bspi_texlight *out);

#endif
